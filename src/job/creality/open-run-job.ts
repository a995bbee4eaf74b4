import { CARRIED_BY_4 } from "./cxdlp-layout.ts";
import { ByteReader } from "../../codec/byte-reader.ts";
import { type FileSource, readError, readRange } from "../../codec/file-source.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import { boundariesOfTops } from "../boundaries-of-tops.ts";
import { decodeRle7Layer } from "../chitu/decode-rle7-layer.ts";
import { picturedRuns } from "../chitu/rgb15-runs.ts";
import { type JobCycle, type JobExposure, type Motion, stagedMotion } from "../job-exposure.ts";
import type { JobPicture, ReadJob } from "../job-reader.ts";
import { requireLayerCount, requirePixels } from "../plausible-counts.ts";
import { RunsBuilder } from "../runs-builder.ts";
import { newCrcChecksum } from "./body-checksum.ts";
import { requireChecksum } from "./require-checksum.ts";
import { retractFrom } from "./shared-stages.ts";

/** Sizes of the records. */
const [HEADER_BYTES, PREVIEW_BYTES, PARAMETER_BYTES, SLICER_BYTES] = [80, 32, 68, 76];
const [ENTRY_BYTES, LAYER_HEAD_BYTES] = [40, 44];

/** Opens a job of version 4, whose header begins at an address. */
export function openRunJob(source: FileSource, headerAt: number, printerName: string): ReadJob {
  const refuse: ErrorFactory = (why) => readError(source, why);
  requireChecksum(source, newCrcChecksum());
  const recordAt = (at: number, length: number) => new ByteReader(readRange(source, at, length), refuse);
  const header = readHeader(recordAt(headerAt, HEADER_BYTES));
  if (header.key !== 0) throw refuse("its layers are masked by a key, which is not read; save it without one");
  const pixels = requirePixels(header.pixels, refuse);
  const count = requireLayerCount(header.layerCount, ENTRY_BYTES, source.size, refuse);
  const parameters = readParameters(recordAt(header.parametersAt, PARAMETER_BYTES));
  const slicer = readSlicer(recordAt(header.slicerAt, SLICER_BYTES));
  const entries = readEntries(recordAt(header.layersAt, count * ENTRY_BYTES), count);
  const builder = new RunsBuilder(...pixels, refuse);
  return {
    version: "4",
    printerName,
    created: slicer.minutes > 0 ? new Date(60_000 * slicer.minutes) : undefined,
    pixels,
    pixelMm: [header.sizeMm[0] / pixels[0], header.sizeMm[1] / pixels[1]],
    volumeMm: header.sizeMm,
    mirrorX: header.projection === 1,
    boundariesMm: boundariesOfTops(entries.topsMm, refuse),
    exposuresS: entries.exposuresS,
    exposure: exposureOf(header, parameters, slicer),
    states: CARRIED_BY_4,
    totals: { printTimeS: header.printTimeS, materialMl: parameters.volumeMl, materialG: parameters.weightG },
    thumbnails: [header.smallAt, header.largeAt].flatMap((at) => (at > 0 ? [readPreview(source, at, refuse)] : [])),
    warnings: [],
    layer(index) {
      const bytes = readRange(source, entries.addresses[index], entries.sizes[index]);
      return decodeRle7Layer(bytes.subarray(LAYER_HEAD_BYTES), builder, refuse);
    },
  };
}

const readHeader = (from: ByteReader) => ({
  pixels: [from.u16(), from.u16()] as const,
  sizeMm: [from.f32(), from.f32(), from.f32()] as const,
  heightMm: from.f32(),
  thicknessMm: from.f32(),
  firstLayers: from.u32(),
  smallAt: from.u32(),
  layersAt: from.u32(),
  layerCount: from.u32(),
  largeAt: from.u32(),
  printTimeS: from.u32(),
  projection: from.u32(),
  parametersAt: from.u32(),
  lights: (from.skip(8), [from.u16(), from.u16()] as const),
  key: from.u32(),
  slicerAt: from.u32(),
});

const readParameters = (from: ByteReader) => ({
  firstLift: readMotion(from),
  lift: readMotion(from),
  retractMmPerMin: from.f32(),
  volumeMl: from.f32(),
  weightG: from.f32(),
  normalS: (from.skip(16), from.f32()),
  firstS: from.f32(),
});

const readSlicer = (from: ByteReader) => ({
  firstLift2: readMotion(from),
  lift2: readMotion(from),
  retract2: readMotion(from),
  waitAfterLiftS: from.f32(),
  minutes: (from.skip(4), from.u32()),
  waitAfterRetractS: (from.skip(8), from.f32()),
  waitBeforeLiftS: from.f32(),
  fadingLayers: (from.skip(12), from.u32()),
});

const readMotion = (from: ByteReader): Motion => ({ mm: from.f32(), mmPerMin: from.f32() });

function exposureOf(
  { firstLayers, lights: [light, firstLight] }: ReturnType<typeof readHeader>,
  { normalS, firstS, ...parameters }: ReturnType<typeof readParameters>,
  { fadingLayers, ...slicer }: ReturnType<typeof readSlicer>,
): JobExposure {
  const { waitBeforeLiftS, waitAfterLiftS, waitAfterRetractS, retract2 } = slicer;
  const retracts = [{ mm: 0, mmPerMin: parameters.retractMmPerMin }, retract2] as const;
  const cycle = (total: Motion, second: Motion, power: number): JobCycle => {
    const lift = stagedMotion({ mm: Math.max(0, total.mm - second.mm), mmPerMin: total.mmPerMin }, second);
    const retract = retractFrom(lift, { stages: retracts });
    return { waitBeforeLiftS, lift, waitAfterLiftS, retract, waitAfterRetractS, light: power };
  };
  return {
    firstS,
    normalS,
    firstLayers,
    fadingLayers,
    firstCycle: cycle(parameters.firstLift, slicer.firstLift2, firstLight),
    normalCycle: cycle(parameters.lift, slicer.lift2, light),
  };
}

function readEntries(from: ByteReader, count: number) {
  const [topsMm, exposuresS] = [new Float64Array(count), new Float64Array(count)];
  const [addresses, sizes] = [new Uint32Array(count), new Uint32Array(count)];
  for (let k = 0; k < count; k++) {
    topsMm[k] = from.f32();
    exposuresS[k] = from.f32();
    from.skip(4);
    addresses[k] = from.u32();
    sizes[k] = from.u32();
    from.skip(ENTRY_BYTES - 20);
  }
  return { topsMm, exposuresS, addresses, sizes };
}

function readPreview(source: FileSource, at: number, refuse: ErrorFactory): JobPicture {
  const from = new ByteReader(readRange(source, at, PREVIEW_BYTES), refuse);
  const [width, height] = requirePixels([from.u32(), from.u32()], refuse);
  return picturedRuns(readRange(source, from.u32(), from.u32()), width, height, refuse);
}
