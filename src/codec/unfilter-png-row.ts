import { Buffer } from "node:buffer";

// Source: PNG (Third Edition), W3C, section 9.2.
const [NONE, SUB, UP, AVERAGE, PAETH] = [0, 1, 2, 3, 4] as const;

/** A filtered row of a PNG picture. */
export interface FilteredRow {
  readonly filter: number;
  /** The filtered bytes. They, and `row`, begin at a multiple of four bytes of their buffers and are padded with zeros to whole words. */
  readonly line: Uint8Array<ArrayBuffer>;
  /** The bytes of the row above, which become those of the row. */
  readonly row: Uint8Array<ArrayBuffer>;
  /** Bytes without the padding. */
  readonly length: number;
  /** Distance of the byte to the left that has the same channel, at least 1. */
  readonly pixelBytes: number;
}

/**
 * Removes the filter of a row. Returns whether the row equals the one above, or undefined for an unknown filter. A loop for each filter:
 * pictures of layers have millions of bytes, most of them zeros with the filter Up.
 */
export function unfilterRow({ filter, line, row, length, pixelBytes }: FilteredRow): boolean | undefined {
  if (filter === NONE) {
    if (Buffer.compare(line, row) === 0) return true;
    row.set(line);
  } else if (filter === UP) {
    return addAbove(line, row);
  } else if (filter === SUB) {
    row.set(line);
    for (let x = pixelBytes; x < length; x++) row[x] += row[x - pixelBytes];
  } else if (filter === AVERAGE) {
    for (let x = 0; x < length; x++) row[x] = line[x] + (((x < pixelBytes ? 0 : row[x - pixelBytes]) + row[x]) >> 1);
  } else if (filter === PAETH) {
    addPaeth(line, row, length, pixelBytes);
  } else {
    return undefined;
  }
  return false;
}

/** Adds the row above where the differences are not 0. Returns whether all are 0. */
function addAbove(line: Uint8Array<ArrayBuffer>, row: Uint8Array): boolean {
  const words = new Int32Array(line.buffer, line.byteOffset, line.length >> 2);
  let equals = true;
  for (let word = 0; word < words.length; word++) {
    if (words[word] === 0) continue;
    equals = false;
    for (let x = 4 * word; x < 4 * word + 4; x++) row[x] += line[x];
  }
  return equals;
}

function addPaeth(line: Uint8Array, row: Uint8Array, length: number, pixelBytes: number): void {
  const corners = new Uint8Array(pixelBytes);
  for (let x = 0; x < length; x++) {
    const channel = x % pixelBytes;
    const [left, above, corner] = [x < pixelBytes ? 0 : row[x - pixelBytes], row[x], corners[channel]];
    const estimate = left + above - corner;
    const [toLeft, toAbove, toCorner] = [
      Math.abs(estimate - left),
      Math.abs(estimate - above),
      Math.abs(estimate - corner),
    ];
    corners[channel] = above;
    row[x] = line[x] + (toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner);
  }
}
