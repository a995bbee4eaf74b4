import { areHullsApart } from "../../geometry/convex-gap.ts";
import { getOrInsert } from "../../core/memoize.ts";
import { must } from "../../core/must.ts";
import { paired } from "../../core/paired.ts";
import { mapSteps, runStepwise } from "../../core/steps.ts";
import { type Pose, poseKey, toModelSpace } from "../../geometry/pose.ts";
import { type Vec3, add, mapVec3, subtract } from "../../geometry/vector.ts";
import type { MeshTree } from "../../mesh/bvh/interfere.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { type Mesh, triangleCount } from "../../mesh/mesh.ts";
import { apartMm } from "../../scene/body-clusters.ts";
import { type Model, type PlacedBody, type Scene, printedBodies } from "../../scene/project.ts";
import { type Compute, whileHeld } from "../../worker/compute.ts";
import type { SharedItem } from "../../worker/shared-results.ts";
import type { RequestContext } from "../../api/endpoint.ts";
import { boxesOf } from "../check/placement-endpoints.ts";
import { checkInterferencesTask, findInterferencePlacesTask, nearbyPairsTask } from "../check/task.ts";
import { keptMeshTree } from "../kept-of-mesh.ts";
import { alone } from "../mesh-tasks.ts";
import type { Found } from "./causes.ts";

/** Two models that overlap, or are nearer to each other than the offset of the check. */
export interface Overlap {
  readonly models: readonly [Model, Model];
  /** The middle of the largest place where they do so, in scene coordinates. */
  readonly point: Vec3;
  /** The same point in the coordinates of the raw mesh of the first. */
  readonly place: Vec3;
}

/** The models that overlap, supports included. */
export async function overlapsOf(scene: Scene, offsetMm: number, context: RequestContext): Promise<Overlap[]> {
  return (await closePairs(scene, offsetMm, context)).flatMap(({ models, point }): Overlap[] => {
    if (!point) return [];
    const [{ mesh, pose }] = models;
    const place = toModelSpace({ mesh, pose: { ...pose, position: [0, 0, 0] } }, point);
    return [{ models, point: add(point, pose.position), place }];
  });
}

/** Two models, supports included, that are so near to each other that they are checked together. */
export interface ClosePair {
  readonly models: readonly [Model, Model];
  /** The middle of the largest place where they overlap, relative to the first; absent if they do not. */
  readonly point?: Vec3 | undefined;
}

/**
 * The models that overlap or are less than {@link apartMm} from each other. The result for two models is shared by their meshes and their
 * relative poses: after a move of one model only its own pairs are examined.
 */
export async function closePairs(scene: Scene, offsetMm: number, context: RequestContext): Promise<ClosePair[]> {
  const reachMm = Math.max(offsetMm, apartMm(scene.setting.printerType.volume));
  const pairs = await nearPairs(scene, reachMm, context);
  const trees = newTrees();
  const items = await runStepwise(mapSteps(pairs, (pair) => itemOf(pair, { offsetMm, reachMm }), PAIRS_PER_STEP));
  const contacts = await context.computeShared((pair, compute) => contactOf(pair, trees, compute), items);
  return paired(pairs, contacts).flatMap(([models, { isClose, point }]) => (isClose ? [{ models, point }] : []));
}

/** Pairs whose keys are made in one step, in a few milliseconds. */
const PAIRS_PER_STEP = 128;

/** The findings of models that overlap. */
export async function overlapFindings(scene: Scene, offsetMm: number, context: RequestContext): Promise<Found[]> {
  const detail = offsetMm > 0 ? `nearer to each other than ${offsetMm} mm` : "";
  const overlaps = await overlapsOf(scene, offsetMm, context);
  return overlaps.map(({ models, place }) => ({
    cause: "OVERLAP",
    models,
    count: 1,
    size: 1,
    places: [place],
    detail,
  }));
}

/**
 * Hulls that are farther apart than the reach by this, mm, belong to bodies that are not close: more than the rounding of outlines, which
 * is in single precision.
 */
const HULL_TOLERANCE_MM = 0.001;

/** The pairs of models that may be nearer to each other than the reach. The first of two has the smaller hash, so that the result does not depend on their order. */
async function nearPairs({ models }: Scene, reachMm: number, context: RequestContext): Promise<[Model, Model][]> {
  const batches = await context.compute(nearbyPairsTask, { boxes: boxesOf(models), reachMm });
  const modelAt = (index: number | undefined): Model => must(models[index ?? -1], "A model of a pair");
  const near = batches.flatMap((pairs) =>
    Array.from({ length: pairs.length / 2 }, (_, i) => [modelAt(pairs[2 * i]), modelAt(pairs[2 * i + 1])] as const),
  );
  const areNear = await runStepwise(
    mapSteps(near, ([a, b]) => mayTouch(a, b, reachMm + HULL_TOLERANCE_MM), PAIRS_PER_STEP),
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
interface RelativePair extends Distances {
  readonly one: readonly PlacedMesh[];
  readonly other: readonly PlacedMesh[];
}

interface Distances {
  /** Models nearer to each other than this overlap, mm. */
  readonly offsetMm: number;
  /** Models nearer to each other than this are close, mm. At least the offset. */
  readonly reachMm: number;
}

function itemOf([a, b]: readonly [Model, Model], distances: Distances): SharedItem<RelativePair> {
  const [one, other] = [a, b].map((model) =>
    printedBodies(model).map(({ mesh, pose }) => ({ mesh, pose: relativeTo(pose, a.pose) })),
  ) as [PlacedMesh[], PlacedMesh[]];
  const keys = [one, other].map((bodies) => bodies.map(({ mesh, pose }) => poseKey(mesh.hash, pose)).join(","));
  const effort = [...one, ...other].reduce((sum, { mesh }) => sum + triangleCount(mesh), 0);
  const { offsetMm, reachMm } = distances;
  return { key: `close ${offsetMm} ${reachMm} ${keys.join(";")}`, input: { one, other, ...distances }, effort };
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
  return (mesh, compute) =>
    // The pair that began the tree may have been cancelled, while another request waits for this one.
    getOrInsert(made, mesh.hash, () => keptMeshTree(mesh, compute)).catch(() => keptMeshTree(mesh, compute));
}

interface Contact {
  readonly isClose: boolean;
  /** As in {@link ClosePair}. */
  readonly point?: Vec3;
}

async function contactOf(
  { one, other, offsetMm, reachMm }: RelativePair,
  trees: Trees,
  compute: Compute,
): Promise<Contact> {
  const meshes = [...one, ...other].map(({ mesh }) => mesh);
  const found = await Promise.all(meshes.map((mesh) => trees(mesh, compute)));
  const byHash = new Map(meshes.map((mesh, i) => [mesh.hash, must(found[i], "The tree of a mesh")]));
  return whileHeld(found, compute, async () => {
    const models = new Map([one, other].entries());
    const areWithin = async (mm: number): Promise<boolean> => {
      const asked = { models, trees: byHash, pairs: Uint32Array.of(0, 1), offsetMm: mm };
      return (await compute.compute(checkInterferencesTask, alone(asked))).length > 0;
    };
    if (!(await areWithin(reachMm))) return { isClose: false };
    if (!(await areWithin(offsetMm))) return { isClose: true };
    const places = await compute.compute(findInterferencePlacesTask, alone({ one, other, trees: byHash, offsetMm }));
    // Bodies that overlap have a place; where rounding hides it, the middle of the first stands for it.
    return { isClose: true, point: places[0]?.point ?? [0, 0, 0] };
  });
}
