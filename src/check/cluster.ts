import { type Progress, noProgress } from "../core/progress.ts";
import { nearbyBoxPairs } from "../geometry/box-pairs.ts";
import { type Box, unionBoxes } from "../geometry/box.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { poseKey } from "../geometry/pose.ts";
import type { PlacedMesh } from "../slice/stack.ts";

/** A model of a scene, or the supports of one. */
export interface SceneBody {
  readonly placed: PlacedMesh;
  /** Around the placed body. */
  readonly box: Box;
  /** Index of the model that it is, or that it supports. */
  readonly model: number;
  readonly isSupport: boolean;
}

/** The bodies of a scene and the layers that it is printed in. */
export interface CheckRequest {
  readonly bodies: readonly SceneBody[];
  readonly modelCount: number;
  /** Layer k reaches from entry k to entry k + 1; ascending, from 0. */
  readonly boundariesMm: Float64Array;
  /** What is outside is not printed, and not checked. */
  readonly volume: BuildVolume;
}

/**
 * Bodies of a scene whose boxes overlap seen from above, so that together they may form cups or support one another.
 */
export interface Cluster {
  /** Without duplicates at the same place; `model` is the index within the cluster. */
  readonly bodies: readonly SceneBody[];
  /** For each model of the cluster its index in the scene. */
  readonly models: readonly number[];
  /** Around all of it that is printed. */
  readonly box: Box;
  /** Of the layers up to its top. */
  readonly boundariesMm: Float64Array;
}

/** Finds something in a cluster: the index of a model for each find. */
export type FindInCluster = (cluster: Cluster, progress: Progress) => readonly number[];

/** Counts what is found at each model of a scene. Of equal clusters only one is searched. */
export function countPerModel(
  request: CheckRequest,
  reachMm: number,
  find: FindInCluster,
  progress: Progress,
): number[] {
  const counts = Array.from({ length: request.modelCount }, () => 0);
  const count = (cluster: Cluster, modelsOfEach: readonly (readonly number[])[], part: Progress): void => {
    const found = find(cluster, part);
    for (const models of modelsOfEach) for (const model of found) counts[models[model]]++;
  };
  forEachCluster(request, reachMm, count, progress);
  return counts;
}

/** Visits the clusters of a scene; of equal ones only the first, with the models of each of them. */
export function forEachCluster(
  request: CheckRequest,
  reachMm: number,
  visit: (cluster: Cluster, modelsOfEach: readonly (readonly number[])[], progress: Progress) => void,
  progress: Progress,
): void {
  const groups = [...Map.groupBy(findClusters(request, reachMm), clusterKey).values()];
  groups.forEach((clusters, i) => {
    const part = progress.part(i / groups.length, (i + 1) / groups.length);
    part.report(0);
    const modelsOfEach = clusters.map(({ models }) => models);
    visit(clusters[0], modelsOfEach, part);
  });
}

/** The clusters of a scene, in the order of their first bodies. Bodies less than `reachMm` apart overlap. */
export function findClusters({ bodies, boundariesMm, volume }: CheckRequest, reachMm: number): Cluster[] {
  const topMm = boundariesMm.at(-1) ?? 0;
  const printed = withoutDuplicates(bodies).filter(({ box: { min, max } }) => {
    const [x, y] = volume.dimensionsMm;
    const isBeside = max[0] < -x / 2 || min[0] > x / 2 || max[1] < -y / 2 || min[1] > y / 2;
    return !isBeside && max[2] > 0 && min[2] < topMm;
  });
  const boxes = printed.map(({ box }) => box);
  return groupOverlapping(boxes, reachMm).map((members): Cluster => {
    const own = members.map((i) => printed[i]);
    const models = [...new Set(own.map(({ model }) => model))];
    const box = clipToVolume(own.map((body) => body.box).reduce(unionBoxes), volume);
    const end = boundariesMm.findIndex((z) => z >= box.max[2]);
    return {
      bodies: own.map((body) => ({ ...body, model: models.indexOf(body.model) })),
      models,
      box,
      boundariesMm: end < 0 ? boundariesMm : boundariesMm.slice(0, end + 1),
    };
  });
}

/** Equal for clusters of the same bodies that differ only in their place on the platform. */
export function clusterKey({ bodies, box }: Cluster): string {
  const [x, y] = box.min;
  const rounded = (mm: number): number => Math.round(mm * STEPS_PER_MM) + 0;
  const parts = bodies.map(({ placed: { mesh, pose }, model, isSupport }) => {
    const [px, py, pz] = pose.position;
    const position = [rounded(px - x), rounded(py - y), pz] as const;
    return [poseKey(mesh.hash, { ...pose, position }), model, isSupport].join(" ");
  });
  return [rounded(box.max[0] - x), rounded(box.max[1] - y), ...parts].join("\n");
}

/** Positions are compared to a nanometre: sums of coordinates accumulate rounding. */
const STEPS_PER_MM = 1e6;

function withoutDuplicates(bodies: readonly SceneBody[]): SceneBody[] {
  const first = new Map<string, SceneBody>();
  for (const body of bodies) {
    const { mesh, pose } = body.placed;
    const key = `${poseKey(mesh.hash, pose)} ${body.isSupport}`;
    if (!first.has(key)) first.set(key, body);
  }
  return [...first.values()];
}

/** The connected groups of boxes seen from above, as their indices. */
function groupOverlapping(boxes: readonly Box[], reachMm: number): number[][] {
  const sets = newDisjointSets(boxes.length);
  const flat = Float64Array.from(boxes.flatMap(({ min, max }) => [min[0], min[1], 0, max[0], max[1], 0]));
  for (const [a, b] of nearbyBoxPairs(flat, reachMm, noProgress)) sets.join(a, b);
  return [...Map.groupBy(boxes.keys(), (i) => sets.find(i)).values()];
}

function clipToVolume({ min, max }: Box, { dimensionsMm: [x, y] }: BuildVolume): Box {
  return {
    min: [Math.max(min[0], -x / 2), Math.max(min[1], -y / 2), min[2]],
    max: [Math.min(max[0], x / 2), Math.min(max[1], y / 2), max[2]],
  };
}
