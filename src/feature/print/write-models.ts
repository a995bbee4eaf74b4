import { Buffer } from "node:buffer";
import { toFpsDocument } from "../../catalog/custom-print-setting.ts";
import { settingsOnWire } from "../../catalog/setting.ts";
import { must } from "../../core/must.ts";
import { runStepwise } from "../../core/steps.ts";
import { releaseArrays } from "../../core/typed-arrays.ts";
import { streamFileAtomically } from "../../core/write-file.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { type ModelFile, writeModelsArchive } from "../../printer/maker-server/models-archive.ts";
import type { PrintJobTotals } from "../../printer/printer.ts";
import { layerCount } from "../../scene/layers.ts";
import { materialUsage } from "../../scene/material-usage.ts";
import { type Scene, printedBodies } from "../../scene/project.ts";
import type { Compute } from "../../worker/compute.ts";
import { computeChunks } from "../chunk-tasks.ts";
import { estimatedPrintTime } from "../print-time/endpoint.ts";
import { commonVolumesOf } from "../slice/common-volumes.ts";
import { closedModelTask } from "./task.ts";

/**
 * Writes the job of a scene for a printer that slices by itself: each model with its supports as one closed mesh, and the settings of the
 * scene. After an error or a cancel, or if `beforeRename` throws, there is no file.
 */
export async function writeModels(
  scene: Scene,
  path: string,
  context: Compute,
  beforeRename: () => void,
): Promise<PrintJobTotals> {
  const totals = await estimatedTotals(scene, context);
  const { custom_print_setting_id: _, ...scene_settings } = settingsOnWire(scene.setting);
  const fps = scene.setting.custom && Buffer.from(`${JSON.stringify(toFpsDocument(scene.setting), undefined, 2)}\n`);
  await streamFileAtomically(
    path,
    (file) => writeModelsArchive(file, { scene_settings, fps }, modelFilesOf(scene, context)),
    beforeRename,
  );
  return totals;
}

/** Uniting a part with its supports takes 2 to 10 µs for each facet. */
const FACET_MS = 0.005;

/** The models as files, in their order; threads make a few of them at once. */
async function* modelFilesOf({ models }: Scene, context: Compute): AsyncGenerator<ModelFile> {
  const placed = ({ mesh, pose }: PlacedMesh): PlacedMesh => ({ mesh, pose });
  const facets = models.flatMap(printedBodies).reduce((sum, { mesh }) => sum + triangleCount(mesh), 0);
  const modelAt = (index: number) => must(models[index], "A model");
  const inputOf = (index: number) => {
    const { supports, ...part } = modelAt(index);
    return { input: { part: placed(part), supports: supports && placed(supports) }, index, count: models.length };
  };
  const chunks = { count: models.length, inputOf, workMs: FACET_MS * facets };
  let index = 0;
  for await (const { stl, box } of computeChunks(closedModelTask, chunks, context)) {
    const { name } = modelAt(index++);
    yield { name, stl, box: { min_corner: pointOnWire(box.min), max_corner: pointOnWire(box.max) } };
    // Without this, the files would accumulate as garbage.
    releaseArrays(stl);
  }
}

/** Not rounded, since the places of the models are compared with it. */
const pointOnWire = ([x, y, z]: Vec3) => ({ x, y, z });

/** The totals as far as they are known without slicing. */
async function estimatedTotals(scene: Scene, context: Compute): Promise<PrintJobTotals> {
  const time = await estimatedPrintTime(scene, context);
  const usage = materialUsage(scene, await commonVolumesOf(scene, context));
  return {
    printTimeS: time.totalS,
    preprintTimeS: time.preprintS,
    coolingTimeS: time.cooling?.toRemovalS,
    layerCount: await runStepwise(layerCount(scene)),
    materialMl: "volume_ml" in usage ? usage.volume_ml : usage.total_sintered_powder_ml,
  };
}
