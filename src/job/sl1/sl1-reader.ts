import type { FileSource } from "../../codec/file-source.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import { UNSTATED_CYCLE, exposuresOfLayers } from "../exposures-of-layers.ts";
import type { JobExposure } from "../job-exposure.ts";
import type { JobReader, ReadJob } from "../job-reader.ts";
import { requirePixels } from "../plausible-counts.ts";
import { JobArchive, isZip } from "../zipped/job-archive.ts";
import { KeyValues } from "../zipped/key-values.ts";

/** Archives of the Prusa SL1 family, of this program and of PrusaSlicer. */
export const sl1Reader: JobReader = {
  name: "Prusa SL1",
  recognises: (head, extension) => isZip(head, extension, [".sl1", ".sl1s"]),
  open: (source: FileSource) => JobArchive.open(source, readSl1),
};

async function readSl1(archive: JobArchive): Promise<ReadJob> {
  const job = new KeyValues(await archive.text("config.ini"));
  const hasSettings = archive.has("prusaslicer.ini");
  const settings = new KeyValues(hasSettings ? await archive.text("prusaslicer.ini") : "");
  const names = archive.numberedLayers(job.text("jobDir") ?? "", 0);
  // The settings have the size of the display, which portrait pictures have turned.
  const { width, height } = await archive.pngHeader(names[0]);
  const pixels = requirePixels([width, height], archive.refuse);
  const decode = archive.layerDecoder(pixels, "GREY");
  const exposure = readExposure(job, archive.refuse);
  const { thumbnails, warnings } = await archive.pictures(
    archive.names.filter((name) => /^thumbnail\/[^/]*\.png$/.test(name)),
  );
  return {
    version: "1",
    program: job.text("prusaSlicerVersion"),
    printerName: job.text("printerModel"),
    created: readCreated(job.text("fileCreationTimestamp")),
    pixels,
    pixelMm: readPixelMm(settings),
    volumeMm: readVolumeMm(settings),
    mirrorX: settings.text("display_mirror_x") === undefined ? undefined : settings.number("display_mirror_x") === 1,
    material: job.text("materialName"),
    boundariesMm: readBoundariesMm(job, settings, names.length, archive.refuse),
    exposuresS: exposuresOfLayers(exposure, names.length),
    exposure,
    states: [],
    totals: job.numbers({ printTimeS: "printTime", materialMl: "usedMaterial" }),
    thumbnails,
    warnings,
    layer: (index) => decode(names[index]),
    close: () => archive.close(),
  };
}

/** One layer has the first exposure; `numFade` layers follow until the exposure is normal. */
function readExposure(job: KeyValues, refuse: ErrorFactory): JobExposure {
  const [normalS, firstS, fadingLayers] = ["expTime", "expTimeFirst", "numFade"].map((key) => job.number(key) ?? -1);
  if (normalS < 0 || firstS < 0 || fadingLayers < 0) {
    throw refuse(
      "config.ini inside it lacks expTime, expTimeFirst or numFade, which are 0 or more; slice the job again",
    );
  }
  return {
    firstS,
    normalS,
    firstLayers: 1,
    fadingLayers,
    firstCycle: UNSTATED_CYCLE,
    normalCycle: UNSTATED_CYCLE,
  };
}

function readBoundariesMm(job: KeyValues, settings: KeyValues, count: number, refuse: ErrorFactory): Float64Array {
  const thicknessMm = job.number("layerHeight") ?? 0;
  if (!(thicknessMm > 0)) throw refuse("config.ini inside it lacks layerHeight, above 0; slice the job again");
  const firstMm = settings.number("initial_layer_height") ?? thicknessMm;
  return Float64Array.from({ length: count + 1 }, (_, k) => (k === 0 ? 0 : firstMm + (k - 1) * thicknessMm));
}

/** Width and height of a pixel of the pictures, which portrait pictures have turned. */
function readPixelMm(settings: KeyValues): [number, number] | undefined {
  const [width, height, columns, rows] = [
    "display_width",
    "display_height",
    "display_pixels_x",
    "display_pixels_y",
  ].map((key) => settings.number(key) ?? 0);
  if (!(width > 0 && height > 0 && columns > 0 && rows > 0)) return undefined;
  const [x, y] = [width / columns, height / rows];
  return settings.text("display_orientation") === "portrait" ? [y, x] : [x, y];
}

function readVolumeMm(settings: KeyValues): [number, number, number] | undefined {
  const [width, depth, height] = ["display_width", "display_height", "max_print_height"].map(
    (key) => settings.number(key) ?? 0,
  );
  return width > 0 && depth > 0 && height > 0 ? [width, depth, height] : undefined;
}

/** Of the form `2026-11-21 at 01:19:55 UTC`. */
function readCreated(text: string | undefined): Date | undefined {
  const time = Date.parse((text ?? "").replace(" at ", "T").replace(" UTC", "Z"));
  return Number.isNaN(time) ? undefined : new Date(time);
}
