import type { ErrorFactory } from "../../core/api-error.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import type { RunsBuilder } from "../runs-builder.ts";

const MARK = 0x55;
/** Mark and checksum. */
const FRAME_BYTES = 2;
/** Bits 7 and 6 of the first byte of a chunk; the remaining kind is a run of 0. */
const [GREY, DIFFERENCE, FULL] = [0x40, 0x80, 0xc0] as const;
/** Flags of differences: the value decreases; a byte with the length follows. */
const [NEGATIVE, HAS_LENGTH] = [0x20, 0x10] as const;
const DAMAGED = "one of its pictures is damaged; take another copy of it";

/**
 * Decodes a layer of a `.goo` file (specification 1.2): a mark, runs of equal pixels, and the inverted sum of their bytes. Throws the error of
 * `refuse` if mark or sum differ.
 */
export function decodeGooLayer(data: Uint8Array, into: RunsBuilder, refuse: ErrorFactory): LayerRuns {
  const end = data.length - 1;
  if (data.length < FRAME_BYTES || data[0] !== MARK || data[end] !== checksumOf(data, 1, end)) throw refuse(DAMAGED);
  into.begin();
  let value = 0;
  for (let at = 1; at < end;) {
    const head = data[at++];
    const kind = head & FULL;
    let length = 1;
    if (kind === DIFFERENCE) {
      value += head & NEGATIVE ? -(head & 15) : head & 15;
      if (head & HAS_LENGTH) length = data[at++];
    } else {
      value = kind === GREY ? data[at++] : kind === FULL ? 255 : 0;
      length = 0;
      for (let more = (head >> 4) & 3; more > 0; more--) length = (length << 8) | data[at++];
      length = (length << 4) | (head & 15);
    }
    // The last chunk may reach into the checksum or beyond it.
    if (at > end || value < 0 || value > 255) throw refuse(DAMAGED);
    into.add(value, length);
  }
  return into.finish();
}

/** The inverse of the sum of bytes, 8 bits. */
function checksumOf(data: Uint8Array, from: number, end: number): number {
  let sum = 0;
  for (let at = from; at < end; at++) sum += data[at];
  return ~sum & 255;
}
