import { dot, type Vec3 } from "../../../core/geometry.ts";
import type { Watch } from "../../../core/watch.ts";
import { bodiesOf } from "../../bodies.ts";
import { newDisjointSets } from "../../disjoint-sets.ts";
import { edgesOf, facetOf } from "../../edges.ts";
import { type Surface, triangleCount } from "../../mesh.ts";
import { facetNormal } from "../facet-normal.ts";
import type { SolidAngles } from "../solid-angles.ts";
import type { Arrangement } from "./arrange.ts";
import { patchSteps } from "./patch-steps.ts";

const GROUPS_PER_REPORT = 16;

/**
 * The boundary of what a surface goes around at least once, from its arrangement: pieces with nothing in front of them
 * and something behind, turned about where it is the other way round. Bodies that nothing cuts stay as they are.
 */
export function outerPieces(
  surface: Surface,
  arrangement: Arrangement,
  solidAngles: SolidAngles,
  watch: Watch,
): Surface {
  const { vertices, triangles, sheets, originsOf } = arrangement;
  const isTouched = touchedBodies(surface, arrangement);
  const patchOf = patchesOf(arrangement);
  const stands = largestOfEach(arrangement, patchOf);
  const turnOf = new Int8Array(patchOf.length);
  const groups = patchSteps(surface, arrangement, patchOf);
  groups.forEach((group, i) => {
    if (i % GROUPS_PER_REPORT === 0) watch.report(i / groups.length);
    const patch = largestOf(group.keys(), (one) => squaredArea(arrangement, stands.get(one)!));
    const piece = stands.get(patch)!;
    const origins = originsOf(piece);
    if (!isTouched(origins[0]!)) {
      turnOf[patch] = 1;
      return;
    }
    // In the middle of a facet the facets about it go around a point half as often as behind it and in front of it.
    const [first, ...more] = origins;
    const isOrigin = (facet: number): boolean => facet === first || more.includes(facet);
    const inFront = Math.round(solidAngles(middleOf(arrangement, piece), isOrigin) - sheets[piece]! / 2);
    for (const [other, steps] of group) {
      const before = inFront + steps - group.get(patch)!;
      const behind = before + sheets[stands.get(other)!]!;
      turnOf[other] = before <= 0 && behind > 0 ? 1 : before > 0 && behind <= 0 ? -1 : 0;
    }
  });
  const kept: number[] = [];
  for (let piece = 0; piece < triangleCount(arrangement); piece++) {
    const turn = turnOf[patchOf[piece]!];
    const [a, b, c] = triangles.subarray(3 * piece, 3 * piece + 3) as unknown as [number, number, number];
    if (turn === 1) kept.push(a, b, c);
    else if (turn === -1) kept.push(a, c, b);
  }
  return { vertices, triangles: Uint32Array.from(kept) };
}

/** Tells of facets whether anything in their body was cut. */
function touchedBodies(surface: Surface, { triangles, sheets, originsOf }: Arrangement): (facet: number) => boolean {
  const { bodyOf, count } = bodiesOf(surface);
  const left = new Uint32Array(count);
  for (const body of bodyOf) left[body]!++;
  for (let piece = 0; piece < triangles.length / 3; piece++) {
    const origins = originsOf(piece);
    if (origins.length === 1 && sheets[piece] === 1) left[bodyOf[origins[0]!]!]!--;
  }
  return (facet) => left[bodyOf[facet]!] !== 0;
}

/** Pieces that meet at edges of two pieces, as one patch: everywhere on it there is the same in front and behind. */
function patchesOf({ vertices, triangles, sheets }: Arrangement): Uint32Array {
  const { halfEdges, runs } = edgesOf(triangles, vertices.length / 3);
  const sets = newDisjointSets(triangles.length / 3);
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] !== 2) continue;
    const [one, other] = [halfEdges[runs[edge]], halfEdges[runs[edge] + 1]];
    const [first, second] = [facetOf(one), facetOf(other)];
    if (triangles[one] !== triangles[other] && sheets[first] === sheets[second]) sets.join(first, second);
  }
  return Uint32Array.from({ length: triangles.length / 3 }, (_, piece) => sets.find(piece));
}

/** Of each patch the piece with the largest area. */
function largestOfEach(arrangement: Arrangement, patchOf: Uint32Array): Map<number, number> {
  const largest = new Map<number, number>();
  const areas = new Float64Array(patchOf.length);
  for (let piece = 0; piece < patchOf.length; piece++) {
    const area = squaredArea(arrangement, piece);
    const patch = patchOf[piece]!;
    if (largest.has(patch) && area <= areas[patch]!) continue;
    largest.set(patch, piece);
    areas[patch] = area;
  }
  return largest;
}

function largestOf(members: Iterable<number>, sizeOf: (member: number) => number): number {
  let [largest, most] = [-1, -Infinity];
  for (const member of members) {
    const size = sizeOf(member);
    if (size > most) [largest, most] = [member, size];
  }
  return largest;
}

function squaredArea({ vertices, triangles }: Surface, piece: number): number {
  const place = (corner: number): Vec3 => {
    const v = 3 * triangles[3 * piece + corner];
    return [vertices[v], vertices[v + 1], vertices[v + 2]];
  };
  const normal = facetNormal(place(0), place(1), place(2));
  return dot(normal, normal);
}

function middleOf({ vertices, triangles }: Surface, piece: number): Vec3 {
  const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * piece + k]);
  const middle = (axis: number): number => (vertices[a! + axis]! + vertices[b! + axis]! + vertices[c! + axis]!) / 3;
  return [middle(0), middle(1), middle(2)];
}
