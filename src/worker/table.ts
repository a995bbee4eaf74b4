import type { Watch } from "../core/watch.ts";
import { checkCups } from "./task/check-cups.ts";
import { checkInterferences } from "./task/check-interferences.ts";
import { checkManifoldness } from "./task/check-manifoldness.ts";
import { checkMinima } from "./task/check-minima.ts";
import { checkSupportedness } from "./task/check-supportedness.ts";
import { checkThinFeatures } from "./task/check-thin-features.ts";
import { composeCavity } from "./task/compose-cavity.ts";
import { countBodies } from "./task/count-bodies.ts";
import { dentalHollow } from "./task/dental-hollow.ts";
import { drawLayers } from "./task/draw-layers.ts";
import { drillModel } from "./task/drill-model.ts";
import { fillCavity } from "./task/fill-cavity.ts";
import { fillPlatform } from "./task/fill-platform.ts";
import { findNeighbours } from "./task/find-neighbours.ts";
import { growMeshTree } from "./task/grow-mesh-tree.ts";
import { hollowModel } from "./task/hollow-model.ts";
import { importFile } from "./task/import-file.ts";
import { labelModel } from "./task/label-model.ts";
import { layOut } from "./task/lay-out.ts";
import { openForm } from "./task/open-form.ts";
import { openFps } from "./task/open-fps.ts";
import { orientModel } from "./task/orient-model.ts";
import { planHollow } from "./task/plan-hollow.ts";
import { prepareFlight } from "./task/prepare-flight.ts";
import { prepareStack } from "./task/prepare-stack.ts";
import { renderFrames } from "./task/render-frames.ts";
import { renderPicture } from "./task/render-picture.ts";
import { renderThumbnails } from "./task/render-thumbnails.ts";
import { repairMesh } from "./task/repair-mesh.ts";
import { rescaleMeshes } from "./task/rescale-meshes.ts";
import { saveForm } from "./task/save-form.ts";
import { saveFps } from "./task/save-fps.ts";
import { seeFromAbove } from "./task/see-from-above.ts";
import { splitBodies } from "./task/split-bodies.ts";
import { supportModel } from "./task/support-model.ts";
import { turnMeshes } from "./task/turn-meshes.ts";
import { wallCavity } from "./task/wall-cavity.ts";
import { writeAnimation } from "./task/write-animation.ts";

/** Heavy or blocking work: plain data in, plain data out, so it can run on any thread. */
export type Task<Input, Output> = (input: Input, watch: Watch) => Output | Promise<Output>;

/** Everything a worker can do. A new kernel is one file in `task/` and one row here. */
export const TASKS = {
  checkCups,
  checkInterferences,
  checkManifoldness,
  checkMinima,
  checkSupportedness,
  checkThinFeatures,
  composeCavity,
  countBodies,
  dentalHollow,
  drawLayers,
  drillModel,
  fillCavity,
  fillPlatform,
  findNeighbours,
  growMeshTree,
  hollowModel,
  importFile,
  labelModel,
  layOut,
  openForm,
  openFps,
  orientModel,
  planHollow,
  prepareFlight,
  prepareStack,
  renderFrames,
  renderPicture,
  renderThumbnails,
  repairMesh,
  rescaleMeshes,
  saveForm,
  saveFps,
  seeFromAbove,
  splitBodies,
  supportModel,
  turnMeshes,
  wallCavity,
  writeAnimation,
} as const satisfies Record<string, Task<never, unknown>>;

export type TaskName = keyof typeof TASKS;
export type TaskInput<Name extends TaskName> = Parameters<(typeof TASKS)[Name]>[0];
export type TaskOutput<Name extends TaskName> = Awaited<ReturnType<(typeof TASKS)[Name]>>;
