import { ByteReader } from "../../codec/byte-reader.ts";
import { type FileSource, readError, readRange } from "../../codec/file-source.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import { type JobCycle, type JobExposure, NO_MOTION, NO_STAGES, stagedMotion } from "../job-exposure.ts";
import type { JobPicture, JobReader, ReadJob } from "../job-reader.ts";
import { requireLayerCount, requirePixels } from "../plausible-counts.ts";
import { RunsBuilder } from "../runs-builder.ts";
import { decodeRle7Layer } from "./decode-rle7-layer.ts";
import { maskLayer } from "./mask-layer.ts";
import { picturedRuns } from "./rgb15-runs.ts";

const MAGIC = 0x12fd_0086;
const HEADER_BYTES = 112;
const PREVIEW_BYTES = 32;
const ENTRY_BYTES = 36;
const PARAMETER_BYTES = 60;
const SLICER_BYTES = 76;
const PAGE_BYTES = 2 ** 32;
const MAX_NAME_BYTES = 1024;

/** Chitubox's `.ctb` files of versions 2 and 3, which are not encrypted. */
export const ctbReader: JobReader = {
  name: "Chitubox CTB",
  recognises: (head) => head.length >= 4 && new DataView(head.buffer, head.byteOffset).getUint32(0, true) === MAGIC,
  open: openCtb,
};

function openCtb(source: FileSource): ReadJob {
  const refuse: ErrorFactory = (why) => readError(source, why);
  const header = readHeader(recordAt(source, 0, HEADER_BYTES), refuse);
  const pixels = requirePixels(header.pixels, refuse);
  const count = requireLayerCount(header.layerCount, ENTRY_BYTES, source.size, refuse);
  const parameters = readParameters(recordAt(source, header.parametersAt, PARAMETER_BYTES));
  const slicer = readSlicer(source, header.slicerAt);
  const entries = readEntries(recordAt(source, header.layersAt, count * ENTRY_BYTES), count);
  const exposure: JobExposure = {
    firstS: header.bottomExposureS,
    normalS: header.exposureS,
    firstLayers: header.bottomLayers,
    fadingLayers: slicer.transitionLayers,
    firstCycle: cycleOf(
      parameters.bottomLift,
      parameters.retractMmPerMin,
      parameters.bottomLightOffS,
      header.lights[1],
    ),
    normalCycle: cycleOf(parameters.lift, parameters.retractMmPerMin, parameters.lightOffS, header.lights[0]),
  };
  const builder = new RunsBuilder(...pixels, refuse);
  return {
    version: String(header.version),
    program: slicer.program,
    printerName: slicer.machineName,
    created: slicer.minutes > 0 ? new Date(60_000 * slicer.minutes) : undefined,
    pixels,
    pixelMm: [header.sizeMm[0] / pixels[0], header.sizeMm[1] / pixels[1]],
    volumeMm: header.sizeMm,
    mirrorX: header.projection === 1,
    boundariesMm: Float64Array.of(0, ...entries.zMm),
    exposuresS: Float64Array.from(entries.exposuresS),
    exposure,
    states: ["MOTIONS", "FIRST_LIFT", "WAIT_SUM", "FIRST_WAITS", "LIGHT", "FIRST_LIGHT"],
    totals: { printTimeS: header.printTimeS, materialMl: parameters.volumeMl, materialG: parameters.weightG },
    thumbnails: [header.largeAt, header.smallAt].flatMap((at) => (at > 0 ? [readPreview(source, at, refuse)] : [])),
    warnings: [],
    layer(index) {
      const data = readRange(source, entries.addresses[index], entries.lengths[index]);
      if (header.key !== 0) maskLayer(data, header.key, index);
      return decodeRle7Layer(data, builder, refuse);
    },
  };
}

const recordAt = (source: FileSource, at: number, length: number): ByteReader =>
  new ByteReader(readRange(source, at, length), (why) => readError(source, why));

/** The lift and the retraction, and the rest of the time without light as one wait before the exposure. */
function cycleOf(
  lift: { mm: number; mmPerMin: number },
  retractMmPerMin: number,
  offS: number,
  light: number,
): JobCycle {
  const up = lift.mm > 0 ? stagedMotion(lift, NO_MOTION) : NO_STAGES;
  const down = lift.mm > 0 ? stagedMotion({ mm: lift.mm, mmPerMin: retractMmPerMin }) : NO_STAGES;
  const waitS = Math.max(0, offS - up.seconds - down.seconds);
  return { waitBeforeLiftS: 0, lift: up, waitAfterLiftS: 0, retract: down, waitAfterRetractS: waitS, light };
}

function readHeader(from: ByteReader, refuse: ErrorFactory) {
  from.skip(4);
  const version = from.u32();
  if (version !== 2 && version !== 3) {
    throw refuse(`it is a .ctb file of version ${version}; versions 2 and 3 are read: save it as one of these`);
  }
  const sizeMm = [from.f32(), from.f32(), from.f32()] as const;
  from.skip(12);
  return {
    version,
    sizeMm,
    thicknessMm: from.f32(),
    exposureS: from.f32(),
    bottomExposureS: from.f32(),
    lightOffS: from.f32(),
    bottomLayers: from.u32(),
    pixels: [from.u32(), from.u32()] as const,
    largeAt: from.u32(),
    layersAt: from.u32(),
    layerCount: from.u32(),
    smallAt: from.u32(),
    printTimeS: from.u32(),
    projection: from.u32(),
    parametersAt: from.u32(),
    lights: (from.skip(8), [from.u16(), from.u16()] as const),
    key: from.u32(),
    slicerAt: from.u32(),
  };
}

const readParameters = (from: ByteReader) => ({
  bottomLift: { mm: from.f32(), mmPerMin: from.f32() },
  lift: { mm: from.f32(), mmPerMin: from.f32() },
  retractMmPerMin: from.f32(),
  volumeMl: from.f32(),
  weightG: from.f32(),
  bottomLightOffS: (from.skip(4), from.f32()),
  lightOffS: from.f32(),
});

interface Slicer {
  readonly machineName?: string;
  readonly program?: string;
  readonly minutes: number;
  readonly transitionLayers: number;
}

/** Absent where its address is 0. */
function readSlicer(source: FileSource, at: number): Slicer {
  if (at === 0) return { minutes: 0, transitionLayers: 0 };
  const from = recordAt(source, at, SLICER_BYTES);
  from.skip(28);
  const [nameAt, nameBytes] = [from.u32(), from.u32()];
  from.skip(4);
  const minutes = from.u32();
  from.skip(4);
  const software = from.u32();
  from.skip(8);
  const name = new TextDecoder().decode(readRange(source, nameAt, Math.min(nameBytes, MAX_NAME_BYTES)));
  return {
    machineName: name.replace(/\0+$/, ""),
    program: `Chitubox ${[24, 16, 8, 0].map((shift) => (software >>> shift) & 255).join(".")} or a program that names it`,
    minutes,
    transitionLayers: from.u32(),
  };
}

function readEntries(from: ByteReader, count: number) {
  const entries = Array.from({ length: count }, () => {
    const entry = { zMm: from.f32(), exposureS: from.f32(), off: from.f32(), address: from.u32(), length: from.u32() };
    const page = from.u32();
    from.skip(ENTRY_BYTES - 24);
    return { ...entry, address: page * PAGE_BYTES + entry.address };
  });
  return {
    zMm: entries.map(({ zMm }) => zMm),
    exposuresS: entries.map(({ exposureS }) => exposureS),
    addresses: entries.map(({ address }) => address),
    lengths: entries.map(({ length }) => length),
  };
}

function readPreview(source: FileSource, at: number, refuse: ErrorFactory): JobPicture {
  const from = recordAt(source, at, PREVIEW_BYTES);
  const [width, height] = requirePixels([from.u32(), from.u32()], refuse);
  return picturedRuns(readRange(source, from.u32(), from.u32()), width, height, refuse);
}
