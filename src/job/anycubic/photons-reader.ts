import { type FileSource, readError, readRange } from "../../codec/file-source.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { UNSTATED_CYCLE, exposuresOfLayers } from "../exposures-of-layers.ts";
import { type JobExposure, stagedMotion } from "../job-exposure.ts";
import type { JobPicture, JobReader, ReadJob } from "../job-reader.ts";
import { requireLayerCount, requirePixels } from "../plausible-counts.ts";
import { RunsBuilder } from "../runs-builder.ts";

/** What every file begins with. */
const MAGIC = [0, 0, 0, 2, 0, 49];
const HEADER_BYTES = 98;
const LAYER_HEADER_BYTES = 28;

/**
 * The files of the Photon S with its first firmware (`.photons`), which other programs wrote. All numbers are big-endian. Pictures are black
 * and white, layers follow one another and state neither exposures nor heights.
 */
export const photonsReader: JobReader = {
  name: "Anycubic Photon S",
  recognises: (head, extension) => extension === ".photons" && MAGIC.every((byte, i) => head[i] === byte),
  open: openPhotons,
};

function openPhotons(source: FileSource): ReadJob {
  const refuse: ErrorFactory = (why) => readError(source, why);
  const header = readHeader(viewAt(source, 0, HEADER_BYTES));
  if (!(header.thicknessMm > 0 && Number.isFinite(header.thicknessMm))) {
    throw refuse(`its layers would be ${header.thicknessMm} mm thick: it is damaged; take another copy of it`);
  }
  const [width, height] = requirePixels(header.preview, refuse);
  const layersAt = HEADER_BYTES + 2 * width * height;
  const stated = viewAt(source, layersAt, 4).getUint32(0);
  const count = requireLayerCount(stated, LAYER_HEADER_BYTES, source.size, refuse);
  const layers = readLayers(source, layersAt + 4, count);
  const pixels = requirePixels(layers[0].pixels, refuse);
  if (layers.some((layer) => layer.pixels.join() !== layers[0].pixels.join())) {
    throw refuse("its layers differ in size: it is damaged; take another copy of it");
  }
  const exposure = exposureOf(header, count);
  const builder = new RunsBuilder(...pixels, refuse);
  return {
    version: "1",
    pixels,
    pixelMm: [header.pixelMm, header.pixelMm],
    boundariesMm: Float64Array.from({ length: count + 1 }, (_, k) => k * header.thicknessMm),
    exposuresS: exposuresOfLayers(exposure, count),
    exposure,
    states: ["MOTIONS", "WAIT_SUM"],
    totals: { materialMl: header.volumeMl },
    thumbnails: [readPreview(readRange(source, HEADER_BYTES, 2 * width * height), width, height)],
    warnings: [],
    layer: (index) =>
      decodePhotonsLayer(readRange(source, layers[index].at, layers[index].bytes), pixels[0] * pixels[1], builder),
  };
}

const viewAt = (source: FileSource, at: number, length: number): DataView =>
  new DataView(readRange(source, at, length).buffer);

/** Lengths in mm, speeds in mm/s. */
const readHeader = (from: DataView) => ({
  pixelMm: from.getFloat64(6),
  thicknessMm: from.getFloat64(14),
  exposureS: from.getFloat64(22),
  lightOffS: from.getFloat64(30),
  firstExposureS: from.getFloat64(38),
  firstLayers: from.getUint32(46),
  liftMm: from.getFloat64(50),
  liftMmPerS: from.getFloat64(58),
  retractMmPerS: from.getFloat64(66),
  volumeMl: from.getFloat64(74),
  preview: [from.getUint32(82), from.getUint32(90)] as const,
});

interface LayerPlace {
  readonly at: number;
  readonly bytes: number;
  readonly pixels: readonly [columns: number, rows: number];
}

/** The headers of the layers, each before its data. */
function readLayers(source: FileSource, start: number, count: number): LayerPlace[] {
  let at = start;
  return Array.from({ length: count }, () => {
    const from = viewAt(source, at, LAYER_HEADER_BYTES);
    // In bits, with four bytes more.
    const bytes = (from.getUint32(20) >>> 3) - 4;
    const layer = { at: at + LAYER_HEADER_BYTES, bytes, pixels: [from.getUint32(12), from.getUint32(16)] as const };
    at = layer.at + bytes;
    return layer;
  });
}

/** The time without light includes the motions; the rest of it is one wait before the exposure. */
function exposureOf(header: ReturnType<typeof readHeader>, count: number): JobExposure {
  const motion = (mmPerS: number) => stagedMotion({ mm: header.liftMm, mmPerMin: 60 * mmPerS });
  const [lift, retract] = [motion(header.liftMmPerS), motion(header.retractMmPerS)];
  const waitAfterRetractS = Math.max(0, header.lightOffS - lift.seconds - retract.seconds);
  const cycle = { ...UNSTATED_CYCLE, lift, retract, waitAfterRetractS };
  return {
    firstS: header.firstExposureS,
    normalS: header.exposureS,
    firstLayers: Math.max(1, Math.min(count, header.firstLayers)),
    fadingLayers: 0,
    firstCycle: cycle,
    normalCycle: cycle,
  };
}

/** Lengths of runs by the upper seven bits of their bytes, of which the lowest one counts 64. */
const LENGTHS = Uint8Array.from({ length: 128 }, (_, bits) => {
  let length = 1;
  for (let bit = 0; bit < 7; bit++) if (bits & (64 >> bit)) length += 1 << bit;
  return length;
});

/** Decodes bytes of which the lowest bit is the colour of a run. The last run may be one pixel too long, as other programs accept it. */
export function decodePhotonsLayer(data: Uint8Array, pixels: number, into: RunsBuilder): LayerRuns {
  into.begin();
  let left = pixels;
  for (const byte of data) {
    const length = LENGTHS[byte >> 1];
    into.add(255 * (byte & 1), length === left + 1 ? left : length);
    left -= length;
  }
  return into.finish();
}

/** Pixels of 16 bits with 5, 6 and 5 bits of blue, green and red, blue in the highest bits. */
function readPreview(bytes: Uint8Array, width: number, height: number): JobPicture {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const rgba = new Uint8Array(4 * width * height).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const colour = view.getUint16(2 * pixel);
    rgba[4 * pixel] = Math.round(((colour & 31) * 255) / 31);
    rgba[4 * pixel + 1] = Math.round((((colour >> 5) & 63) * 255) / 63);
    rgba[4 * pixel + 2] = Math.round(((colour >> 11) * 255) / 31);
  }
  return { width, height, rgba };
}
