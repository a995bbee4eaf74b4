import type { Progress } from "../../core/progress.ts";
import { nearbyBoxPairs } from "../../geometry/box-pairs.ts";
import { boxOf } from "../../geometry/box.ts";
import { type Capsule, areCapsulesApart } from "../../geometry/capsule.ts";
import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import { type Surface, concatenateSurfaces } from "../../mesh/mesh.ts";
import { capsulesOf } from "./strut-body.ts";

/** Bodies that are farther apart do not touch in single precision, either, up to coordinates of a metre. */
const GAP_MM = 1e-3;

/**
 * Bodies of struts in at most `count` groups of about equal size, so that no body of one group touches a body of another. Each group
 * consists of few surfaces, each of which joins bodies that don't touch: the kernel that unites them takes few large solids more
 * quickly than many small ones.
 */
export function groupsApart(bodies: readonly Surface[], count: number, progress: Progress): Surface[][] {
  const neighbours = touchingBodies(bodies, progress);
  return packedComponents(neighbours, count).map((members) =>
    setsApart(members, neighbours).map((set) => concatenateSurfaces(set.map((body) => bodies[body]))),
  );
}

/** For each body those that it touches or may touch. */
function touchingBodies(bodies: readonly Surface[], progress: Progress): number[][] {
  const boxes = Float64Array.from(
    bodies.flatMap(({ vertices }) => {
      const { min, max } = boxOf(vertices);
      return [...min, ...max];
    }),
  );
  const capsules = bodies.map(capsulesOf);
  const neighbours: number[][] = bodies.map(() => []);
  for (const [a, b] of nearbyBoxPairs(boxes, GAP_MM, progress)) {
    if (areApart(capsules[a], capsules[b])) continue;
    neighbours[a].push(b);
    neighbours[b].push(a);
  }
  return neighbours;
}

const areApart = (a: readonly Capsule[], b: readonly Capsule[]): boolean =>
  a.every((one) => b.every((other) => areCapsulesApart(one, other, GAP_MM)));

/** The connected components, the largest first into the smallest group; ascending in each group. Empty groups are left out. */
function packedComponents(neighbours: readonly (readonly number[])[], count: number): number[][] {
  const sets = newDisjointSets(neighbours.length);
  for (const [body, others] of neighbours.entries()) for (const other of others) sets.join(body, other);
  const components = [...Map.groupBy(neighbours.keys(), (body) => sets.find(body)).values()];
  const groups: number[][] = Array.from({ length: count }, () => []);
  for (const component of components.toSorted((a, b) => b.length - a.length)) {
    groups.reduce((least, group) => (group.length < least.length ? group : least)).push(...component);
  }
  return groups.filter(({ length }) => length > 0).map((group) => group.toSorted((a, b) => a - b));
}

/** Divides the members of a group into sets without neighbours: each body is in the first set that has no neighbour of it. */
function setsApart(members: readonly number[], neighbours: readonly (readonly number[])[]): number[][] {
  const setOf = new Map<number, number>();
  const sets: number[][] = [];
  for (const body of members) {
    const taken = new Set(neighbours[body].map((other) => setOf.get(other)));
    let set = 0;
    while (taken.has(set)) set++;
    setOf.set(body, set);
    (sets[set] ??= []).push(body);
  }
  return sets;
}
