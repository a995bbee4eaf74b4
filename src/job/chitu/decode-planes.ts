import type { ErrorFactory } from "../../core/api-error.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import type { RunsBuilder } from "../runs-builder.ts";

/** The place in a plane: the rest of the run at which the decoder is, and whether it is lit. */
interface PlaneCursor {
  readonly bytes: Uint8Array;
  next: number;
  left: number;
  lit: number;
}

/**
 * Decodes a layer of pictures of one bit (catibo, "RLE1"): bit 7 of each byte is the colour, the other bits are the length of its run. A
 * pixel that is lit in c of n planes has the value 256 c / n − 1, which is lit in the same planes if it is written again.
 */
export function decodePlanes(planes: readonly Uint8Array[], into: RunsBuilder, refuse: ErrorFactory): LayerRuns {
  into.begin();
  const values = Array.from({ length: planes.length + 1 }, (_, c) =>
    Math.max(0, Math.floor((256 * c) / planes.length) - 1),
  );
  const cursors = planes.map((bytes): PlaneCursor => ({ bytes, next: 0, left: 0, lit: 0 }));
  for (;;) {
    let length = Infinity;
    let lit = 0;
    for (const cursor of cursors) {
      if (cursor.left === 0) advance(cursor);
      if (cursor.left < length) length = cursor.left;
      lit += cursor.lit;
    }
    if (length === 0) break;
    into.add(values[lit], length);
    for (const cursor of cursors) cursor.left -= length;
  }
  if (cursors.some(({ left }) => left > 0)) {
    throw refuse("the planes of one of its pictures differ in size; take another copy of it");
  }
  return into.finish();
}

/** Goes on to the next run that has pixels, if there is one. */
function advance(cursor: PlaneCursor): void {
  while (cursor.left === 0 && cursor.next < cursor.bytes.length) {
    const byte = cursor.bytes[cursor.next++];
    cursor.left = byte & 0x7f;
    cursor.lit = byte >> 7;
  }
}
