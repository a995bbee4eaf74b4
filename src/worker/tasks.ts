import type { Progress, TaskProgress } from "../core/progress.ts";
import type { FormDocument } from "../format/form/document.ts";
import type { writeFps } from "../format/fps.ts";
import { type EulerDeg, rotationMatrix } from "../geometry/pose.ts";
import { rescaleMesh } from "../mesh/canonical-mesh.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { type Outline, outlineOf } from "../mesh/outline.ts";
import type { HollowPlan } from "../solid/hollow/hollow-plan.ts";
import { HOLLOW_SHARES } from "./hollow-shares.ts";
import type { Task, WholeTask } from "./task.ts";

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

/** A task whose kernel a thread loads when it first runs it. The runtime remembers what an `import()` has loaded. */
const lazy =
  <Input, Output, P extends Progress>(load: () => Promise<(input: Input, progress: P) => Output>) =>
  async (input: Input, progress: P) =>
    await (
      await load()
    )(input, progress);

/** A task whose progress runs from share `from` to share `to` of that of the whole request. */
const phase =
  <Input, Output>(from: number, to: number, task: Task<Input, Output>): Task<Input, Output> =>
  (input, progress) =>
    task(input, progress.part(from, to));

/** Shares of the progress at which the phases of a request end, for requests that run several tasks in turn. */
const SHARES = {
  sharedImport: { divided: 0.05, made: 0.4 },
  interferences: { pairsFound: 0.02, treesBuilt: 0.4 },
  layout: { silhouettes: 0.2 },
  cage: { measured: 0.2, packed: 0.8 },
  slicing: { prepared: 0.05 },
  faintBodies: 0.02,
  thumbnails: 0.05,
  flyaround: { prepared: 0.08 },
};

/** Everything that a worker thread can run, by name. A kernel is made available to endpoints by a row here. */
export const TASKS = {
  // Files
  // An import of a file that is shared, in this order
  divideFile: phase(
    0,
    SHARES.sharedImport.divided,
    lazy(async () => (await import("./import-shares.ts")).divideFile),
  ),
  makeShare: phase(
    SHARES.sharedImport.divided,
    SHARES.sharedImport.made,
    batch(lazy(async () => (await import("./import-shares.ts")).makeShare)),
  ),
  importFile: lazy(async () => (await import("./import-file.ts")).importFile),
  exportFile: lazy(async () => (await import("./export-file.ts")).exportFile),
  openForm: lazy(async () => (await import("./open-form.ts")).openForm),
  saveForm: async ({ file, document }: { file: string; document: FormDocument }, progress: TaskProgress) =>
    (await import("../format/form/form-file.ts")).writeForm(file, document, progress),
  readForm: async (file: string, progress: TaskProgress) =>
    (await import("../format/form/form-file.ts")).readForm(file, progress),
  openFps: async (file: string) => (await import("../format/fps.ts")).readFps(file),
  saveFps: async (
    { file, document }: { file: string; document: Parameters<typeof writeFps>[1] },
    progress: TaskProgress,
  ) => (await import("../format/fps.ts")).writeFps(file, document, progress),

  // Models
  computeOutlines,
  rescaleMeshes,
  repairMesh: batch(lazy(async () => (await import("../repair/repair.ts")).repair)),
  countBodies: batch(
    async (mesh: Mesh, progress: Progress) => (await import("../mesh/body-nesting.ts")).solidsOf(mesh, progress).count,
  ),
  splitBodies: batch(async ({ mesh, maxBodies }: { mesh: Mesh; maxBodies: number }, progress: Progress) =>
    (await import("../repair/solid-volume.ts")).splitBodies(mesh, maxBodies, progress),
  ),
  orientModel: batch(lazy(async () => (await import("../orient/orient-model.ts")).orientModel)),
  supportModel: batch(lazy(async () => (await import("../support/support-model.ts")).supportModel)),
  refitSupports: batch(lazy(async () => (await import("../support/refit-supports.ts")).refitSupports)),
  makeDentalModel: batch(lazy(async () => (await import("../solid/dental/dental-model.ts")).dentalModel)),
  labelModel: batch(lazy(async () => (await import("../solid/label/label-mesh.ts")).labelMesh)),
  drillModel: batch(lazy(async () => (await import("./hollow.ts")).drillModel)),

  // A hollow, in this order
  planHollow: batch(
    phase(
      0,
      HOLLOW_SHARES.planned,
      lazy(async () => (await import("../solid/hollow/hollow-plan.ts")).planHollow),
    ),
  ),
  fillCavity: batch(
    phase(
      HOLLOW_SHARES.planned,
      HOLLOW_SHARES.filled,
      lazy(async () => (await import("./hollow.ts")).fillCavitySlab),
    ),
  ),
  composeCavity: batch(
    phase(HOLLOW_SHARES.filled, HOLLOW_SHARES.composed, async ({ field }: HollowPlan, progress: Progress) =>
      (await import("../mesh/voxel/surface-nets.ts")).makeWellComposed(field, progress),
    ),
  ),
  extractCavitySurface: batch(
    phase(
      HOLLOW_SHARES.composed,
      HOLLOW_SHARES.surfaced,
      lazy(async () => (await import("./hollow.ts")).extractSlabSurface),
    ),
  ),
  hollowModel: batch(lazy(async () => (await import("./hollow.ts")).hollowModel)),

  // Checks
  checkGroup: lazy(async () => (await import("../check/check-group.ts")).checkGroup),
  checkHold: lazy(async () => (await import("../check/hold.ts")).checkHold),
  checkManifoldness: batch(lazy(async () => (await import("../check/manifoldness.ts")).manifoldnessOf)),
  findDefectPlaces: batch(lazy(async () => (await import("../check/defect-places.ts")).defectPlaces)),
  findOutsidePlaces: batch(lazy(async () => (await import("../check/outside-places.ts")).outsidePlaces)),
  checkThinFeatures: batch(lazy(async () => (await import("../check/thin/thin-features.ts")).thinFeatures)),
  nearbyPairs: phase(
    0,
    SHARES.interferences.pairsFound,
    async (
      { boxes, reachMm, chosen }: { boxes: Float64Array; reachMm: number; chosen?: Uint8Array },
      progress: Progress,
    ) => (await import("../check/interferences.ts")).nearbyPairs(boxes, reachMm, progress, chosen),
  ),
  buildMeshTree: phase(
    0,
    SHARES.interferences.treesBuilt,
    batch(lazy(async () => (await import("../check/interferences.ts")).meshTree)),
  ),
  checkInterferences: phase(
    SHARES.interferences.treesBuilt,
    1,
    batch(lazy(async () => (await import("../check/interferences.ts")).findInterferences)),
  ),
  findInterferencePlaces: phase(
    SHARES.interferences.treesBuilt,
    1,
    batch(lazy(async () => (await import("../check/interference-places.ts")).interferencePlaces)),
  ),

  // Layouts
  computeSilhouette: phase(
    0,
    SHARES.layout.silhouettes,
    batch(lazy(async () => (await import("./layout.ts")).computeSilhouette)),
  ),
  layOut: phase(
    SHARES.layout.silhouettes,
    1,
    lazy(async () => (await import("./layout.ts")).layOut),
  ),
  fillPlatform: phase(
    SHARES.layout.silhouettes,
    1,
    lazy(async () => (await import("./layout.ts")).fillPlatform),
  ),

  // A cage, in this order
  stoppedOpening: phase(
    0,
    SHARES.cage.measured,
    batch(lazy(async () => (await import("../solid/cage/passage.ts")).stoppedOpeningMm)),
  ),
  packCage: phase(
    SHARES.cage.measured,
    SHARES.cage.packed,
    batch(lazy(async () => (await import("./cage.ts")).packCage)),
  ),
  finishCage: phase(
    SHARES.cage.packed,
    1,
    lazy(async () => (await import("./cage.ts")).finishCage),
  ),
  packChamber: batch(lazy(async () => (await import("../pack/pack-chamber.ts")).packChamber)),
  fillChamber: lazy(async () => (await import("../pack/fill-chamber.ts")).fillChamber),

  // Layers
  renderThumbnails: phase(
    0,
    SHARES.thumbnails,
    lazy(async () => (await import("./render.ts")).renderThumbnails),
  ),
  commonVolume: lazy(async () => (await import("../slice/common-volume.ts")).commonVolume),
  leavesNoPixel: phase(
    0,
    SHARES.faintBodies,
    batch(lazy(async () => (await import("../slice/leaves-no-pixel.ts")).leavesNoPixel)),
  ),
  prepareStack: phase(
    0,
    SHARES.slicing.prepared,
    lazy(async () => (await import("../slice/stack.ts")).prepareStack),
  ),
  rasteriseLayers: phase(
    SHARES.slicing.prepared,
    1,
    lazy(async () => (await import("./slice.ts")).rasteriseLayers),
  ),
  clusterVertices: lazy(async () => {
    const { clusterVertices } = await import("../mesh/cluster-vertices.ts");
    return ({ mesh, maxTriangles }: { mesh: Mesh; maxTriangles: number }, progress: Progress) =>
      clusterVertices(mesh, maxTriangles, progress);
  }),
  drawLayer: lazy(async () => (await import("./slice.ts")).drawLayer),

  // Pictures
  renderPicture: lazy(async () => (await import("./render.ts")).renderPicture),
  prepareFlyaround: phase(
    0,
    SHARES.flyaround.prepared,
    lazy(async () => (await import("./render.ts")).prepareFlyaround),
  ),
  renderFrames: phase(
    SHARES.flyaround.prepared,
    1,
    lazy(async () => (await import("./render.ts")).renderFrames),
  ),
  writeAnimation: lazy(async () => (await import("./render.ts")).writeAnimation),
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
