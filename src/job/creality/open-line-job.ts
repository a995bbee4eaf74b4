import type { FieldReader } from "../../codec/big-endian-reader.ts";
import { BigEndianReader } from "../../codec/big-endian-reader.ts";
import { type FileSource, readError, readRange } from "../../codec/file-source.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import { type JobCycle, type JobExposure, stagedMotion } from "../job-exposure.ts";
import { exposuresOfLayers } from "../exposures-of-layers.ts";
import type { ReadJob } from "../job-reader.ts";
import { requireLayerCount, requirePixels } from "../plausible-counts.ts";
import { readRgb565 } from "../read-rgb565.ts";
import { RunsBuilder } from "../runs-builder.ts";
import { newCrcChecksum, newXorChecksum } from "./body-checksum.ts";
import { LINE_BYTES } from "./cxdlp-layout.ts";
import { CARRIED, DELIMITER } from "./cxdlp-layout.ts";
import { decodeColumnLines } from "./decode-column-lines.ts";
import { readCountedText } from "./read-counted-text.ts";
import { requireChecksum } from "./require-checksum.ts";

/** Area and number of lines, and the delimiter behind the lines. */
const LAYER_FRAME_BYTES = 8 + DELIMITER.length;
const PREVIEW_SIDES = [116, 290, 290];
/** Between the names of program and resin and the layers of version 3. */
const SWITCH_BYTES = 22;

/** Opens a job of version 2 or 3, whose head is read up to the machine. */
export function openLineJob(source: FileSource, from: FieldReader, version: 2 | 3, printerName: string): ReadJob {
  const refuse: ErrorFactory = (why) => readError(source, why);
  requireChecksum(source, version === 2 ? newXorChecksum() : newCrcChecksum());
  const layerCount = from.u16();
  const pixels = requirePixels([from.u16(), from.u16()], refuse);
  const count = requireLayerCount(layerCount, LAYER_FRAME_BYTES + 4, source.size, refuse);
  from.skip(64);
  const thumbnails = PREVIEW_SIDES.map((side) => {
    const picture = readRgb565(from, side, side);
    from.skip(DELIMITER.length);
    return picture;
  });
  const [widthMm, depthMm, thicknessMm] = [
    readDigits(from, refuse),
    readDigits(from, refuse),
    readDigits(from, refuse),
  ];
  const exposure = readExposure(from);
  from.skip(4 * count + DELIMITER.length);
  const names = version === 3 ? { program: readCountedText(from), material: readCountedText(from) } : {};
  if (version === 3) from.skip(SWITCH_BYTES);
  const layers = findLayers(source, from.at, count, refuse);
  const builder = new RunsBuilder(...pixels, refuse);
  return {
    ...names,
    version: String(version),
    printerName,
    pixels,
    pixelMm: [widthMm / pixels[0], depthMm / pixels[1]],
    boundariesMm: Float64Array.from({ length: count + 1 }, (_, k) => k * thicknessMm),
    exposuresS: exposuresOfLayers(exposure, count),
    exposure,
    states: CARRIED,
    totals: {},
    thumbnails,
    warnings: [],
    layer: (index) =>
      decodeColumnLines(
        readRange(source, layers.addresses[index], LINE_BYTES * layers.lineCounts[index]),
        pixels,
        builder,
        refuse,
      ),
  };
}

/** A number above 0 as big-endian UTF-16, behind its number of bytes. */
function readDigits(from: FieldReader, refuse: ErrorFactory): number {
  const text = new TextDecoder("utf-16be").decode(from.take(from.u32()));
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw refuse("the size of its display or the thickness of its layers is no number above 0; take another copy of it");
}

function readExposure(from: FieldReader): JobExposure {
  const [exposureDs, waitS, firstS, firstLayers] = [from.u16(), from.u16(), from.u16(), from.u16()];
  const mmPerMin = (): number => 60 * from.u16();
  const firstLift = { mm: from.u16(), mmPerMin: mmPerMin() };
  const lift = { mm: from.u16(), mmPerMin: mmPerMin() };
  const retractMmPerMin = mmPerMin();
  const [firstLight, light] = [from.u16(), from.u16()];
  const cycle = (up: typeof lift, power: number): JobCycle => ({
    waitBeforeLiftS: 0,
    lift: stagedMotion(up),
    waitAfterLiftS: 0,
    retract: stagedMotion({ mm: up.mm, mmPerMin: retractMmPerMin }),
    waitAfterRetractS: waitS,
    light: power,
  });
  return {
    firstS,
    normalS: exposureDs / 10,
    firstLayers,
    fadingLayers: 0,
    firstCycle: cycle(firstLift, firstLight),
    normalCycle: cycle(lift, light),
  };
}

/** Where the lines of each layer are; layers state only how many they have. */
function findLayers(source: FileSource, start: number, count: number, refuse: ErrorFactory) {
  const [addresses, lineCounts] = [new Float64Array(count), new Uint32Array(count)];
  let at = start;
  for (let k = 0; k < count; k++) {
    const frame = new BigEndianReader(readRange(source, at, 8), refuse, 4);
    addresses[k] = at + 8;
    lineCounts[k] = frame.u32();
    at += LAYER_FRAME_BYTES + LINE_BYTES * lineCounts[k];
  }
  return { addresses, lineCounts };
}
