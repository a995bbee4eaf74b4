import { areHullsApart } from "../../geometry/convex-gap.ts";
import { getOrInsert } from "../../core/memoize.ts";
import { must } from "../../core/must.ts";
import { mapSteps, runStepwise } from "../../core/steps.ts";
import { type Pose, poseKey, toModelSpace } from "../../geometry/pose.ts";
import { type Vec3, add, mapVec3, subtract } from "../../geometry/vector.ts";
import type { MeshTree } from "../../mesh/bvh/interfere.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { type Mesh, triangleCount } from "../../mesh/mesh.ts";
import { type Model, type PlacedBody, type Scene, printedBodies } from "../../scene/project.ts";
import { type Compute, whileHeld } from "../../worker/compute.ts";
import type { SharedItem } from "../../worker/shared-results.ts";
import type { RequestContext } from "../../api/endpoint.ts";
import { boxesOf } from "../check/placement-endpoints.ts";
import {
  buildMeshTreeTask,
  checkInterferencesTask,
  findInterferencePlacesTask,
  nearbyPairsTask,
} from "../check/task.ts";
import { alone, keptOfMesh } from "../mesh-tasks.ts";
import type { Found } from "./gather-findings.ts";

/** Two models that overlap, or are nearer to each other than the offset of the check. */
export interface Overlap {
  readonly models: readonly [Model, Model];
  /** The middle of the largest place where they do so, in scene coordinates. */
  readonly point: Vec3;
  /** The same point in the coordinates of the raw mesh of the first. */
  readonly place: Vec3;
}

/**
 * The models that overlap, supports included. The result for two models is shared by their meshes and their relative poses: after a move of
 * one model only its own pairs are examined again.
 */
export async function overlapsOf(scene: Scene, offsetMm: number, context: RequestContext): Promise<Overlap[]> {
  const pairs = await nearPairs(scene, offsetMm, context);
  const trees = newTrees();
  const items = await runStepwise(mapSteps(pairs, (pair) => itemOf(pair, offsetMm), PAIRS_PER_STEP));
  const points = await context.computeShared((pair, compute) => pointOf(pair, trees, compute), items);
  return pairs.flatMap((models, i): Overlap[] => {
    const [x, y, z] = must(points[i], "The result of a pair");
    if (x === undefined || y === undefined || z === undefined) return [];
    const [{ mesh, pose }] = models;
    const point = add([x, y, z], pose.position);
    return [{ models, point, place: toModelSpace({ mesh, pose: { ...pose, position: [0, 0, 0] } }, [x, y, z]) }];
  });
}

/** Pairs whose keys are made in one step, in a few milliseconds. */
const PAIRS_PER_STEP = 128;

/** The findings of models that overlap. */
export async function overlapFindings(scene: Scene, offsetMm: number, context: RequestContext): Promise<Found[]> {
  const detail = offsetMm > 0 ? `nearer to each other than ${offsetMm} mm` : "";
  const overlaps = await overlapsOf(scene, offsetMm, context);
  return overlaps.map(({ models, place }) => ({ cause: "OVERLAP", models, count: 1, size: 1, place, detail }));
}

/**
 * Hulls that are farther apart than the offset by this, mm, belong to bodies that do not overlap: more than the rounding of outlines, which
 * is in single precision.
 */
const HULL_TOLERANCE_MM = 0.001;

/** The pairs of models that may overlap. The first of two has the smaller hash, so that the result does not depend on their order. */
async function nearPairs({ models }: Scene, offsetMm: number, context: RequestContext): Promise<[Model, Model][]> {
  const batches = await context.compute(nearbyPairsTask, { boxes: boxesOf(models), reachMm: offsetMm });
  const modelAt = (index: number | undefined): Model => must(models[index ?? -1], "A model of a pair");
  const near = batches.flatMap((pairs) =>
    Array.from({ length: pairs.length / 2 }, (_, i) => [modelAt(pairs[2 * i]), modelAt(pairs[2 * i + 1])] as const),
  );
  const areNear = await runStepwise(
    mapSteps(near, ([a, b]) => mayTouch(a, b, offsetMm + HULL_TOLERANCE_MM), PAIRS_PER_STEP),
  );
  return near.filter((_, i) => areNear[i]).map(([a, b]) => (a.mesh.hash <= b.mesh.hash ? [a, b] : [b, a]));
}

const mayTouch = (a: Model, b: Model, gapMm: number): boolean =>
  printedBodies(a).some((one) =>
    printedBodies(b).some((other) => !areHullsApart(placedHull(one), placedHull(other), gapMm)),
  );

/** The hull of a body seen from above, in scene coordinates. */
const placedHull = ({ outline, pose: { position, scale } }: PlacedBody): Float64Array =>
  Float64Array.from(outline.hullXy, (value, i) => scale * value + (position[i % 2] ?? 0));

/** Two models in coordinates relative to the origin of the first. */
interface RelativePair {
  readonly one: readonly PlacedMesh[];
  readonly other: readonly PlacedMesh[];
  readonly offsetMm: number;
}

function itemOf([a, b]: readonly [Model, Model], offsetMm: number): SharedItem<RelativePair> {
  const [one, other] = [a, b].map((model) =>
    printedBodies(model).map(({ mesh, pose }) => ({ mesh, pose: relativeTo(pose, a.pose) })),
  ) as [PlacedMesh[], PlacedMesh[]];
  const keys = [one, other].map((bodies) => bodies.map(({ mesh, pose }) => poseKey(mesh.hash, pose)).join(","));
  const effort = [...one, ...other].reduce((sum, { mesh }) => sum + triangleCount(mesh), 0);
  return { key: `overlap ${offsetMm} ${keys.join(";")}`, input: { one, other, offsetMm }, effort };
}

/** Differences of coordinates have rounding: they are compared in steps of a picometre. */
const STEPS_PER_MM = 1e9;

const relativeTo = (pose: Pose, { position }: Pose): Pose => ({
  ...pose,
  position: mapVec3(subtract(pose.position, position), (mm) => Math.round(mm * STEPS_PER_MM) / STEPS_PER_MM + 0),
});

/** Returns the tree of a mesh. */
type Trees = (mesh: Mesh, compute: Compute) => Promise<MeshTree>;

/** Trees that the pairs of a request share. */
function newTrees(): Trees {
  const made = new Map<string, Promise<MeshTree>>();
  const make = (mesh: Mesh, compute: Compute): Promise<MeshTree> =>
    keptOfMesh(mesh, "tree", compute, () => compute.compute(buildMeshTreeTask, alone(mesh)));
  return (mesh, compute) =>
    // The pair that began the tree may have been cancelled, while another request waits for this one.
    getOrInsert(made, mesh.hash, () => make(mesh, compute)).catch(() => make(mesh, compute));
}

/** The middle of the largest place where two models overlap; empty if they do not. */
async function pointOf({ one, other, offsetMm }: RelativePair, trees: Trees, compute: Compute): Promise<number[]> {
  const meshes = [...one, ...other].map(({ mesh }) => mesh);
  const found = await Promise.all(meshes.map((mesh) => trees(mesh, compute)));
  const byHash = new Map(meshes.map((mesh, i) => [mesh.hash, must(found[i], "The tree of a mesh")]));
  return whileHeld(found, compute, async () => {
    const models = new Map([one, other].entries());
    const asked = { models, trees: byHash, pairs: Uint32Array.of(0, 1), offsetMm };
    const pairs = await compute.compute(checkInterferencesTask, alone(asked));
    if (pairs.length === 0) return [];
    const places = await compute.compute(findInterferencePlacesTask, alone({ one, other, trees: byHash, offsetMm }));
    // Bodies that overlap have a place; where rounding hides it, the middle of the first stands for it.
    return [...(places[0]?.point ?? [0, 0, 0])];
  });
}
