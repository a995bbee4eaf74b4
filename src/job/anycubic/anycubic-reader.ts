import { extname } from "node:path";
import type { ByteReader } from "../../codec/byte-reader.ts";
import { type FileSource, readError, readRange } from "../../codec/file-source.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { JobCycle, JobExposure } from "../job-exposure.ts";
import type { JobPicture, JobReader, ReadJob } from "../job-reader.ts";
import { requireLayerCount, requirePixels } from "../plausible-counts.ts";
import { RunsBuilder } from "../runs-builder.ts";
import { carriedBy } from "./anycubic-writer.ts";
import { decodePw0Layer } from "./decode-pw0-layer.ts";
import { decodePwsLayer } from "./decode-pws-layer.ts";
import { FileTables, MARK, type TableName, VERSIONS, zeroEnded } from "./file-mark.ts";
import { readRgb565 } from "../read-rgb565.ts";
import { type Zones, motionsOf } from "./zones.ts";

const LAYER_BYTES = 32;
/** The only extension with time slices among those of the versions that do not name the encoding of their pictures. */
const SLICED_EXTENSION = ".pws";
const MAX_TIME_SLICES = 16;

/** Anycubic's binary files, versions 1 and 515 to 518. Tables are found by their addresses, whatever their order. */
export const anycubicReader: JobReader = {
  name: "Anycubic Photon Workshop",
  versions: VERSIONS.map(String),
  recognises: (head) => zeroEnded(head.subarray(0, 12)) === MARK,
  open: openAnycubic,
};

function openAnycubic(source: FileSource): ReadJob {
  const refuse: ErrorFactory = (why) => readError(source, why);
  const tables = new FileTables(source);
  const { version } = tables;
  const header = readHeader(tables.bytes(tables.bodyAt("HEADER"), version >= 516 ? 84 : 80), version);
  const pixels = requirePixels(header.pixels, refuse);
  const machine = version >= 516 ? readMachine(tables) : undefined;
  const layers = readLayers(tables, source.size, refuse);
  const slices = slicesOf(source, version, header.antiAliasing, machine?.imageFormat, refuse);
  const builder = new RunsBuilder(...pixels, refuse);
  const pixelCount = pixels[0] * pixels[1];
  return {
    version: String(version),
    program: version >= 517 ? readProgram(tables) : undefined,
    printerName: machine?.name,
    pixels,
    pixelMm: machine?.pixelMm ?? pitchOf(machine?.sizeMm, pixels) ?? [header.pixelMm, header.pixelMm],
    volumeMm: machine?.sizeMm,
    boundariesMm: boundariesOf(layers, refuse),
    exposuresS: Float64Array.from(layers, ({ exposureS }) => exposureS),
    exposure: exposureOf(header, layers, header.isAdvanced ? readMotions(tables) : undefined),
    states: carriedBy(version),
    totals: { printTimeS: header.printTimeS, materialMl: header.volumeMl, materialG: header.weightG },
    thumbnails: PREVIEWS.flatMap((name) => (tables.at(name) > 0 ? [readPreview(tables, name, refuse)] : [])),
    warnings: [],
    layer(index) {
      const data = readRange(source, layers[index].address, layers[index].bytes);
      return slices === undefined
        ? decodePw0Layer(data, pixelCount, builder)
        : decodePwsLayer(data, slices, pixelCount, builder, refuse);
    },
  };
}

type Header = ReturnType<typeof readHeader>;

/** Lengths are in mm, speeds in mm/s. */
const readHeader = (from: ByteReader, version: number) => ({
  pixelMm: from.f32() / 1000,
  thicknessMm: from.f32(),
  exposureS: from.f32(),
  waitS: from.f32(),
  bottomExposureS: from.f32(),
  bottomLayers: from.f32(),
  lift: { mm: from.f32(), upMmPerS: from.f32(), downMmPerS: from.f32() },
  volumeMl: from.f32(),
  antiAliasing: from.u32(),
  pixels: [from.u32(), from.u32()] as const,
  weightG: from.f32(),
  // The price, its currency and the flag for exposures and motions of single layers come first.
  printTimeS: (from.skip(12), from.u32()),
  transitionLayers: from.u32(),
  isAdvanced: (from.skip(4), version >= 516 && from.u32() === 1),
});

function readMachine(tables: FileTables) {
  const hasPixels = tables.version >= 518;
  const from = tables.bytes(tables.bodyAt("MACHINE"), hasPixels ? 148 : 140);
  const name = zeroEnded(from.take(96));
  const imageFormat = zeroEnded(from.take(16));
  from.skip(8);
  const sizeMm: Vec3 = [from.f32(), from.f32(), from.f32()];
  from.skip(8);
  const pixelMm = hasPixels ? ([from.f32() / 1000, from.f32() / 1000] as const) : undefined;
  return { name, imageFormat, sizeMm, pixelMm };
}

const pitchOf = (sizeMm: Vec3 | undefined, [columns, rows]: readonly [number, number]) =>
  sizeMm && ([sizeMm[0] / columns, sizeMm[1] / rows] as const);

/** The name of the program and its version. */
function readProgram(tables: FileTables): string {
  const from = tables.bytes(tables.at("SOFTWARE"), 68);
  const name = zeroEnded(from.take(32));
  from.skip(4);
  return `${name} ${zeroEnded(from.take(32))}`.trim();
}

interface LayerRecord {
  readonly address: number;
  readonly bytes: number;
  readonly liftMm: number;
  readonly upMmPerS: number;
  readonly exposureS: number;
  readonly thicknessMm: number;
}

function readLayers(tables: FileTables, fileBytes: number, refuse: ErrorFactory): LayerRecord[] {
  const at = tables.bodyAt("LAYERDEF");
  const count = requireLayerCount(tables.bytes(at, 4).u32(), LAYER_BYTES, fileBytes, refuse);
  const from = tables.bytes(at + 4, LAYER_BYTES * count);
  return Array.from({ length: count }, () => {
    const [address, bytes, liftMm, upMmPerS] = [from.u32(), from.u32(), from.f32(), from.f32()];
    const layer = { address, bytes, liftMm, upMmPerS, exposureS: from.f32(), thicknessMm: from.f32() };
    from.skip(8);
    return layer;
  });
}

function boundariesOf(layers: readonly LayerRecord[], refuse: ErrorFactory): Float64Array {
  const boundariesMm = new Float64Array(layers.length + 1);
  for (const [k, { thicknessMm }] of layers.entries()) {
    boundariesMm[k + 1] = boundariesMm[k] + thicknessMm;
    if (boundariesMm[k + 1] < boundariesMm[k] || !Number.isFinite(thicknessMm)) {
      throw refuse(`its layer ${k} would be ${thicknessMm} mm thick: it is damaged; take another copy of it`);
    }
  }
  return boundariesMm;
}

/** Number of time slices; undefined for pictures of 16 levels. */
function slicesOf(
  { path }: FileSource,
  version: number,
  antiAliasing: number,
  imageFormat: string | undefined,
  refuse: ErrorFactory,
): number | undefined {
  const isSliced = version < 516 ? extname(path).toLowerCase() === SLICED_EXTENSION : imageFormat === "pwsImg";
  if (!isSliced) return undefined;
  if (antiAliasing >= 1 && antiAliasing <= MAX_TIME_SLICES) return antiAliasing;
  throw refuse(`its pictures would have ${antiAliasing} time slices: it is damaged; take another copy of it`);
}

function readMotions(tables: FileTables): { first: Zones; normal: Zones } {
  const from = tables.bytes(tables.bodyAt("EXTRA"), 56);
  const zone = () => ({ mm: from.f32(), upMmPerS: from.f32(), downMmPerS: from.f32() });
  const zones = (): Zones => (from.skip(4), [zone(), zone()]);
  return { first: zones(), normal: zones() };
}

/** Without a table of motions, those of the header count, with the lift of the first layer for the first layers. */
function exposureOf(
  header: Header,
  layers: readonly LayerRecord[],
  motions: { first: Zones; normal: Zones } | undefined,
): JobExposure {
  const { lift, bottomLayers, waitS } = header;
  const ofOneZone = (mm: number, upMmPerS: number) =>
    motionsOf([{ mm, upMmPerS, downMmPerS: lift.downMmPerS }, NO_ZONE]);
  const waits = { waitBeforeLiftS: 0, waitAfterLiftS: 0, waitAfterRetractS: waitS, light: 255 };
  const cycle = (zones: Zones | undefined, mm: number, upMmPerS: number): JobCycle => ({
    ...waits,
    ...(zones ? motionsOf(zones) : ofOneZone(mm, upMmPerS)),
  });
  return {
    firstS: header.bottomExposureS,
    normalS: header.exposureS,
    firstLayers: Math.max(1, Math.min(layers.length, Math.round(bottomLayers) || 0)),
    fadingLayers: Math.min(layers.length, header.transitionLayers),
    firstCycle: cycle(motions?.first, layers[0].liftMm, layers[0].upMmPerS),
    normalCycle: cycle(motions?.normal, lift.mm, lift.upMmPerS),
  };
}

const NO_ZONE = { mm: 0, upMmPerS: 0, downMmPerS: 0 };

const PREVIEWS = ["PREVIEW", "PREVIEW2"] as const satisfies TableName[];

function readPreview(tables: FileTables, name: TableName, refuse: ErrorFactory): JobPicture {
  const at = tables.bodyAt(name);
  const from = tables.bytes(at, 12);
  // Between them is a mark, or the colour of the background.
  const [width, height] = requirePixels([from.u32(), (from.skip(4), from.u32())], refuse);
  return readRgb565(tables.bytes(at + 12, 2 * width * height), width, height);
}
