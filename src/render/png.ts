import { constants, deflateSync } from "node:zlib";
import { chunk, endChunk, headerChunk, PNG_SIGNATURE } from "../format/png/chunks.ts";
import type { Picture } from "./item.ts";

/** Beyond it, files of rendered pictures hardly shrink while the time doubles. */
const LEVEL = 5;

const CHANNELS = 3;
const [SUB, UP] = [1, 2];

/** A PNG file of the picture: 8 bits of red, green and blue. */
export function encodePng({ width, height, rgba }: Picture): Uint8Array[] {
  const data = deflateSync(filtered(withoutAlpha(rgba), width * CHANNELS, height), {
    level: LEVEL,
    strategy: constants.Z_FILTERED,
  });
  return [PNG_SIGNATURE, headerChunk(width, height, "rgb"), chunk("IDAT", data), endChunk()];
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

/**
 * The rows as PNG (Third Edition, section 9) filters them: each by whichever of Sub and Up leaves the smaller
 * differences (section 12.7).
 */
function filtered(rgb: Uint8Array, rowBytes: number, height: number): Uint8Array {
  const output = new Uint8Array((rowBytes + 1) * height);
  const [bySub, byUp] = [new Uint8Array(rowBytes), new Uint8Array(rowBytes)];
  for (let row = 0; row < height; row++) {
    const start = row * rowBytes;
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
    output[start + row] = subSize < upSize ? SUB : UP;
    output.set(subSize < upSize ? bySub : byUp, start + row + 1);
  }
  return output;
}
