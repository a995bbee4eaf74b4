import type { LayerRuns } from "../slice/rasterise-layer.ts";

const MAGIC = 0x55;
const FULL = 255;
/** Bits 7 and 6 of a chunk's first byte. */
const KIND_EMPTY = 0x00;
const KIND_GREY = 0x40;
const KIND_DIFFERENCE = 0x80;
const KIND_FULL = 0xc0;
/** Flags of differences: the value decreases; a byte with the length follows. */
const NEGATIVE = 0x20;
const HAS_LENGTH = 0x10;
const MAX_DIFFERENCE = 15;
const MAX_LENGTH = 2 ** 28 - 1;
/** Size of a grey run with three bytes for its length. */
const MAX_CHUNK_BYTES = 5;

let scratch = new Uint8Array();

/** A layer's data in a `.goo` file: the magic byte, chunks of equal pixels, the checksum (specification 1.2). */
export function encodeGooLayer(layer: LayerRuns): Uint8Array {
  const { width, height, rowStarts, starts, ends, values } = layer;
  const capacity = MAX_CHUNK_BYTES * (2 * rowStarts[height] + 1 + Math.ceil((width * height) / MAX_LENGTH)) + 2;
  if (capacity > scratch.length) scratch = new Uint8Array(2 * capacity);
  const bytes = scratch;
  bytes[0] = MAGIC;
  let at = 1;
  let last = 0;
  let value = 0;
  let length = 0;
  const writeChunk = (count: number): void => {
    at = appendChunk(bytes, at, value, count, last);
    last = value;
  };
  const add = (nextValue: number, count: number): void => {
    if (count === 0) return;
    if (nextValue !== value) {
      if (length > 0) writeChunk(length);
      value = nextValue;
      length = 0;
    }
    length += count;
    for (; length > MAX_LENGTH; length -= MAX_LENGTH) writeChunk(MAX_LENGTH);
  };
  for (let row = 0; row < height; row++) {
    let column = 0;
    for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
      add(0, starts[run] - column);
      add(values[run], ends[run] - starts[run]);
      column = ends[run];
    }
    add(0, width - column);
  }
  writeChunk(length);
  bytes[at] = checksum(bytes.subarray(1, at));
  return bytes.slice(0, at + 1);
}

/** Writes one chunk of `length` pixels after a pixel of value `last`; returns the index after the chunk. */
function appendChunk(bytes: Uint8Array, at: number, value: number, length: number, last: number): number {
  const difference = value - last;
  if (value > 0 && value < FULL && Math.abs(difference) <= MAX_DIFFERENCE && isShorterAsDifference(length)) {
    bytes[at++] =
      KIND_DIFFERENCE | (difference < 0 ? NEGATIVE : 0) | (length > 1 ? HAS_LENGTH : 0) | Math.abs(difference);
    if (length > 1) bytes[at++] = length;
    return at;
  }
  const lengthBytes = length < 2 ** 4 ? 0 : length < 2 ** 12 ? 1 : length < 2 ** 20 ? 2 : 3;
  const kind = value === 0 ? KIND_EMPTY : value === FULL ? KIND_FULL : KIND_GREY;
  bytes[at++] = kind | (lengthBytes << 4) | (length & 15);
  if (kind === KIND_GREY) bytes[at++] = value;
  for (let i = lengthBytes - 1; i >= 0; i--) bytes[at++] = length >> (4 + 8 * i);
  return at;
}

/** Whether a difference is a byte shorter than a grey run, which takes two bytes up to 15 pixels and three from there on. */
const isShorterAsDifference = (length: number): boolean => length === 1 || (length > 15 && length <= 255);

/** The complement of the sum of the bytes. */
function checksum(chunks: Uint8Array): number {
  let sum = 0;
  for (const byte of chunks) sum += byte;
  return ~sum & 0xff;
}
