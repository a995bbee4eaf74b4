import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { type GreyRuns, greyRuns } from "../grey-runs.ts";

const BLACK = 0;
const WHITE = 15;
/** Longest run of black or white pixels, and of greys. */
const MAX_LENGTH = 4095;
const MAX_GREY_LENGTH = 15;

/** The nearest of 16 grey levels, by the value of a pixel. */
const NEAREST = Uint8Array.from({ length: 256 }, (_, value) => Math.round(value / 17));
/** Black or white, for panels that show greys as time slices in a layout that is not documented. */
const BLACK_OR_WHITE = NEAREST.map((level) => (level < 8 ? BLACK : WHITE));

/**
 * A layer in Anycubic's runs of 4 bits (`pw0Img`): the high half of a byte is the level. The run of a grey is the low half; of black and
 * white, the low half and the next byte. Runs continue from row to row.
 */
export function encodePw0Layer(layer: LayerRuns, isBinary: boolean): Uint8Array {
  const runs = greyRuns(layer, isBinary ? BLACK_OR_WHITE : NEAREST);
  const bytes = new Uint8Array(encodedBytes(runs));
  let at = 0;
  for (let run = 0; run < runs.count; run++) {
    const level = runs.levels[run];
    const isLong = level === BLACK || level === WHITE;
    const max = isLong ? MAX_LENGTH : MAX_GREY_LENGTH;
    for (let left = runs.lengths[run]; left > 0; left -= max) {
      const length = Math.min(left, max);
      bytes[at++] = (level << 4) | (isLong ? length >> 8 : length);
      if (isLong) bytes[at++] = length & 0xff;
    }
  }
  return bytes;
}

function encodedBytes({ count, levels, lengths }: GreyRuns): number {
  let bytes = 0;
  for (let run = 0; run < count; run++) {
    const isLong = levels[run] === BLACK || levels[run] === WHITE;
    bytes += isLong ? 2 * Math.ceil(lengths[run] / MAX_LENGTH) : Math.ceil(lengths[run] / MAX_GREY_LENGTH);
  }
  return bytes;
}
