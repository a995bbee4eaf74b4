import * as v from "valibot";
import type { ErrorFactory } from "../../core/api-error.ts";
import { UNSTATED_CYCLE, exposuresOfLayers } from "../exposures-of-layers.ts";
import type { JobCycle, JobExposure } from "../job-exposure.ts";
import type { JobReader, ReadJob } from "../job-reader.ts";
import { requirePixels } from "../plausible-counts.ts";
import { CARRIED } from "./nanodlp-writer.ts";
import { JobArchive, isZip } from "../zipped/job-archive.ts";

/** Archives for NanoDLP, of this and of other programs. */
export const nanodlpReader: JobReader = {
  name: "NanoDLP",
  recognises: (head, extension) => isZip(head, extension, [".nanodlp"]),
  open: (source) => JobArchive.open(source, readNanodlp),
};

const number = v.pipe(v.number(), v.finite());
const time = v.optional(v.pipe(number, v.minValue(0)), 0);
const count = v.optional(v.pipe(number, v.integer(), v.minValue(0)), 0);

const metaSchema = v.object({ Program: v.optional(v.string()), Version: v.optional(v.string()) });

const plateSchema = v.object({
  CreatedDate: v.optional(number),
  PrintTime: v.optional(number),
  LayersCount: v.optional(number),
});

const profileSchema = v.object({
  Title: v.optional(v.string()),
  /** µm. */
  Depth: v.pipe(number, v.gtValue(0)),
  SupportDepth: v.optional(v.pipe(number, v.gtValue(0))),
  CureTime: v.pipe(number, v.minValue(0)),
  SupportCureTime: v.optional(v.pipe(number, v.minValue(0))),
  SupportLayerNumber: count,
  TransitionalLayer: count,
  WaitBeforePrint: time,
  SupportWaitBeforePrint: time,
  WaitAfterPrint: time,
  SupportWaitAfterPrint: time,
  TopWait: time,
  SupportTopWait: time,
  CustomValues: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
});

type Profile = v.InferOutput<typeof profileSchema>;

const optionsSchema = v.object({
  PWidth: v.optional(number),
  PHeight: v.optional(number),
  XPixelSize: v.optional(number),
  YPixelSize: v.optional(number),
  ImageMirror: v.optional(number),
});

async function readNanodlp(archive: JobArchive): Promise<ReadJob> {
  const meta = archive.has("meta.json") ? await archive.json("meta.json", metaSchema) : {};
  const plate = await archive.json("plate.json", plateSchema);
  const profile = await archive.json("profile.json", profileSchema);
  const optionsName = ["options.json", "slicer.json"].find((name) => archive.has(name));
  const options = optionsName === undefined ? {} : await archive.json(optionsName, optionsSchema);
  // NanoDLP's manual names them from 0, other programs from 1; machines take both.
  const names = archive.numberedLayers("", archive.has("0.png") ? 0 : 1);
  const { pixels, decode } = await readPixels(archive, names[0], options);
  const exposure = exposureOf(profile);
  const { thumbnails, warnings } = await archive.pictures(["3d.png"]);
  return {
    version: "1",
    program: meta.Program === undefined ? undefined : [meta.Program, meta.Version].join(" ").trim(),
    created: plate.CreatedDate === undefined ? undefined : new Date(1000 * plate.CreatedDate),
    pixels,
    pixelMm: pixelMmOf(options),
    mirrorX: options.ImageMirror === undefined ? undefined : options.ImageMirror === 1,
    material: profile.Title,
    boundariesMm: boundariesMmOf(profile, names.length),
    exposuresS: exposuresOfLayers(exposure, names.length),
    exposure,
    states: CARRIED,
    totals: plate.PrintTime === undefined ? {} : { printTimeS: plate.PrintTime },
    thumbnails,
    warnings: [...warnings, ...countWarnings(plate.LayersCount, names.length)],
    layer: (index) => decode(names[index]),
    close: () => archive.close(),
  };
}

function countWarnings(stated: number | undefined, count: number): string[] {
  if (stated === undefined || stated === count) return [];
  return [`The file states ${stated} layers and has pictures of ${count}.`];
}

type Options = v.InferOutput<typeof optionsSchema>;

/** Pictures with a third of the panel's columns have three of them in each pixel. Without options, colours mean the same. */
async function readPixels(archive: JobArchive, firstName: string, { PWidth, PHeight }: Options) {
  const { width, height, colour } = await archive.pngHeader(firstName);
  // A single column takes a whole pixel as well.
  const isColoured = colour === "RGB" && (PWidth !== width || width === 1);
  const pixels = requirePixels([PWidth ?? (isColoured ? 3 * width : width), PHeight ?? height], archive.refuse);
  requireLikeOptions(pixels, [isColoured ? 3 * width : width, height], isColoured, archive.refuse);
  return { pixels, decode: archive.layerDecoder(pixels, isColoured ? "RGB" : "GREY") };
}

function requireLikeOptions(
  pixels: readonly [number, number],
  found: readonly [number, number],
  isColoured: boolean,
  refuse: ErrorFactory,
): void {
  const spare = found[0] - pixels[0];
  if (found[1] === pixels[1] && (isColoured ? spare >= 0 && spare < 3 : spare === 0)) return;
  throw refuse(
    `its pictures have ${found.join(" × ")} pixels and its options ${pixels.join(" × ")}; slice the job again for this printer`,
  );
}

const pixelMmOf = ({ XPixelSize = 0, YPixelSize = 0 }: Options): [number, number] | undefined =>
  XPixelSize > 0 && YPixelSize > 0 ? [XPixelSize, YPixelSize] : undefined;

function boundariesMmOf({ Depth, SupportDepth = Depth, SupportLayerNumber }: Profile, layers: number): Float64Array {
  const supports = (k: number): number => Math.min(k, SupportLayerNumber);
  return Float64Array.from(
    { length: layers + 1 },
    (_, k) => (supports(k) * SupportDepth + (k - supports(k)) * Depth) / 1000,
  );
}

/** The motions are those of the machine. */
function exposureOf(profile: Profile): JobExposure {
  const share = Number(profile.CustomValues?.UvPwmValue ?? 1);
  const light = share >= 0 && share <= 1 ? Math.round(255 * share) : 255;
  const cycle = (waitBeforeLiftS: number, waitAfterLiftS: number, waitAfterRetractS: number): JobCycle => ({
    ...UNSTATED_CYCLE,
    waitBeforeLiftS,
    waitAfterLiftS,
    waitAfterRetractS,
    light,
  });
  const hasFirst = profile.SupportLayerNumber > 0 && profile.SupportCureTime !== undefined;
  return {
    firstS: hasFirst ? (profile.SupportCureTime ?? profile.CureTime) : profile.CureTime,
    normalS: profile.CureTime,
    firstLayers: Math.max(1, profile.SupportLayerNumber),
    fadingLayers: profile.TransitionalLayer,
    firstCycle: cycle(profile.SupportWaitAfterPrint, profile.SupportTopWait, profile.SupportWaitBeforePrint),
    normalCycle: cycle(profile.WaitAfterPrint, profile.TopWait, profile.WaitBeforePrint),
  };
}
