import { checkGroup } from "../check/check-group.ts";
import { findInterferences, meshTree, nearbyPairs } from "../check/interferences.ts";
import { manifoldnessOf } from "../check/manifoldness.ts";
import { thinFeatures } from "../check/thin/thin-features.ts";
import type { Progress, TaskProgress } from "../core/progress.ts";
import type { FormDocument } from "../format/form/document.ts";
import { writeForm } from "../format/form/form-file.ts";
import { readFps, writeFps } from "../format/fps.ts";
import { type EulerDeg, rotationMatrix } from "../geometry/pose.ts";
import { solidsOf } from "../mesh/body-nesting.ts";
import { rescaleMesh } from "../mesh/canonical-mesh.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { type Outline, outlineOf } from "../mesh/outline.ts";
import { makeWellComposed } from "../mesh/voxel/surface-nets.ts";
import { orientModel } from "../orient/orient-model.ts";
import { repair } from "../repair/repair.ts";
import { splitBodies } from "../repair/solid-volume.ts";
import { commonVolumeMm3 } from "../slice/common-volume.ts";
import { prepareStack } from "../slice/stack.ts";
import { dentalModel } from "../solid/dental/dental-model.ts";
import { fillSlab } from "../solid/hollow/fill-slab.ts";
import { slabSurface } from "../solid/hollow/hollow-mesh.ts";
import { type HollowPlan, planHollow } from "../solid/hollow/hollow-plan.ts";
import { labelMesh } from "../solid/label/label-mesh.ts";
import { supportModel } from "../support/support-model.ts";
import { HOLLOW_SHARES, drillModel, hollowModel, perSlab } from "./hollow.ts";
import { importFile } from "./import-file.ts";
import { computeSilhouette, fillPlatform, layOut } from "./layout.ts";
import { openForm } from "./open-form.ts";
import { prepareFlyaround, renderFrames, renderPicture, renderThumbnails, writeAnimation } from "./render.ts";
import { rasteriseLayers } from "./slice.ts";

/** Heavy or blocking work. Input and output can be posted to another thread. */
export type Task<Input, Output> = (input: Input, progress: Progress) => Output;

/** A task that is all that its request computes, or the last of it. */
export type WholeTask<Input, Output> = (input: Input, progress: TaskProgress) => Output;

/** One of several inputs that a request has computed by the same task. Each has an equal share of the progress. */
export interface BatchItem<Input> {
  readonly input: Input;
  /** 0-based index of this item. */
  readonly index: number;
  /** Number of items. */
  readonly count: number;
}

/** The task of one item of a batch: its progress is the item's share. */
const batch =
  <Input, Output>(task: Task<Input, Output>): Task<BatchItem<Input>, Output> =>
  ({ input, index, count }, progress) =>
    task(input, progress.part(index / count, (index + 1) / count));

/** A task whose progress runs from share `from` to share `to` of that of the whole request. */
const phase =
  <Input, Output>(from: number, to: number, task: Task<Input, Output>): Task<Input, Output> =>
  (input, progress) =>
    task(input, progress.part(from, to));

/** Shares of the progress at which the phases of a request end, for requests that run several tasks in turn. */
const SHARES = {
  interferences: { pairsFound: 0.02, treesBuilt: 0.4 },
  layout: { silhouettes: 0.2 },
  slicing: { prepared: 0.05 },
  thumbnails: 0.05,
  flyaround: { prepared: 0.08 },
};

/** Everything that a worker thread can run, by name. A kernel is made available to endpoints by a row here. */
export const TASKS = {
  // Files
  importFile,
  openForm,
  saveForm: ({ file, document }: { file: string; document: FormDocument }, progress: TaskProgress) =>
    writeForm(file, document, progress),
  openFps: (file: string) => readFps(file),
  saveFps: ({ file, document }: { file: string; document: Parameters<typeof writeFps>[1] }, progress: TaskProgress) =>
    writeFps(file, document, progress),

  // Models
  computeOutlines,
  rescaleMeshes,
  repairMesh: batch(repair),
  countBodies: batch((mesh: Mesh, progress: Progress) => solidsOf(mesh, progress).count),
  splitBodies: batch(({ mesh, maxBodies }: { mesh: Mesh; maxBodies: number }, progress: Progress) =>
    splitBodies(mesh, maxBodies, progress),
  ),
  orientModel: batch(orientModel),
  supportModel: batch(supportModel),
  makeDentalModel: batch(dentalModel),
  labelModel: batch(labelMesh),
  drillModel: batch(drillModel),

  // A hollow, in this order
  planHollow: batch(phase(0, HOLLOW_SHARES.planned, planHollow)),
  fillCavity: batch(phase(HOLLOW_SHARES.planned, HOLLOW_SHARES.filled, perSlab(fillSlab))),
  composeCavity: batch(
    phase(HOLLOW_SHARES.filled, HOLLOW_SHARES.composed, ({ field }: HollowPlan, progress: Progress) =>
      makeWellComposed(field, progress),
    ),
  ),
  extractCavitySurface: batch(phase(HOLLOW_SHARES.composed, HOLLOW_SHARES.surfaced, perSlab(slabSurface))),
  hollowModel: batch(hollowModel),

  // Checks
  checkGroup,
  checkManifoldness: batch(manifoldnessOf),
  checkThinFeatures: batch(thinFeatures),
  nearbyPairs: phase(
    0,
    SHARES.interferences.pairsFound,
    ({ boxes, reachMm }: { boxes: Float64Array; reachMm: number }, progress: Progress) =>
      nearbyPairs(boxes, reachMm, progress),
  ),
  buildMeshTree: phase(0, SHARES.interferences.treesBuilt, batch(meshTree)),
  checkInterferences: phase(SHARES.interferences.treesBuilt, 1, batch(findInterferences)),

  // Layouts
  computeSilhouette: phase(0, SHARES.layout.silhouettes, batch(computeSilhouette)),
  layOut: phase(SHARES.layout.silhouettes, 1, layOut),
  fillPlatform: phase(SHARES.layout.silhouettes, 1, fillPlatform),

  // Layers
  renderThumbnails: phase(0, SHARES.thumbnails, renderThumbnails),
  commonVolume: commonVolumeMm3,
  prepareStack: phase(0, SHARES.slicing.prepared, prepareStack),
  rasteriseLayers: phase(SHARES.slicing.prepared, 1, rasteriseLayers),

  // Pictures
  renderPicture,
  prepareFlyaround: phase(0, SHARES.flyaround.prepared, prepareFlyaround),
  renderFrames: phase(SHARES.flyaround.prepared, 1, renderFrames),
  writeAnimation,
} as const satisfies Record<string, WholeTask<never, unknown>>;

export type TaskName = keyof typeof TASKS;
export type TaskInput<Name extends TaskName> = Parameters<(typeof TASKS)[Name]>[0];
export type TaskOutput<Name extends TaskName> = Awaited<ReturnType<(typeof TASKS)[Name]>>;

/** The outline of each mesh in its orientation, in the given order. */
function computeOutlines(
  inputs: readonly { readonly mesh: Mesh; readonly orientation: EulerDeg }[],
  progress: Progress,
): Outline[] {
  return inputs.map(({ mesh, orientation }, i) => {
    progress.report(i / inputs.length);
    return outlineOf(mesh, rotationMatrix(orientation));
  });
}

/** Each raw mesh scaled by its factor, in the given order. */
function rescaleMeshes(
  inputs: readonly { readonly mesh: Mesh; readonly factor: number }[],
  progress: Progress,
): Mesh[] {
  return inputs.map(({ mesh, factor }, i) =>
    rescaleMesh(mesh, factor, progress.part(i / inputs.length, (i + 1) / inputs.length)),
  );
}
