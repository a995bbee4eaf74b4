import type { Steps } from "../core/steps.ts";
import { type Box, unionBoxes } from "../geometry/box.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { overlappingGroups } from "../geometry/overlapping-rectangles.ts";
import { poseKey } from "../geometry/pose.ts";
import type { Outline } from "../mesh/outline.ts";
import { overhangPixelMm } from "../slice/overhang-pixel.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { bodyBox } from "./placement.ts";
import { type Model, printedBodies } from "./project.ts";

/** A model of a scene, or the supports of one. */
export interface SceneBody {
  readonly placed: PlacedMesh;
  readonly outline: Outline;
  /** Around the placed body. */
  readonly box: Box;
  /** Index of the model that it is, or that it supports. */
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
  /** Without duplicates at the same place. */
  readonly bodies: readonly SceneBody[];
  /** The bounding box of the printed parts of the bodies. */
  readonly box: Box;
}

/**
 * The clusters of a scene whose layers end at `topMm`, in the order of their first bodies. Bodies less than `reachMm` apart
 * overlap. What is outside of the volume is not printed.
 */
export function* findClusters(
  bodies: readonly SceneBody[],
  topMm: number,
  volume: BuildVolume,
  reachMm: number,
): Steps<BodyCluster[]> {
  const printed = (yield* withoutDuplicates(bodies)).filter(({ box: { min, max } }) => {
    const [x, y] = volume.dimensionsMm;
    const isBeside = max[0] < -x / 2 || min[0] > x / 2 || max[1] < -y / 2 || min[1] > y / 2;
    return !isBeside && max[2] > 0 && min[2] < topMm;
  });
  const rectangles = printed.map(({ box: { min, max } }) => ({
    minX: min[0],
    minY: min[1],
    maxX: max[0],
    maxY: max[1],
  }));
  yield;
  return (yield* overlappingGroups(rectangles, reachMm)).map((members): BodyCluster => {
    const own = members.map((i) => printed[i]);
    return { bodies: own, box: clipToVolume(own.map(({ box }) => box).reduce(unionBoxes), volume) };
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

function clipToVolume({ min, max }: Box, { dimensionsMm: [x, y] }: BuildVolume): Box {
  return {
    min: [Math.max(min[0], -x / 2), Math.max(min[1], -y / 2), min[2]],
    max: [Math.min(max[0], x / 2), Math.min(max[1], y / 2), max[2]],
  };
}

/** Pixels between bodies that no check of layers can bring together: a rim around each, and rounding. */
const APART_PIXELS = 5;

/** Hulls that are compared with all others of their cluster in one step. */
const HULLS_PER_STEP = 4;

/** Clusters with more pairs of bodies are not divided, which only makes their checks slower. */
const MAX_PAIRS = 5000;

/**
 * The bodies of a cluster in groups that have nothing to do with one another: their hulls, seen from above, are apart. A
 * model and its supports are in one group.
 */
export function* divideCluster({ bodies, box }: BodyCluster): Steps<SceneBody[][]> {
  const gapMm = APART_PIXELS * overhangPixelMm(box);
  if ((bodies.length * (bodies.length - 1)) / 2 > MAX_PAIRS) return [[...bodies]];
  const sets = newDisjointSets(bodies.length);
  const ofModel = Map.groupBy(bodies.keys(), (i) => bodies[i].model);
  for (const [first, ...others] of ofModel.values()) for (const other of others) sets.join(first, other);
  const hulls = bodies.map(placedHull);
  for (let a = 0; a < bodies.length; a++) {
    if (a > 0 && a % HULLS_PER_STEP === 0) yield;
    for (let b = a + 1; b < bodies.length; b++) {
      if (sets.find(a) === sets.find(b)) continue;
      if (!areApart(hulls[a], hulls[b], gapMm) && !areApart(hulls[b], hulls[a], gapMm)) sets.join(a, b);
    }
  }
  return [...Map.groupBy(bodies.keys(), (i) => sets.find(i)).values()].map((members) => members.map((i) => bodies[i]));
}

/** The hull of a body seen from above, in scene coordinates: x, y of its corners, counter-clockwise. */
const placedHull = ({ outline, placed: { pose } }: SceneBody): Float64Array =>
  outline.hullXy.map((value, at) => pose.scale * value + pose.position[at % 2]);

/** Whether a side of the convex polygon `a` has all of `b` on its outer side, at least `gapMm` away. */
function areApart(a: Float64Array, b: Float64Array, gapMm: number): boolean {
  for (let i = 0; i < a.length; i += 2) {
    const j = (i + 2) % a.length;
    const [sideX, sideY] = [a[j] - a[i], a[j + 1] - a[i + 1]];
    const least = gapMm * Math.sqrt(sideX * sideX + sideY * sideY);
    let isOutside = least > 0;
    for (let k = 0; isOutside && k < b.length; k += 2) {
      isOutside = sideY * (b[k] - a[i]) - sideX * (b[k + 1] - a[i + 1]) >= least;
    }
    if (isOutside) return true;
  }
  return false;
}
