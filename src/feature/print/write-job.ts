import { Buffer } from "node:buffer";
import { materialOf } from "../../catalog/catalog.ts";
import type { Profile } from "../../catalog/profile-types.ts";
import { profileOf } from "../../catalog/profile.ts";
import { statedFactors } from "../../catalog/shrink-factors.ts";
import { runStepwise } from "../../core/steps.ts";
import { releaseArrays, wholeArrays } from "../../core/typed-arrays.ts";
import { MM3_PER_ML } from "../../core/units.ts";
import { type FileAppender, streamFileAtomically } from "../../core/write-file.ts";
import { must } from "../../core/must.ts";
import { JOB_WRITERS } from "../../job/job-writers.ts";
import { appendJobEnd } from "../../job/append-job-end.ts";
import type { JobFacts, JobStream, JobWriter } from "../../job/job.ts";
import type { PrintJobTotals } from "../../printer/printer.ts";
import { printedBoundariesOf } from "../../scene/layers.ts";
import type { Scene } from "../../scene/project.ts";
import {
  type LayerMeasures,
  measuredLayerCount,
  layerExposureS,
  measureOfLayer,
  printTime,
} from "../../slice/print-time.ts";
import type { Compute } from "../../worker/compute.ts";
import { renderSceneOf } from "../render/endpoint.ts";
import type { RasterisedLayers } from "../slice/rasterise-layers.ts";
import { emptyMeasures, recordMeasures, sliceLayers } from "../slice/slice-layers.ts";
import { compensationName } from "./job-compensation.ts";
import { greysName, jobGreys } from "./job-greys.ts";
import { jobExposureOf } from "./exposure-of-profile.ts";
import { renderThumbnailsTask } from "../render/task.ts";

/** What a request says of its job. */
export interface JobRequest extends Pick<JobFacts, "id" | "name" | "ctbNotice"> {
  /** Whether pixels that only supports cover are white or black. */
  readonly supportsWithoutGrey?: boolean | undefined;
}

/**
 * Slices a scene and writes the job archive of its printer to `path`. The first layers are made at the same time as the thumbnails, which
 * precede them in the file. After an error or a cancel, or if `beforeRename` throws, there is no file.
 */
export async function writeJob(
  scene: Scene,
  { supportsWithoutGrey, ...job }: JobRequest,
  path: string,
  context: Compute,
  beforeRename: () => void,
): Promise<PrintJobTotals> {
  const { printerType } = scene.setting;
  const writer: JobWriter = JOB_WRITERS[printerType.job];
  const boundariesMm = await runStepwise(printedBoundariesOf(scene));
  const greys = jobGreys(printerType);
  const facts = {
    ...jobFactsOf(scene, { ...job, boundariesMm, created: new Date() }),
    greys: greysName(scene, supportsWithoutGrey),
    compensation: compensationName(scene.setting),
  };
  writer.requireCarriable?.(facts);
  const pictured = await runStepwise(renderSceneOf(scene, scene.models));
  const chunks = sliceLayers(scene, context, {
    format: printerType.job,
    greys,
    supportsWithoutGrey,
  });
  try {
    const thumbnails = await context.compute(renderThumbnailsTask, { scene: pictured, sizes: writer.thumbnails });
    const stream = writer.stream({ ...facts, thumbnails });
    return await streamFileAtomically(
      path,
      (file) => writeStream(file, stream, chunks, emptyMeasures(boundariesMm), profileOf(scene.setting)),
      beforeRename,
    );
  } finally {
    // After an error, no further layers are made.
    void chunks.return?.();
  }
}

/** Writes the bytes that the stream makes of chunks of layers, one after the other. */
async function writeStream(
  file: FileAppender,
  stream: JobStream,
  chunks: AsyncIterable<RasterisedLayers>,
  measures: LayerMeasures,
  profile: Profile,
): Promise<PrintJobTotals> {
  const exposureS = (index: number): number =>
    profile.family === "resin" ? layerExposureS(profile, index, measureOfLayer(measures, index)) : 0;
  await file.append(Buffer.concat([...stream.begin()]));
  for await (const layers of chunks) {
    recordMeasures(measures, layers);
    for (const [i, layer] of layers.encoded.entries()) {
      const index = layers.first + i;
      const bytes = Buffer.concat([...stream.layer(index, layer, exposureS(index))]);
      await file.append(bytes);
      // Without this, the layers would accumulate as tens of megabytes of garbage.
      releaseArrays(...wholeArrays([bytes, layer]));
    }
  }
  const time = printTime(profile, measures);
  const materialMl = materialMlOf(measures);
  const materialG = materialMl * profile.densityGPerMl;
  await appendJobEnd(file, stream.end({ printTimeS: time.totalS, materialMl, materialG }));
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

/** The data of a scene's job, without its layers and pictures. */
function jobFactsOf(
  scene: Scene,
  job: Pick<JobFacts, "id" | "name" | "ctbNotice" | "created" | "boundariesMm">,
): JobFacts {
  const { printerType, combination } = scene.setting;
  const { volume, raster } = printerType;
  const { label, code } = materialOf(scene.setting);
  const profile = profileOf(scene.setting);
  return {
    ...job,
    printer: {
      label: printerType.label,
      nameInJobs: printerType.nameInJobs,
      maxVersion: printerType.jobMaxVersion,
      machineType: printerType.machineType,
      volumeMm: volume.dimensionsMm,
      pixels: raster.pixels,
      pixelMm: raster.pixelMm,
      mirrorX: raster.mirrorX,
      mirrorY: raster.mirrorY,
      portrait: raster.portrait,
    },
    material: { label, code },
    printSetting: combination.printSetting,
    shrinkageCorrection: statedFactors(scene.setting),
    layerThicknessMm: combination.layerThicknessMm,
    ...(profile.family === "resin" && { exposure: jobExposureOf(profile, job.boundariesMm) }),
    modelNames: scene.models.map(({ name }) => name),
  };
}
