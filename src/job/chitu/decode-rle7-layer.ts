import type { ErrorFactory } from "../../core/api-error.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import type { RunsBuilder } from "../runs-builder.ts";

/** Bytes of the length of a run after its first one, by the upper four bits of that, and its bits that count. */
const MORE_BYTES = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3];
const FIRST_BITS = [0x7f, 0x3f, 0x1f, 0x0f];

/** Decodes the unmasked data of a layer: runs of 128 grey levels (catibo, "RLE7"). Level 0 is black, level v has the value 2 v + 1. */
export function decodeRle7Layer(data: Uint8Array, into: RunsBuilder, refuse: ErrorFactory): LayerRuns {
  into.begin();
  let at = 0;
  while (at < data.length) {
    const head = data[at++];
    const level = head & 0x7f;
    let length = 1;
    if (head & 0x80) {
      const more = MORE_BYTES[data[at] >> 4];
      if (!(at + more < data.length)) throw refuse("one of its pictures ends within a run; take another copy of it");
      length = data[at] & FIRST_BITS[more];
      for (let k = 1; k <= more; k++) length = length * 256 + data[at + k];
      at += 1 + more;
    }
    into.add(level === 0 ? 0 : 2 * level + 1, length);
  }
  return into.finish();
}
