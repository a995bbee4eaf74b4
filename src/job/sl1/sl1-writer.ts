import { VERSION } from "../../core/version.ts";
import { type PackedContent, ZipWriter } from "../../codec/zip-writer.ts";
import {
  type JobMetadata,
  type JobStream,
  type JobTotals,
  type JobWriter,
  fadedLayers,
  jobLayerCount,
  meanThicknessMm,
} from "../job.ts";
import { plainName } from "../plain-name.ts";

const THUMBNAILS = [
  { width: 400, height: 400 },
  { width: 800, height: 480 },
] as const;

/** Writes archives of the Prusa SL1 family: a zip of PNG layers and settings. A machine accepts only archives with its own extension. */
export const sl1Writer: JobWriter<PackedContent> = {
  greyLevels: 256,
  thumbnails: THUMBNAILS,
  stream: sl1Stream,
};

function sl1Stream(job: JobMetadata): JobStream<PackedContent> {
  const zip = new ZipWriter();
  const jobDir = plainName(job.name);
  const addText = (name: string, text: string) =>
    zip.add({ name, pieces: [new TextEncoder().encode(text)], compress: true });
  return {
    *begin() {
      for (const { width, height, png } of job.thumbnails) {
        yield* zip.add({ name: `thumbnail/thumbnail${width}x${height}.png`, pieces: png });
      }
    },
    layer: (index, layer) => zip.addPacked(`${jobDir}${String(index).padStart(5, "0")}.png`, layer),
    end: (totals) => ({
      chunks: (function* () {
        yield* addText("config.ini", ini(jobIni(job, totals, jobDir)));
        yield* addText("prusaslicer.ini", ini(settingsIni(job)));
        yield* zip.end();
      })(),
    }),
  };
}

/** Content of `config.ini`, for the printer. Keys and units are those of PrusaSlicer's SL1 archives. */
function jobIni(job: JobMetadata, { printTimeS, materialMl }: JobTotals, jobDir: string) {
  const { exposure } = job;
  return {
    action: "print",
    expTime: exposure?.normalS ?? 0,
    expTimeFirst: exposure?.firstS ?? 0,
    expUserProfile: 0,
    fileCreationTimestamp: timestamp(job.created),
    hollow: 0,
    jobDir,
    layerHeight: meanThicknessMm(job),
    materialName: job.material.label,
    numFade: fadedLayers(job),
    // Layers after which the vat tilts fast. Large layers need a slow tilt, which the machine chooses itself.
    numFast: jobLayerCount(job),
    numSlow: 0,
    printProfile: job.printSetting,
    printTime: printTimeS,
    printerModel: job.printer.nameInJobs,
    printerProfile: job.printer.label,
    printerVariant: "default",
    prusaSlicerVersion: `Printwright ${VERSION}`,
    usedMaterial: materialMl,
  };
}

/** Format `2026-11-21 at 01:19:55 UTC`. */
const timestamp = (date: Date): string => date.toISOString().replace(/T(.{8}).*/, " at $1 UTC");

/** Content of `prusaslicer.ini`, from which programs that open the job take the display and the layers. */
function settingsIni(job: JobMetadata) {
  const { printer, exposure, boundariesMm } = job;
  const [columns, rows] = printer.pixels;
  const [width, depth] = [columns * printer.pixelMm[0], rows * printer.pixelMm[1]].map(rounded);
  return {
    bed_shape: `0x0,${width}x0,${width}x${depth},0x${depth}`,
    display_height: depth,
    display_mirror_x: printer.mirrorX ? 1 : 0,
    display_mirror_y: printer.mirrorY ? 1 : 0,
    display_orientation: printer.portrait ? "portrait" : "landscape",
    display_pixels_x: columns,
    display_pixels_y: rows,
    display_width: width,
    exposure_time: exposure?.normalS ?? 0,
    faded_layers: fadedLayers(job),
    initial_exposure_time: exposure?.firstS ?? 0,
    initial_layer_height: jobLayerCount(job) > 0 ? rounded(boundariesMm[1] - boundariesMm[0]) : meanThicknessMm(job),
    layer_height: meanThicknessMm(job),
    max_print_height: printer.volumeMm[2],
    printer_model: printer.nameInJobs,
    printer_technology: "SLA",
    printer_variant: "default",
    ...(job.greys !== undefined && { printwright_greys: job.greys }),
    ...(job.compensation !== undefined && { printwright_compensation: job.compensation }),
  };
}

/** Rounds to the nanometre, which removes the rounding errors of products. */
const rounded = (mm: number): number => Math.round(mm * 1e6) / 1e6;

/** Settings as lines `key = value`. Control characters, including line breaks, become spaces. */
const ini = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([key, value]) => `${key} = ${String(value).replaceAll(/\p{Cc}/gu, " ")}\n`)
    .join("");
