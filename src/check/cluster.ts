import { type Box, type BuildVolume, unionOf } from "../core/geometry.ts";
import { newDisjointSets } from "../mesh/disjoint-sets.ts";
import { placeKey } from "../mesh/pose.ts";
import type { Body, CheckRequest } from "./body.ts";

/** Bodies of a scene that may seal or carry one another, because their boxes overlap seen from above. */
export interface Cluster {
  /** Each place once; `model` counts within the cluster. */
  readonly bodies: readonly Body[];
  /** The number in the scene of each of its models. */
  readonly models: readonly number[];
  /** Around all of it that is printed. */
  readonly box: Box;
  /** Of the layers up to its top. */
  readonly boundariesMm: Float64Array;
}

/** The clusters of a scene, in the order of their first bodies. Gaps of less than `reachMm` count as none. */
export function clustersOf({ bodies, boundariesMm, volume }: CheckRequest, reachMm: number): Cluster[] {
  const topMm = boundariesMm.at(-1) ?? 0;
  const printed = withoutCopiesInPlace(bodies).filter(({ box: { min, max } }) => {
    const [x, y] = volume.dimensionsMm;
    const isBeside = max[0] < -x / 2 || min[0] > x / 2 || max[1] < -y / 2 || min[1] > y / 2;
    return !isBeside && max[2] > 0 && min[2] < topMm;
  });
  return groupsOf(
    printed.map(({ box }) => box),
    reachMm,
  ).map((members): Cluster => {
    const own = members.map((i) => printed[i]);
    const models = [...new Set(own.map(({ model }) => model))];
    const box = printedBox(own.map((body) => body.box).reduce(unionOf), volume);
    const end = boundariesMm.findIndex((z) => z >= box.max[2]);
    return {
      bodies: own.map((body) => ({ ...body, model: models.indexOf(body.model) })),
      models,
      box,
      boundariesMm: end < 0 ? boundariesMm : boundariesMm.slice(0, end + 1),
    };
  });
}

/** Equal for clusters of the same bodies that differ in where they stand on the platform alone. */
export function clusterKey({ bodies, box }: Cluster): string {
  const [x, y] = box.min;
  const rounded = (mm: number): number => Math.round(mm * PER_MM) + 0;
  const parts = bodies.map(({ placed: { mesh, pose }, model, isSupport }) => {
    const [px, py, pz] = pose.position;
    const position = [rounded(px - x), rounded(py - y), pz] as const;
    return [placeKey(mesh.hash, { ...pose, position }), model, isSupport].join(" ");
  });
  return [rounded(box.max[0] - x), rounded(box.max[1] - y), ...parts].join("\n");
}

/** Places that differ by less than a nanometre are one: sums of coordinates gather rounding. */
const PER_MM = 1e6;

function withoutCopiesInPlace(bodies: readonly Body[]): Body[] {
  const places = new Map<string, Body>();
  for (const body of bodies) {
    const { mesh, pose } = body.placed;
    const place = `${placeKey(mesh.hash, pose)} ${body.isSupport}`;
    if (!places.has(place)) places.set(place, body);
  }
  return [...places.values()];
}

/** A sweep along x over boxes seen from above: which of them hang together. */
function groupsOf(boxes: readonly Box[], reachMm: number): number[][] {
  const sets = newDisjointSets(boxes.length);
  const order = boxes.map((_, i) => i).sort((a, b) => boxes[a].min[0] - boxes[b].min[0]);
  let met: number[] = [];
  for (const next of order) {
    const { min, max } = boxes[next];
    met = met.filter((one) => boxes[one].max[0] + reachMm >= min[0]);
    for (const one of met) {
      const isApart = boxes[one].max[1] + reachMm < min[1] || boxes[one].min[1] - reachMm > max[1];
      if (!isApart) sets.join(one, next);
    }
    met.push(next);
  }
  return [...Map.groupBy(boxes.keys(), (i) => sets.find(i)).values()];
}

function printedBox({ min, max }: Box, { dimensionsMm: [x, y] }: BuildVolume): Box {
  return {
    min: [Math.max(min[0], -x / 2), Math.max(min[1], -y / 2), min[2]],
    max: [Math.min(max[0], x / 2), Math.min(max[1], y / 2), max[2]],
  };
}
