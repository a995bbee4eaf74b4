import { ByteReader } from "../../codec/byte-reader.ts";
import { type FileSource, readError, readRange } from "../../codec/file-source.ts";
import type { Motion } from "../job-exposure.ts";
import { HEADER_BYTES, PARAMETER_BYTES, SLICER_BYTES } from "./chitu-records.ts";
import { EXTENSION_BYTES } from "./ctb-records.ts";

/** The records of a file of Chitubox's family, except previews and layers. Those that the file lacks are undefined. */
export interface ChituHead {
  readonly header: ReturnType<typeof readHeader>;
  readonly parameters: ReturnType<typeof readParameters> | undefined;
  readonly slicer: Slicer | undefined;
  readonly extension: Extension | undefined;
  readonly material: string | undefined;
}

type Slicer = ReturnType<typeof readSlicerRecord> & { readonly machineName: string };
type Extension = ReturnType<typeof readExtension>;

/** The shorter header of version 1. */
const FIRST_HEADER_BYTES = 108;
const RESIN_BYTES = 40;
const MAX_TEXT_BYTES = 1024;

export const recordAt = (source: FileSource, at: number, length: number): ByteReader =>
  new ByteReader(readRange(source, at, length), (why) => readError(source, why));

/** Reads the records of a file whose version is known. */
export function readChituHead(source: FileSource): ChituHead {
  const version = recordAt(source, 4, 4).u32();
  const header = readHeader(recordAt(source, 0, version === 1 ? FIRST_HEADER_BYTES : HEADER_BYTES));
  const { parametersAt, slicerAt } = header;
  const slicer = slicerAt > 0 ? readSlicer(source, slicerAt) : undefined;
  const extension =
    version >= 4 && slicer && slicer.extensionAt > 0
      ? readExtension(recordAt(source, slicer.extensionAt, EXTENSION_BYTES))
      : undefined;
  return {
    header,
    parameters: parametersAt > 0 ? readParameters(recordAt(source, parametersAt, PARAMETER_BYTES)) : undefined,
    slicer,
    extension,
    material: version >= 5 && extension && extension.resinAt > 0 ? readResin(source, extension.resinAt) : undefined,
  };
}

const motion = (from: ByteReader): Motion => ({ mm: from.f32(), mmPerMin: from.f32() });

const readHeader = (from: ByteReader) => ({
  version: (from.skip(4), from.u32()),
  sizeMm: [from.f32(), from.f32(), from.f32()] as const,
  thicknessMm: (from.skip(12), from.f32()),
  exposureS: from.f32(),
  firstExposureS: from.f32(),
  lightOffS: from.f32(),
  firstLayers: from.u32(),
  pixels: [from.u32(), from.u32()] as const,
  largeAt: from.u32(),
  layersAt: from.u32(),
  layerCount: from.u32(),
  smallAt: from.u32(),
  printTimeS: from.u32(),
  projection: from.u32(),
  parametersAt: from.u32(),
  planes: (from.skip(4), from.u32()),
  light: from.u16(),
  firstLight: from.u16(),
  key: from.u32(),
  slicerAt: from.u32(),
});

const readParameters = (from: ByteReader) => ({
  firstLift: motion(from),
  lift: motion(from),
  retractMmPerMin: from.f32(),
  volumeMl: from.f32(),
  weightG: from.f32(),
  firstLightOffS: (from.skip(4), from.f32()),
  lightOffS: from.f32(),
});

function readSlicer(source: FileSource, at: number): Slicer {
  const record = readSlicerRecord(recordAt(source, at, SLICER_BYTES));
  return { ...record, machineName: readText(source, record.nameAt, record.nameBytes) };
}

const readSlicerRecord = (from: ByteReader) => ({
  firstLift2: motion(from),
  lift2: motion(from),
  retract2: motion(from),
  nameAt: (from.skip(4), from.u32()),
  nameBytes: from.u32(),
  minutes: (from.skip(4), from.u32()),
  software: (from.skip(4), from.u32()),
  waitAfterRetractS: from.f32(),
  waitAfterLiftS: from.f32(),
  fadingLayers: from.u32(),
  extensionAt: from.u32(),
});

const readExtension = (from: ByteReader) => ({
  firstRetractMmPerMin: from.f32(),
  firstRetract2MmPerMin: from.f32(),
  waitBeforeLiftS: (from.skip(24), from.f32()),
  firstRetract2Mm: from.f32(),
  noticeAt: (from.skip(32), from.u32()),
  noticeBytes: from.u32(),
  resinAt: from.u32(),
});

/** The name of the resin. */
function readResin(source: FileSource, at: number): string {
  const from = recordAt(source, at, RESIN_BYTES);
  from.skip(20);
  const [bytes, nameAt] = [from.u32(), from.u32()];
  return readText(source, nameAt, bytes);
}

const readText = (source: FileSource, at: number, bytes: number): string =>
  new TextDecoder().decode(readRange(source, at, Math.min(bytes, MAX_TEXT_BYTES))).replace(/\0+$/, "");
