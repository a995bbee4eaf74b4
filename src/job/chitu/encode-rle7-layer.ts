import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { greyRuns } from "../grey-runs.ts";

/**
 * The nearest of 128 levels, by the value of a pixel. Level v is read as the value 2 v + 1, so that a job that is read and written again
 * keeps its greys; the faintest light stays lit.
 */
const NEAREST = Uint8Array.from({ length: 256 }, (_, value) => (value === 1 ? 1 : value >> 1));
/** Black or white, for panels that show greys as time slices in a layout that is not documented. */
const BLACK_OR_WHITE = Uint8Array.from({ length: 256 }, (_, value) => (value < 127 ? 0 : 127));

const RUN_FOLLOWS = 0x80;
/** The bits that state whether a length has one, two, three or four bytes, in which 7, 14, 21 or 28 bits are its own. */
const SIZE_MARKS = Uint8Array.of(0, 0x80, 0xc0, 0xe0);
const MAX_LENGTH = 2 ** 28 - 1;

/** A layer in runs of 7 bits: a byte with the level, and the length of its run, unless it is one pixel. Runs continue from row to row. */
export function encodeRle7Layer(layer: LayerRuns, isBinary: boolean): Uint8Array {
  const { count, levels, lengths } = greyRuns(layer, isBinary ? BLACK_OR_WHITE : NEAREST);
  const bytes = new Uint8Array(5 * (count + Math.ceil((layer.width * layer.height) / MAX_LENGTH)));
  let at = 0;
  for (let run = 0; run < count; run++) {
    for (let left = lengths[run]; left > 0; left -= MAX_LENGTH) {
      const length = Math.min(left, MAX_LENGTH);
      bytes[at++] = length === 1 ? levels[run] : levels[run] | RUN_FOLLOWS;
      if (length > 1) at = appendLength(bytes, at, length);
    }
  }
  return bytes.slice(0, at);
}

/** Writes the length of a run, high byte first; returns the index after it. */
function appendLength(bytes: Uint8Array, at: number, length: number): number {
  const last = length < 2 ** 7 ? 0 : length < 2 ** 14 ? 1 : length < 2 ** 21 ? 2 : 3;
  bytes[at++] = (length >>> (8 * last)) | SIZE_MARKS[last];
  for (let i = last - 1; i >= 0; i--) bytes[at++] = length >>> (8 * i);
  return at;
}
