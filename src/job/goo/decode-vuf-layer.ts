import type { ErrorFactory } from "../../core/api-error.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import type { RunsBuilder } from "../runs-builder.ts";
import { panelWidths } from "./goo5-tables.ts";

const MARK = 0x55;
/** Mark, checksum and delimiter. */
const FRAME_BYTES = 4;
const DAMAGED = "one of its pictures is damaged; take another copy of it";
/** In files with black and white only. */
const BINARY_LEVEL = 7;
const FROM_WHITE_TO_BLACK = 0x99;

/** Decodes the chunks of a half of a layer (`encode-vuf-layer.ts`), one run after the other. */
class PanelRuns {
  /** Value and remaining pixels of the present run. */
  value = 0;
  left = 0;
  #at = 1;
  #level = 0;
  readonly #end: number;
  readonly #bytes: Uint8Array;
  readonly #maxLevel: number;
  readonly #refuse: ErrorFactory;

  /** Throws the error of `refuse` if mark, checksum or delimiter differ. */
  constructor(bytes: Uint8Array, pixels: number, maxLevel: number, refuse: ErrorFactory) {
    [this.#bytes, this.#maxLevel, this.#refuse] = [bytes, maxLevel, refuse];
    this.#end = bytes.length - FRAME_BYTES + 1;
    let sum = 0;
    for (let at = 1; at < this.#end; at++) sum += bytes[at];
    const frame = [bytes[0], bytes[this.#end], bytes[this.#end + 1], bytes[this.#end + 2]];
    const expected = [MARK, ~sum & 255, 0x0d, 0x0a];
    if (bytes.length < FRAME_BYTES || frame.some((byte, i) => byte !== expected[i])) throw refuse(DAMAGED);
    const chunks = bytes.subarray(1, this.#end);
    if (maxLevel === BINARY_LEVEL && pixelsOf(chunks) === pixels - 1) this.#beginWithPixel(chunks);
  }

  /**
   * The writer of black and white that another program has leaves out the first pixel of a half, whose colour is the one from which the
   * first change of colour starts.
   */
  #beginWithPixel(chunks: Uint8Array): void {
    let at = 0;
    while (at < chunks.length && chunks[at] < 0x80) at += sizeOf(chunks[at]);
    this.#level = chunks[at] === FROM_WHITE_TO_BLACK ? BINARY_LEVEL : 0;
    this.value = this.#level === 0 ? 0 : 255;
    this.left = 1;
  }

  /** Goes on to the next run. Returns false after the last one. */
  advance(): boolean {
    if (this.#at === this.#end) return false;
    const bytes = this.#bytes;
    const at = this.#at;
    const head = bytes[at];
    this.#at += sizeOf(head);
    this.left = lengthAt(bytes, at);
    if (head < 0x08) this.#level = bytes[at + 1];
    else if (head < 0x40) this.#level = (head & 7) === 7 ? this.#maxLevel : head & 7;
    else if (head >= 0x80) this.#level += head === 0xa0 ? 32 : (head & 63) - 32;
    const isValid = this.#at <= this.#end && head < 0xc0 && this.#level >= 0 && this.#level <= this.#maxLevel;
    if (!isValid) throw this.#refuse(DAMAGED);
    this.value = Math.round((255 * this.#level) / this.#maxLevel);
    return true;
  }
}

/** Bytes of a chunk, by its first one: a new level, and the length of a run of the same level, may follow. */
function sizeOf(head: number): number {
  if (head < 0x08) return 2;
  return head >= 0x40 && head < 0x80 ? 1 + ((head >> 4) & 3) : 1;
}

/** Pixels of the chunk at an index. A long run has the lowest four bits in the first byte, the others in up to three more, lowest first. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const head = bytes[at];
  if (head < 0x08) return head + 1;
  if (head < 0x40) return head >> 3;
  if (head >= 0x80) return 1;
  let length = head & 15;
  for (let k = 1, more = (head >> 4) & 3; k <= more; k++) length |= bytes[at + k] << (8 * k - 4);
  return length + 1;
}

function pixelsOf(chunks: Uint8Array): number {
  let pixels = 0;
  for (let at = 0; at < chunks.length; at += sizeOf(chunks[at])) pixels += lengthAt(chunks, at);
  return pixels;
}

/**
 * Decodes a layer of a `.goo` file of version 5, whose levels have `bits` bits: its left and its right half. Throws the error of `refuse`
 * for halves that are damaged, and for those with too few or too many pixels.
 */
export function decodeVufLayer(
  panels: readonly Uint8Array[],
  bits: number,
  [columns, rows]: readonly [number, number],
  into: RunsBuilder,
  refuse: ErrorFactory,
): LayerRuns {
  const widths = panelWidths(columns);
  const halves = panels.map((bytes, k) => new PanelRuns(bytes, widths[k] * rows, 2 ** bits - 1, refuse));
  into.begin();
  for (let row = 0; row < rows; row++) {
    for (const [k, half] of halves.entries()) {
      for (let missing = widths[k]; missing > 0;) {
        if (half.left === 0 && !half.advance()) return into.finish();
        const length = Math.min(missing, half.left);
        into.add(half.value, length);
        missing -= length;
        half.left -= length;
      }
    }
  }
  if (halves.some((half) => half.left > 0 || half.advance())) {
    throw refuse("one of its pictures has more pixels than the file states; take another copy of it");
  }
  return into.finish();
}
