import type { Steps } from "../core/steps.ts";
import { must } from "../core/must.ts";
import { type Box, unionBoxes } from "../geometry/box.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { areHullsApart } from "../geometry/convex-gap.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { overlappingGroups } from "../geometry/overlapping-rectangles.ts";
import { poseKey } from "../geometry/pose.ts";
import type { Outline } from "../mesh/outline.ts";
import { overhangPixelMm } from "../slice/overhang/overhang-pixel.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { bodyBox } from "./placement.ts";
import { type Model, printedBodies } from "./project.ts";

/** A model of a scene, or the supports of one. */
export interface SceneBody {
  readonly placed: PlacedMesh;
  readonly outline: Outline;
  /** Box around the placed body. */
  readonly box: Box;
  /** Index of the model, or of the model that these supports support. */
  readonly model: number;
  readonly isSupport: boolean;
}

/** All models, also hidden ones, with their supports. */
export const sceneBodies = (models: readonly Model[]): SceneBody[] =>
  models.flatMap((model, index) =>
    printedBodies(model).map((body) => {
      const { mesh, outline, pose } = body;
      return { placed: { mesh, pose }, outline, box: bodyBox(body), model: index, isSupport: body === model.supports };
    }),
  );

/** Bodies that are compared with the others in one step, in a few milliseconds. */
const BODIES_PER_STEP = 512;

/** Bodies of a scene whose boxes overlap seen from above, so that together they may form cups or support one another. */
export interface BodyCluster {
  /** The bodies, without duplicates at the same place. */
  readonly bodies: readonly SceneBody[];
  /** The bounding box of the printed parts of the bodies. */
  readonly box: Box;
}

/**
 * The clusters of a scene whose layers end at `topMm`, in the order of their first bodies. Bodies less than `reachMm` apart overlap.
 * Bodies outside of the volume are not printed.
 */
export function* findClusters(
  bodies: readonly SceneBody[],
  topMm: number,
  volume: BuildVolume,
  reachMm: number,
): Steps<BodyCluster[]> {
  const printed = yield* printedAmong(bodies, topMm, volume);
  const rectangles = printed.map(({ box: { min, max } }) => ({
    minX: min[0],
    minY: min[1],
    maxX: max[0],
    maxY: max[1],
  }));
  yield;
  return (yield* overlappingGroups(rectangles, reachMm)).map((members): BodyCluster => {
    const own = members.map((i) => must(printed[i], "A body of a cluster"));
    return { bodies: own, box: clipToVolume(own.map(({ box }) => box).reduce(unionBoxes), volume) };
  });
}

/** The bodies, without duplicates at the same place, that are not completely outside of the volume. */
export function* printedAmong(bodies: readonly SceneBody[], topMm: number, volume: BuildVolume): Steps<SceneBody[]> {
  const [x, y] = volume.dimensionsMm;
  return (yield* withoutDuplicates(bodies)).filter(({ box: { min, max } }) => {
    const isBeside = max[0] < -x / 2 || min[0] > x / 2 || max[1] < -y / 2 || min[1] > y / 2;
    return !isBeside && max[2] > 0 && min[2] < topMm;
  });
}

function* withoutDuplicates(bodies: readonly SceneBody[]): Steps<SceneBody[]> {
  const first = new Map<string, SceneBody>();
  for (const [i, one] of bodies.entries()) {
    if (i > 0 && i % BODIES_PER_STEP === 0) yield;
    const key = `${poseKey(one.placed.mesh.hash, one.placed.pose)} ${one.isSupport}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}

/** The part of a box that is inside the volume in x and y. */
export function clipToVolume({ min, max }: Box, { dimensionsMm: [x, y] }: BuildVolume): Box {
  return {
    min: [Math.max(min[0], -x / 2), Math.max(min[1], -y / 2), min[2]],
    max: [Math.min(max[0], x / 2), Math.min(max[1], y / 2), max[2]],
  };
}

/** Pixels between bodies that no check of layers can bring together: a rim around each, and rounding. */
const APART_PIXELS = 5;

/** Bodies that are farther apart than this, mm, do not change each other's findings, on grids over bodies within the volume. */
export const apartMm = ({ dimensionsMm: [x, y, z] }: BuildVolume): number =>
  APART_PIXELS * overhangPixelMm({ min: [0, 0, 0], max: [x, y, z] });

/** Hulls that are compared with all others of their cluster in one step. */
const HULLS_PER_STEP = 4;

/** Clusters with more pairs of bodies are not divided; their checks are only slower. */
const MAX_PAIRS = 5000;

/**
 * The independent groups of bodies of a cluster: the hulls of different groups, seen from above, are apart. A model and its supports
 * are in one group.
 */
export function* divideCluster({ bodies, box }: BodyCluster): Steps<SceneBody[][]> {
  const gapMm = APART_PIXELS * overhangPixelMm(box);
  if ((bodies.length * (bodies.length - 1)) / 2 > MAX_PAIRS) return [[...bodies]];
  const sets = newDisjointSets(bodies.length);
  const bodyAt = (i: number): SceneBody => must(bodies[i], "A body of a cluster");
  const ofModel = Map.groupBy(bodies.keys(), (i) => bodyAt(i).model);
  for (const own of ofModel.values()) for (const i of own) sets.join(must(own[0], "A body of the model"), i);
  const hulls = bodies.map(placedHull);
  for (const [a, hull] of hulls.entries()) {
    if (a > 0 && a % HULLS_PER_STEP === 0) yield;
    for (let b = a + 1; b < hulls.length; b++) {
      if (sets.find(a) === sets.find(b)) continue;
      if (!areHullsApart(hull, must(hulls[b], "A hull"), gapMm)) sets.join(a, b);
    }
  }
  return [...Map.groupBy(bodies.keys(), (i) => sets.find(i)).values()].map((members) => members.map(bodyAt));
}

/** The hull of a body seen from above, in scene coordinates: x, y of its corners, counter-clockwise. */
function placedHull({ outline, placed: { pose } }: SceneBody): Float64Array {
  const [x, y] = pose.position;
  return outline.hullXy.map((value, at) => pose.scale * value + (at % 2 === 0 ? x : y));
}
