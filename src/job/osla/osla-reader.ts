import { Buffer } from "node:buffer";
import { ByteReader } from "../../codec/byte-reader.ts";
import { type FileSource, readError, readRange } from "../../codec/file-source.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import { boundariesOfTops } from "../boundaries-of-tops.ts";
import { type JobCycle, type JobExposure, distanceMm, stagedMotion } from "../job-exposure.ts";
import type { JobPicture, JobReader, ReadJob } from "../job-reader.ts";
import { CARRIED_FACTS } from "../losses.ts";
import { requireLayerCount, requirePixels } from "../plausible-counts.ts";
import { readRgb565 } from "../read-rgb565.ts";
import { PngLayerDecoder } from "../zipped/png-layer-decoder.ts";
import {
  END_MARK,
  FILE_BYTES,
  HEADER_BYTES,
  LAYER_BYTES,
  LAYER_TYPE,
  MARK,
  PREVIEW_BYTES,
  PREVIEW_TYPE,
  VERSION,
  requireType,
} from "./osla-layout.ts";

/** `.osla` files of version 0 with PNG pictures. */
export const oslaReader: JobReader = {
  name: "OSLA",
  versions: [String(VERSION)],
  recognises: (head) => Buffer.from(head.subarray(0, MARK.length)).toString("latin1") === MARK,
  open: openOsla,
};

/** More than any file has. */
const MAX_PREVIEWS = 16;

function openOsla(source: FileSource): ReadJob {
  const refuse: ErrorFactory = (why) => readError(source, why);
  const file = readFileRecord(new ByteReader(readRange(source, 0, FILE_BYTES), refuse), refuse);
  const header = readHeader(new ByteReader(readRange(source, FILE_BYTES, HEADER_BYTES), refuse));
  requireType(header.previewType, PREVIEW_TYPE, "previews", refuse);
  requireType(header.layerType, LAYER_TYPE, "layers", refuse);
  requireEnd(source, refuse);
  const pixels = requirePixels(header.pixels, refuse);
  const entryBytes = Math.max(LAYER_BYTES, header.layerBytes);
  const count = requireLayerCount(header.layerCount, entryBytes, source.size, refuse);
  const layers = readLayers(readRange(source, header.layersAt, count * entryBytes), count, entryBytes, refuse);
  const decoder = new PngLayerDecoder(pixels, "GREY", refuse);
  return {
    version: String(VERSION),
    program: file.program,
    printerName: header.printerName,
    created: file.created,
    pixels,
    pixelMm: [header.displayMm[0] / pixels[0], header.displayMm[1] / pixels[1]],
    volumeMm: [...header.displayMm, header.heightMm],
    mirrorX: (header.mirror & 1) === 1,
    material: header.material,
    boundariesMm: boundariesOfTops(
      layers.map(({ zMm }) => zMm),
      refuse,
    ),
    exposuresS: Float64Array.from(layers, ({ exposureS }) => exposureS),
    exposure: exposureOf(layers, header.firstLayers),
    states: CARRIED_FACTS,
    totals: { printTimeS: header.printTimeS, materialMl: header.materialMl },
    thumbnails: readPreviews(source, FILE_BYTES + Math.max(HEADER_BYTES, header.size), header.previewCount, refuse),
    warnings: [],
    layer(index) {
      const at = layers[index].address;
      const size = new ByteReader(readRange(source, at, 4), refuse).u32();
      return decoder.decode(readRange(source, at + 4, size));
    },
  };
}

function readFileRecord(from: ByteReader, refuse: ErrorFactory) {
  from.skip(MARK.length);
  const version = from.u16();
  if (version !== VERSION) {
    throw refuse(`it is an .osla file of version ${version}; version ${VERSION} is read: save it as that one`);
  }
  from.skip(70);
  // Of the last change.
  const time = Date.parse(textOf(from, 20).replace(" ", "T"));
  return { created: Number.isNaN(time) ? undefined : new Date(time), program: textOf(from, 50) };
}

const textOf = (from: ByteReader, size: number): string => {
  const bytes = from.take(size);
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
};

const readHeader = (from: ByteReader) => ({
  size: from.u32(),
  pixels: [from.u32(), from.u32()] as const,
  heightMm: from.f32(),
  displayMm: [from.f32(), from.f32()] as const,
  mirror: from.u8(),
  previewType: textOf(from, 16),
  layerType: textOf(from, 16),
  previewCount: (from.skip(4), from.u32()),
  firstLayers: (from.skip(4), from.u16()),
  layerCount: from.u32(),
  layerBytes: from.u32(),
  layersAt: from.u32(),
  gcodeAt: from.u32(),
  printTimeS: from.u32(),
  materialMl: from.f32(),
  material: (from.skip(4), textOf(from, 50)),
  printerName: textOf(from, 50),
});

function requireEnd(source: FileSource, refuse: ErrorFactory): void {
  const end = readRange(source, source.size - END_MARK.length, END_MARK.length);
  if (Buffer.from(end).toString("latin1") === END_MARK) return;
  throw refuse("its last bytes are missing: it was cut short; take another copy of it");
}

/** Where and how a layer is exposed, and what follows its exposure. */
interface Layer {
  readonly address: number;
  readonly zMm: number;
  readonly exposureS: number;
  readonly cycle: JobCycle;
}

function readLayers(table: Uint8Array, count: number, entryBytes: number, refuse: ErrorFactory): Layer[] {
  return Array.from({ length: count }, (_, k) => {
    const from = new ByteReader(table, refuse, k * entryBytes);
    const [address, zMm] = [from.u32(), from.f32()];
    const motion = () => ({ mm: from.f32(), mmPerMin: from.f32() });
    const lift = stagedMotion(motion(), motion());
    const waitAfterLiftS = from.f32();
    const mmPerMin = from.f32();
    const slow = motion();
    const retract = stagedMotion({ mm: Math.max(0, distanceMm(lift) - slow.mm), mmPerMin }, slow);
    const [waitAfterRetractS, exposureS, waitBeforeLiftS, light] = [from.f32(), from.f32(), from.f32(), from.u8()];
    return {
      address,
      zMm,
      exposureS,
      cycle: { waitBeforeLiftS, lift, waitAfterLiftS, retract, waitAfterRetractS, light },
    };
  });
}

/** The exposure that the layers imply: that of the first layers, and of the last one as the normal one. */
function exposureOf(layers: readonly Layer[], firstLayers: number): JobExposure | undefined {
  const [first, last] = [layers[0], layers.at(-1)];
  if (!first || !last) return undefined;
  const faded = layers.findIndex(({ exposureS }, k) => k >= firstLayers && exposureS === last.exposureS);
  return {
    firstS: first.exposureS,
    normalS: last.exposureS,
    firstLayers,
    fadingLayers: Math.max(0, faded - firstLayers),
    firstCycle: first.cycle,
    normalCycle: last.cycle,
  };
}

/** Behind the header and the table of values of other programs. */
function readPreviews(source: FileSource, customAt: number, count: number, refuse: ErrorFactory): JobPicture[] {
  if (count > MAX_PREVIEWS) throw refuse(`it states ${count} previews: it is damaged; take another copy of it`);
  let at = customAt + 4 + new ByteReader(readRange(source, customAt, 4), refuse).u32();
  return Array.from({ length: count }, () => {
    const from = new ByteReader(readRange(source, at, PREVIEW_BYTES), refuse);
    const [width, height, size] = [from.u16(), from.u16(), from.u32()];
    const pixels = new ByteReader(readRange(source, at + PREVIEW_BYTES, size), refuse);
    if (size !== 2 * width * height) throw refuse("one of its previews is damaged; take another copy of it");
    at += PREVIEW_BYTES + size;
    return readRgb565(pixels, width, height);
  });
}
