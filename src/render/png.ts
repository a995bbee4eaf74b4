import { Buffer } from "node:buffer";
import { constants, deflateRawSync } from "node:zlib";
import type { Watch } from "../core/watch.ts";
import { chunk, endChunk, headerChunk, PNG_SIGNATURE } from "../format/png/chunks.ts";
import type { Picture } from "./item.ts";

/** Beyond it, files of rendered pictures hardly shrink while the time doubles. */
const LEVEL = 5;

const CHANNELS = 3;
const [SUB, UP] = [1, 2];

/** Bytes that are filtered and deflated at a time: about 10 ms of work. */
const STRIP_BYTES = 2 ** 19;

// Source of the stream around the strips: RFC 1950, sections 2.2 and 8.2.
const ZLIB_HEADER = Uint8Array.of(0x78, 0x5e);
/** How far back deflate may point: a strip begins where the window of the one before ends. */
const WINDOW_BYTES = 2 ** 15;
/** The largest prime below 2¹⁶, and how many bytes can be summed up before a sum passes 2³². */
const [ADLER_BASE, ADLER_BYTES] = [65_521, 5552];

/** A PNG file of the picture, in pieces: 8 bits of red, green and blue. */
export function encodePng(picture: Picture, watch: Watch): Uint8Array[] {
  const { width, height } = picture;
  const rowsPerStrip = Math.max(1, Math.floor(STRIP_BYTES / (width * CHANNELS + 1)));
  const data: Uint8Array[] = [ZLIB_HEADER];
  let checksum = 1;
  let dictionary: Uint8Array | undefined;
  for (let top = 0; top < height; top += rowsPerStrip) {
    watch.report(top / height);
    const end = Math.min(height, top + rowsPerStrip);
    const strip = filteredRows(picture, top, end);
    const finishFlush = end === height ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
    data.push(deflateRawSync(strip, { level: LEVEL, strategy: constants.Z_FILTERED, dictionary, finishFlush }));
    checksum = adlerAfter(checksum, strip);
    dictionary = strip.subarray(-WINDOW_BYTES);
  }
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(checksum);
  const stream = Buffer.concat([...data, tail]);
  return [PNG_SIGNATURE, headerChunk(width, height, "rgb"), chunk("IDAT", stream), endChunk()];
}

/**
 * Some rows as PNG (Third Edition, section 9) filters them: each by whichever of Sub and Up leaves the smaller
 * differences (section 12.7).
 */
function filteredRows({ width, rgba }: Picture, top: number, end: number): Uint8Array {
  const rowBytes = width * CHANNELS;
  const rgb = withoutAlpha(rgba.subarray(4 * width * Math.max(0, top - 1), 4 * width * end));
  const output = new Uint8Array((rowBytes + 1) * (end - top));
  const [bySub, byUp] = [new Uint8Array(rowBytes), new Uint8Array(rowBytes)];
  for (let row = top; row < end; row++) {
    const start = (row - Math.max(0, top - 1)) * rowBytes;
    let [subSize, upSize] = [0, 0];
    for (let i = 0; i < rowBytes; i++) {
      const value = rgb[start + i];
      const sub = (value - (i < CHANNELS ? 0 : rgb[start + i - CHANNELS])) & 255;
      const up = (value - (row === 0 ? 0 : rgb[start + i - rowBytes])) & 255;
      bySub[i] = sub;
      byUp[i] = up;
      subSize += sub < 128 ? sub : 256 - sub;
      upSize += up < 128 ? up : 256 - up;
    }
    const at = (row - top) * (rowBytes + 1);
    output[at] = subSize < upSize ? SUB : UP;
    output.set(subSize < upSize ? bySub : byUp, at + 1);
  }
  return output;
}

function withoutAlpha(rgba: Uint8ClampedArray): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * CHANNELS);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += CHANNELS) {
    rgb[to] = rgba[from];
    rgb[to + 1] = rgba[from + 1];
    rgb[to + 2] = rgba[from + 2];
  }
  return rgb;
}

/** The Adler-32 checksum, unsigned, of bytes that come after those of another. */
function adlerAfter(checksum: number, bytes: Uint8Array): number {
  let low = checksum % 0x1_0000;
  let high = Math.floor(checksum / 0x1_0000);
  for (let from = 0; from < bytes.length; from += ADLER_BYTES) {
    const end = Math.min(bytes.length, from + ADLER_BYTES);
    for (let i = from; i < end; i++) {
      low += bytes[i];
      high += low;
    }
    low %= ADLER_BASE;
    high %= ADLER_BASE;
  }
  return high * 0x1_0000 + low;
}
