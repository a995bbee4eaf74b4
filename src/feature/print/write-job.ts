import { Buffer } from "node:buffer";
import { materialOf } from "../../catalog/catalog.ts";
import type { Profile } from "../../catalog/profile-types.ts";
import { profileOf } from "../../catalog/profile.ts";
import type { Setting } from "../../catalog/setting.ts";
import { statedFactors } from "../../catalog/shrink-factors.ts";
import { runStepwise } from "../../core/steps.ts";
import { releaseArrays, wholeArrays } from "../../core/typed-arrays.ts";
import { MM3_PER_ML } from "../../core/units.ts";
import { type FileAppender, streamFileAtomically } from "../../core/write-file.ts";
import { must } from "../../core/must.ts";
import { JOB_WRITERS } from "../../job/job-writers.ts";
import { appendJobEnd } from "../../job/append-job-end.ts";
import type { JobFacts, JobStream, JobThumbnail, JobWriter } from "../../job/job.ts";
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
import { type LayerDrawing, emptyMeasures, recordMeasures, sliceLayers } from "../slice/slice-layers.ts";
import { compensationName } from "./job-compensation.ts";
import { greysName, hasGreys, settingGreys } from "./job-greys.ts";
import { jobExposureOf } from "./exposure-of-profile.ts";
import { renderThumbnailsTask } from "../render/task.ts";

/** What a request says of its job. */
export interface JobRequest extends Pick<JobFacts, "id" | "name" | "created" | "ctbNotice"> {
  readonly drawing?: LayerDrawing | undefined;
}

/**
 * Slices a scene and writes the job archive of its printer to `path`. The first layers are made at the same time as the thumbnails, which
 * precede them in the file. After an error or a cancel, or if `beforeRename` throws, there is no file.
 */
export async function writeJob(
  scene: Scene,
  { drawing = {}, ...job }: JobRequest,
  path: string,
  context: Compute,
  beforeRename: () => void,
): Promise<PrintJobTotals> {
  const { setting, models } = scene;
  const { printerType } = setting;
  const boundariesMm = await runStepwise(printedBoundariesOf(scene));
  const greys = settingGreys(setting);
  const facts = {
    ...jobFactsOf(setting, { ...job, boundariesMm, modelNames: models.map(({ name }) => name) }),
    greys: greysName(scene, drawing),
    compensation: compensationName(setting),
  };
  requireCarriable(setting, facts);
  const pictured = await runStepwise(renderSceneOf(scene, models));
  const chunks = sliceLayers(scene, context, {
    format: printerType.job,
    greys,
    ...drawing,
    byVolume: drawing.byVolume === true && hasGreys(printerType),
  });
  const thumbnails = (sizes: JobWriter["thumbnails"]): Promise<readonly JobThumbnail[]> =>
    context.compute(renderThumbnailsTask, { scene: pictured, sizes });
  return writeJobOf({ setting, facts, chunks, thumbnails }, path, beforeRename);
}

/** A job whose layers are made while it is written. */
export interface JobContent {
  readonly setting: Setting;
  readonly facts: JobFacts;
  /** In their order. */
  readonly chunks: AsyncIterableIterator<RasterisedLayers>;
  readonly thumbnails: (sizes: JobWriter["thumbnails"]) => Promise<readonly JobThumbnail[]>;
}

/** Throws OPERATION_FAILED if the format of the machine cannot carry a job. Called before any layer is made. */
export const requireCarriable = ({ printerType }: Setting, facts: JobFacts): void => {
  const writer: JobWriter = JOB_WRITERS[printerType.job];
  writer.requireCarriable?.(facts);
};

/** Writes the archive of a job to `path`, all or nothing, as {@link writeJob} does. */
export async function writeJobOf(
  { setting, facts, chunks, thumbnails }: JobContent,
  path: string,
  beforeRename: () => void,
): Promise<PrintJobTotals> {
  const writer: JobWriter = JOB_WRITERS[setting.printerType.job];
  try {
    const stream = writer.stream({ ...facts, thumbnails: await thumbnails(writer.thumbnails) });
    return await streamFileAtomically(
      path,
      (file) => writeStream(file, stream, chunks, emptyMeasures(facts.boundariesMm), profileOf(setting)),
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

/** The data of a job, without its layers and pictures. */
export function jobFactsOf(
  setting: Setting,
  job: Pick<JobFacts, "id" | "name" | "created" | "ctbNotice" | "boundariesMm" | "modelNames">,
): JobFacts {
  const { printerType, combination } = setting;
  const { volume, raster } = printerType;
  const { label, code } = materialOf(setting);
  const profile = profileOf(setting);
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
    shrinkageCorrection: statedFactors(setting),
    layerThicknessMm: combination.layerThicknessMm,
    ...(profile.family === "resin" && { exposure: jobExposureOf(profile, job.boundariesMm) }),
  };
}
