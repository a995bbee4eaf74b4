import { Buffer } from "node:buffer";
import { basename, extname } from "node:path";
import { entriesOf } from "../../catalog/catalog.ts";
import { profileOf } from "../../catalog/profile.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { excerpt, operationFailed } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { MM3_PER_ML } from "../../core/units.ts";
import { releaseArrays, wholeArrays } from "../../core/typed-arrays.ts";
import { type FileAppender, streamFileAtomically } from "../../core/write-file.ts";
import { isSamePitch } from "../../job/fit/fitted-runs.ts";
import { turnBetween } from "../../job/fit/turned-runs.ts";
import { JOB_WRITERS } from "../../job/job-writers.ts";
import { appendJobEnd } from "../../job/append-job-end.ts";
import type { JobFacts, JobStream, JobWriter } from "../../job/job.ts";
import { jobLosses } from "../../job/losses.ts";
import { layerImageSize } from "../../slice/pixel-grid.ts";
import type { Compute } from "../../worker/compute.ts";
import { computeChunks } from "../chunk-tasks.ts";
import type { ConversionTarget } from "./conversion-target.ts";
import type { ConvertedLayers, PictureChange } from "./convert-layers.ts";
import { type ConvertedExposure, type ExposureChanges, convertedExposure, durationS } from "./converted-exposure.ts";
import { jobGreys } from "../print/job-greys.ts";
import { chunkCount, layersOfChunk } from "./job-checks.ts";
import { greyChange, greyWarning } from "./grey-change.ts";
import { gridOfJob, machineOfJob } from "./job-place.ts";
import type { JobHead } from "./read-job.ts";
import { convertJobLayersTask, scaleThumbnailsTask } from "./task.ts";

/** Processor time of a full layer of 11520 × 5120 pixels, ms: pixel by pixel, and with other pixels. */
const LAYER_MS = { exact: 8, resampled: 12 };

export interface Conversion {
  readonly file: string;
  readonly head: JobHead;
  readonly outputFile: string;
  readonly target: ConversionTarget;
  readonly changes: ExposureChanges;
  readonly created: Date;
  /** See `ctbNotice` of `JobFacts`. */
  readonly ctbNotice: Uint8Array | undefined;
}

/** What became of a job in its conversion. */
export interface ConvertedJob {
  /** Whether each pixel is the same as before. */
  readonly isExact: boolean;
  readonly printTimeS: number;
  readonly warnings: readonly string[];
}

/**
 * Writes a job for another machine, in another format or with other exposures: completely or not at all. Throws OPERATION_FAILED if the
 * panel or the volume of the machine is too small, or its format cannot contain the job.
 */
export async function convertJob(
  { file, head, outputFile, target, changes, created, ctbNotice }: Conversion,
  context: Compute,
  beforeRename: () => void,
): Promise<ConvertedJob> {
  const writer: JobWriter = JOB_WRITERS[target.format];
  const converted = convertedExposure(head, target.type, changes);
  const pictures = pictureChangeOf(head, file, target);
  const facts = {
    ...factsOf(head, outputFile, target, converted),
    created,
    ctbNotice,
    greys: greysOf(pictures, target),
  };
  requireHeight(head, target);
  writer.requireCarriable?.(facts);
  const isSamePixels = isSamePitch(pictures.from, pictures.to);
  const { thumbnails: sizes } = writer;
  const thumbnails = await context.compute(scaleThumbnailsTask, { thumbnails: head.thumbnails, sizes });
  const printTimeS = printTimeOf(head, converted);
  const layers = computeChunks(convertJobLayersTask, chunksOf(file, head, pictures, isSamePixels), context);
  const stream = writer.stream({ ...facts, thumbnails });
  const write = async (to: FileAppender): Promise<void> => {
    const litMm3 = await writeLayers(to, stream, layers, { head, converted, pictures, target });
    await appendJobEnd(to, stream.end({ ...materialOf(head, target.type, litMm3), printTimeS }));
  };
  await streamFileAtomically(outputFile, write, beforeRename);
  const { carries, otherLosses } = writer;
  const { exposure } = converted;
  const losses = carries
    ? [...jobLosses(exposure, carries, extname(outputFile)), ...(otherLosses?.(exposure) ?? [])]
    : [];
  const resampled = isSamePixels
    ? []
    : ["The machine has pixels of another size: each has the mean of those that it covers."];
  const { greyChange: change } = pictures;
  const warnings = [...resampled, ...(change ? [greyWarning(change)] : []), ...losses];
  return { isExact: isSamePixels && change === undefined, printTimeS, warnings };
}

function factsOf(
  head: JobHead,
  outputFile: string,
  { printer }: ConversionTarget,
  { exposure }: ConvertedExposure,
): Omit<JobFacts, "created"> {
  const { boundariesMm } = head;
  const thicknessesUm = new Set(
    Array.from(boundariesMm.subarray(1), (topMm, k) => Math.round(1000 * (topMm - (boundariesMm[k] ?? 0)))),
  );
  const [onlyUm] = thicknessesUm;
  return {
    name: basename(outputFile, extname(outputFile)),
    id: newId(),
    printer,
    material: { label: head.material ?? "", code: "" },
    printSetting: "",
    shrinkageCorrection: [1, 1, 1],
    layerThicknessMm: thicknessesUm.size === 1 && onlyUm !== undefined ? onlyUm / 1000 : "ADAPTIVE",
    boundariesMm,
    exposure,
    modelNames: [],
  };
}

/** Heights in files have single precision. */
const HEIGHT_TOLERANCE_MM = 0.01;

function requireHeight({ boundariesMm }: JobHead, { printer }: ConversionTarget): void {
  const [heightMm, mostMm] = [boundariesMm.at(-1) ?? 0, printer.volumeMm[2]];
  if (heightMm <= mostMm + HEIGHT_TOLERANCE_MM) return;
  throw operationFailed(
    `The job is ${heightMm.toFixed(1)} mm high, and ${printer.label} prints ${mostMm} mm: choose a higher machine.`,
  );
}

/** The name of the table of the other machine's greys, if the job gets them. */
const greysOf = ({ greyChange: change }: PictureChange, { type }: ConversionTarget): string | undefined =>
  change?.greys && type && jobGreys(type)?.name;

function pictureChangeOf(head: JobHead, file: string, target: ConversionTarget): PictureChange {
  const { printer, format, type } = target;
  const source = gridOfJob(head);
  if (!source) {
    throw operationFailed(
      `Neither "${excerpt(file)}" nor the catalog has the size of its pixels: it can only be converted if the catalog has its machine.`,
    );
  }
  const turned = { ...source, portrait: printer.portrait };
  return {
    turn: turnBetween(source, printer),
    from: layerImageSize(turned),
    to: layerImageSize(printer),
    format,
    greyChange: greyChange(machineOfJob(head), type),
  };
}

function chunksOf(file: string, head: JobHead, change: PictureChange, isSamePixels: boolean) {
  const layerCount = head.exposuresS.length;
  const count = chunkCount(layerCount);
  const sumsLight = head.totals.materialMl === undefined;
  return {
    count,
    workMs: layerCount * (isSamePixels ? LAYER_MS.exact : LAYER_MS.resampled),
    inputOf(index: number) {
      const [first, end] = layersOfChunk(index, layerCount);
      return { input: { ...change, file, layerCount, sumsLight, first, end }, index, count };
    },
  };
}

/** The print time that the file states, unless its exposures change; otherwise that of its layers. */
function printTimeOf({ totals, exposure, exposuresS }: JobHead, converted: ConvertedExposure): number {
  const before = exposure ? durationS({ exposure, exposuresS }) : undefined;
  const now = durationS(converted);
  const isSame = before !== undefined && Math.abs(before - now) < 0.5;
  return isSame ? (totals.printTimeS ?? now) : now;
}

/** The resin that the file states; otherwise that of its layers. */
function materialOf({ totals }: JobHead, type: PrinterType | undefined, litMm3: number) {
  const [setting] = type ? entriesOf(type) : [];
  const { materialMl = litMm3 / MM3_PER_ML } = totals;
  const { materialG = materialMl * (setting ? profileOf(setting).densityGPerMl : 1) } = totals;
  return { materialMl, materialG };
}

/** What the layers of a conversion depend on. */
interface LayerFacts {
  readonly head: JobHead;
  readonly converted: ConvertedExposure;
  readonly pictures: PictureChange;
  readonly target: ConversionTarget;
}

/** Writes the layers, and returns their volume in mm³; 0 if their light is not summed. */
async function writeLayers(
  file: FileAppender,
  stream: JobStream,
  chunks: AsyncIterable<ConvertedLayers>,
  { head: { boundariesMm }, converted: { exposuresS }, pictures: { from }, target: { printer } }: LayerFacts,
): Promise<number> {
  const pixelMm2 = from.pixelMm[0] * from.pixelMm[1];
  let litMm3 = 0;
  await file.append(Buffer.concat([...stream.begin()]));
  for await (const { first, encoded, valueSums, cut } of chunks) {
    if (cut) {
      throw operationFailed(
        `The panel of ${printer.label} is too small: it would cut ${cut.pixels} lit pixels of layer ${cut.layer}. Choose a larger machine.`,
      );
    }
    for (const [k, layer] of encoded.entries()) {
      const index = first + k;
      litMm3 += ((valueSums[k] ?? 0) / 255) * pixelMm2 * (boundariesMm[index + 1]! - boundariesMm[index]!);
      const bytes = Buffer.concat([...stream.layer(index, layer, exposuresS[index] ?? 0)]);
      await file.append(bytes);
      // Without this, the layers would accumulate as tens of megabytes of garbage.
      releaseArrays(...wholeArrays([bytes, layer]));
    }
  }
  return litMm3;
}
