import { Buffer } from "node:buffer";
import { materialOf } from "../../catalog/catalog.ts";
import type { ResinProfile } from "../../catalog/profile-types.ts";
import { profileOf } from "../../catalog/profile.ts";
import { runStepwise } from "../../core/steps.ts";
import { releaseArrays, wholeArrays } from "../../core/typed-arrays.ts";
import { MM3_PER_ML } from "../../core/units.ts";
import { type FileAppender, streamFileAtomically } from "../../core/write-file.ts";
import { must } from "../../core/must.ts";
import { JOB_WRITERS } from "../../job/job-writers.ts";
import type { JobExposure, JobMetadata, JobStream, JobWriter } from "../../job/job.ts";
import type { PrintJobTotals } from "../../printer/printer.ts";
import { layerBoundariesOf } from "../../scene/layers.ts";
import type { Scene } from "../../scene/project.ts";
import {
  type LayerMeasures,
  measuredLayerCount,
  layerExposureS,
  measureOfLayer,
  printTime,
} from "../../slice/print-time.ts";
import type { RequestContext } from "../../api/endpoint.ts";
import { renderSceneOf } from "../render/endpoint.ts";
import { emptyMeasures, recordMeasures, sliceLayers } from "../slice/slice-layers.ts";
import { renderThumbnailsTask } from "../render/task.ts";

/**
 * Slices a scene and writes the job archive of its printer to `path`. After an error or a cancel, or if `beforeRename` throws, there
 * is no file.
 */
export async function writeJob(
  scene: Scene,
  job: Pick<JobMetadata, "id" | "name">,
  path: string,
  context: RequestContext,
  beforeRename: () => void,
): Promise<PrintJobTotals> {
  const writer: JobWriter = JOB_WRITERS[scene.setting.printerType.job];
  const thumbnails = await context.compute(renderThumbnailsTask, {
    scene: await runStepwise(renderSceneOf(scene, scene.models)),
    sizes: writer.thumbnails,
  });
  const boundariesMm = await runStepwise(layerBoundariesOf(scene));
  const metadata = jobMetadataOf(scene, { ...job, boundariesMm, created: new Date(), thumbnails });
  const stream = writer.stream(metadata);
  return streamFileAtomically(
    path,
    (file) => writeStream(file, stream, emptyMeasures(boundariesMm), scene, context),
    beforeRename,
  );
}

/** Writes the chunks that the stream makes of the scene's layers, one after the other. */
async function writeStream(
  file: FileAppender,
  stream: JobStream,
  measures: LayerMeasures,
  scene: Scene,
  context: RequestContext,
): Promise<PrintJobTotals> {
  const profile = profileOf(scene.setting);
  const exposureS = (index: number): number =>
    profile.family === "resin" ? layerExposureS(profile, index, measureOfLayer(measures, index)) : 0;
  await file.append(Buffer.concat([...stream.begin()]));
  for await (const layers of sliceLayers(scene, context, scene.setting.printerType.job)) {
    recordMeasures(measures, layers);
    const chunks = layers.encoded.flatMap((layer, i) => {
      const index = layers.first + i;
      return [...stream.layer(index, layer, exposureS(index))];
    });
    const bytes = Buffer.concat(chunks);
    await file.append(bytes);
    // Without this, the layers would accumulate as tens of megabytes of garbage.
    releaseArrays(...wholeArrays([bytes, layers.encoded]));
  }
  const time = printTime(profile, measures);
  const materialMl = materialMlOf(measures);
  const materialG = materialMl * profile.densityGPerMl;
  const { chunks, head } = stream.end({ printTimeS: time.totalS, materialMl, materialG });
  await file.append(Buffer.concat([...chunks]));
  if (head) await file.overwriteHead(head);
  return {
    printTimeS: time.totalS,
    preprintTimeS: time.preprintS,
    coolingTimeS: time.cooling?.toRemovalS,
    layerCount: measuredLayerCount(measures),
    materialMl,
  };
}

/** Volume of the layers, in which overlapping models count once. */
function materialMlOf({ boundariesMm, areasMm2 }: LayerMeasures): number {
  const boundaryMm = (k: number): number => must(boundariesMm[k], "A boundary of a layer");
  return areasMm2.reduce((sum, areaMm2, k) => sum + areaMm2 * (boundaryMm(k + 1) - boundaryMm(k)), 0) / MM3_PER_ML;
}

/** The data of a scene's job, without its layers. */
function jobMetadataOf(
  scene: Scene,
  job: Pick<JobMetadata, "id" | "name" | "created" | "thumbnails" | "boundariesMm">,
): JobMetadata {
  const { printerType, combination } = scene.setting;
  const { volume, raster } = printerType;
  const { label, code } = materialOf(scene.setting);
  const profile = profileOf(scene.setting);
  return {
    ...job,
    printer: {
      label: printerType.label,
      nameInJobs: printerType.nameInJobs,
      machineType: printerType.machineType,
      volumeMm: volume.dimensionsMm,
      pixels: raster.pixels,
      pixelMm: raster.pixelMm,
      mirrorX: raster.mirrorX,
      portrait: raster.portrait,
      tiltingVat: printerType.tiltingVat,
    },
    material: { label, code },
    printSetting: combination.printSetting,
    shrinkageCorrection: [profile.correction.x, profile.correction.y, profile.correction.z],
    layerThicknessMm: combination.layerThicknessMm,
    ...(profile.family === "resin" && { exposure: exposureOf(profile, job.boundariesMm) }),
    modelNames: scene.models.map(({ name }) => name),
  };
}

function exposureOf(profile: ResinProfile, boundariesMm: Float64Array): JobExposure {
  const { timeS } = profile;
  const { count, fade } = profile.firstLayers;
  const plain = { thicknessMm: boundariesMm[1] ?? 0, areaMm2: 0, perimeterMm: 0 };
  return {
    firstS: layerExposureS(profile, 0, plain),
    normalS: layerExposureS(profile, count + fade, plain),
    // If the exposure fades from the bottom on, the bottom layer is the first one: the steps from it are the same.
    firstLayers: Math.max(1, count),
    fadingLayers: count > 0 ? fade : Math.max(0, fade - 1),
    waitBeforeLiftS: timeS.postExposureWait,
    liftS: timeS.separation,
    retractS: timeS.travel,
    waitAfterRetractS: timeS.wait,
  };
}
