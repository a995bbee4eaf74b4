import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { type GreyRuns, greyRuns } from "../grey-runs.ts";
import { panelWidths } from "./goo5-tables.ts";

/** Most pixels that a chunk adds with a new level, and with the level before it. */
const [MAX_NEW, MAX_SAME] = [8, 2 ** 28];
const SAME = 0x40;
const DIFFERENCE = 0x80;
/** The largest difference, to either side; +32 has the code of a difference of 0. */
const MAX_DIFFERENCE = 32;
/** Bytes around the chunks: a mark; their checksum and a delimiter. */
const [START_BYTES, END_BYTES] = [1, 3];
/** A run takes at most a new level and a chunk of four bytes. */
const MAX_RUN_BYTES = 6;

const LEVELS = Uint8Array.from({ length: 256 }, (_, value) => value);

/** A layer of a `.goo` file of version 5: its left and its right half, row by row. */
export const encodeVufLayer = (layer: LayerRuns): readonly Uint8Array[] => {
  const [left] = panelWidths(layer.width);
  return [
    encodePanel(greyRuns(columnsOf(layer, 0, left), LEVELS)),
    encodePanel(greyRuns(columnsOf(layer, left, layer.width), LEVELS)),
  ];
};

/** The columns from `from` to `to` of a layer. */
function columnsOf(layer: LayerRuns, from: number, to: number): LayerRuns {
  const capacity = layer.rowStarts[layer.height];
  const [starts, ends] = [new Uint16Array(capacity), new Uint16Array(capacity)];
  const values = new Uint8Array(capacity);
  const rowStarts = new Uint32Array(layer.height + 1);
  let count = 0;
  for (let row = 0; row < layer.height; row++) {
    for (let run = layer.rowStarts[row]; run < layer.rowStarts[row + 1]; run++) {
      const start = Math.max(from, layer.starts[run]);
      const end = Math.min(to, layer.ends[run]);
      if (start >= end) continue;
      starts[count] = start - from;
      ends[count] = end - from;
      values[count++] = layer.values[run];
    }
    rowStarts[row + 1] = count;
  }
  return { width: to - from, height: layer.height, rowStarts, starts, ends, values };
}

/** Chunks of equal pixels, in which a level stays until another one replaces it; it is 0 at first. */
function encodePanel({ count, levels, lengths }: GreyRuns): Uint8Array {
  let pixels = 0;
  for (let run = 0; run < count; run++) pixels += lengths[run];
  const bytes = new Uint8Array(START_BYTES + MAX_RUN_BYTES * (count + Math.ceil(pixels / MAX_SAME)) + END_BYTES);
  bytes[0] = 0x55;
  let at = START_BYTES;
  let level = 0;
  for (let run = 0; run < count; run++) {
    let left = lengths[run];
    const difference = levels[run] - level;
    level = levels[run];
    if (left === 1 && difference !== 0 && Math.abs(difference) <= MAX_DIFFERENCE) {
      bytes[at++] = DIFFERENCE | ((difference + MAX_DIFFERENCE) & 0x3f) | (difference === MAX_DIFFERENCE ? 0x20 : 0);
      continue;
    }
    if (difference !== 0) {
      const now = Math.min(left, MAX_NEW);
      bytes[at++] = now - 1;
      bytes[at++] = level;
      left -= now;
    }
    for (; left > 0; left -= MAX_SAME) at = appendSame(bytes, at, Math.min(left, MAX_SAME));
  }
  let sum = 0;
  for (let k = START_BYTES; k < at; k++) sum += bytes[k];
  bytes.set([~sum & 255, 0x0d, 0x0a], at);
  return bytes.slice(0, at + END_BYTES);
}

/** Writes a chunk of `length` pixels with the present level; returns the index after it. */
function appendSame(bytes: Uint8Array, at: number, length: number): number {
  const head = at++;
  let more = 0;
  for (let rest = (length - 1) >> 4; rest > 0; rest >>= 8, more++) bytes[at++] = rest;
  bytes[head] = SAME | (more << 4) | ((length - 1) & 15);
  return at;
}
