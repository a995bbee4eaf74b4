import { Buffer } from "node:buffer";
import { crc32, createInflate } from "node:zlib";
import type { ErrorFactory } from "../core/api-error.ts";
import { ApiError } from "../core/api-error.ts";
import { inflatedChunks } from "./inflated-reader.ts";
import { CHUNK_FRAME_BYTES, PNG_SIGNATURE } from "./png.ts";
import { unfilterRow } from "./unfilter-png-row.ts";

// Source: PNG (Third Edition), W3C; chunks: sections 5 and 11.2; colour types: section 11.2.1.

/** Channels of a pixel. Indices refer to a palette. */
export const PNG_CHANNELS = { GREY: 1, RGB: 3, INDEX: 1, GREY_ALPHA: 2, RGB_ALPHA: 4 } as const;

export type PngColour = keyof typeof PNG_CHANNELS;

const COLOUR_OF_TYPE: Readonly<Record<number, PngColour>> = {
  0: "GREY",
  2: "RGB",
  3: "INDEX",
  4: "GREY_ALPHA",
  6: "RGB_ALPHA",
};

export interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** Bits of a channel: 8, or 1, 2 or 4 for one channel. */
  readonly bits: number;
  readonly colour: PngColour;
}

export interface PngFile extends PngHeader {
  /** Red, green and blue of each index; empty without a palette. */
  readonly palette: Uint8Array;
  /** The deflated rows, in pieces. */
  readonly data: readonly Uint8Array[];
}

const TAKE_ANOTHER = "the file is damaged; take another copy of it";
/** The signature, and the header with its frame. */
export const PNG_HEADER_BYTES = 8 + 13 + CHUNK_FRAME_BYTES;

/** The header of a PNG file, by its first {@link PNG_HEADER_BYTES} bytes. Throws the error of `refuse` for a damaged or unsupported one. */
export function readPngHeader(bytes: Uint8Array, refuse: ErrorFactory): PngHeader {
  const hasSignature = PNG_SIGNATURE.every((byte, i) => bytes[i] === byte);
  if (!hasSignature || bytes.length < PNG_HEADER_BYTES)
    throw refuse(`one of its pictures is no PNG file: ${TAKE_ANOTHER}`);
  const { type, data } = chunkAt(bytes, PNG_SIGNATURE.length, refuse);
  if (type !== "IHDR" || data.length !== 13) throw refuse(`one of its pictures has no header: ${TAKE_ANOTHER}`);
  const view = new DataView(data.buffer, data.byteOffset);
  const [bits, colourType, compression, filter, interlace] = data.subarray(8);
  const colour = COLOUR_OF_TYPE[colourType];
  const isPacked = (bits === 1 || bits === 2 || bits === 4) && (colour === "GREY" || colour === "INDEX");
  if (colour === undefined || !(bits === 8 || isPacked) || compression !== 0 || filter !== 0) {
    throw refuse(
      `one of its pictures has ${bits} bits of colour type ${colourType}; grey of 1 to 8 bits and colours of 8 bits are read: save it so`,
    );
  }
  if (interlace !== 0) throw refuse("one of its pictures is interlaced; save it without interlacing");
  return { width: view.getUint32(0), height: view.getUint32(4), bits, colour };
}

/** Reads the chunks of a PNG file and checks their checksums. Throws the error of `refuse` for a damaged or unsupported file. */
export function readPng(bytes: Uint8Array, refuse: ErrorFactory): PngFile {
  const header = readPngHeader(bytes, refuse);
  const data: Uint8Array[] = [];
  let palette = new Uint8Array();
  for (let at = PNG_HEADER_BYTES; ;) {
    const chunk = chunkAt(bytes, at, refuse);
    if (chunk.type === "IEND") break;
    if (chunk.type === "IDAT") data.push(chunk.data);
    if (chunk.type === "PLTE") palette = Uint8Array.from(chunk.data);
    at += CHUNK_FRAME_BYTES + chunk.data.length;
  }
  if (header.colour === "INDEX" && palette.length === 0) {
    throw refuse(`one of its pictures lacks its palette: ${TAKE_ANOTHER}`);
  }
  return { ...header, palette, data };
}

function chunkAt(bytes: Uint8Array, at: number, refuse: ErrorFactory): { type: string; data: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = at + CHUNK_FRAME_BYTES <= bytes.length ? view.getUint32(at) : Infinity;
  if (at + CHUNK_FRAME_BYTES + length > bytes.length)
    throw refuse(`one of its pictures ends too early: ${TAKE_ANOTHER}`);
  const end = at + 8 + length;
  if (crc32(bytes.subarray(at + 4, end)) !== view.getUint32(end)) {
    throw refuse(`one of its pictures has a wrong checksum: ${TAKE_ANOTHER}`);
  }
  return { type: Buffer.from(bytes.subarray(at + 4, at + 8)).toString("latin1"), data: bytes.subarray(at + 8, end) };
}

export const pngRowBytes = ({ width, bits, colour }: PngHeader): number =>
  Math.ceil((width * bits * PNG_CHANNELS[colour]) / 8);

/** Larger chunks are not faster: about a millionth of a second is lost for each. */
const INFLATED_CHUNK_BYTES = 128 * 1024;

/**
 * Inflates and unfilters the rows of a picture from the top. `visit` gets the bytes of each row, which the next row overwrites, and whether
 * it is equal to the row above. Only some rows are in memory. Throws the error of `refuse` for damaged, missing or too many bytes.
 */
export async function readPngRows(
  png: PngFile,
  refuse: ErrorFactory,
  visit: (row: Uint8Array, equalsAbove: boolean) => void,
): Promise<void> {
  const rows = new RowUnfilter(png, refuse, visit);
  try {
    for await (const chunk of inflatedChunks(png.data, createInflate({ chunkSize: INFLATED_CHUNK_BYTES }))) {
      rows.take(chunk);
    }
  } catch (thrown) {
    if (thrown instanceof ApiError) throw thrown;
    throw refuse(`one of its pictures is damaged (${(thrown as Error).message}); take another copy of it`);
  }
  rows.end();
}

/** Divides inflated bytes into rows and removes their filters. */
class RowUnfilter {
  readonly #png: PngFile;
  readonly #refuse: ErrorFactory;
  readonly #visit: (row: Uint8Array, equalsAbove: boolean) => void;
  readonly #pixelBytes: number;
  /** The row before, and the filter and the bytes of the next one; both padded to whole words. */
  readonly #row: Uint8Array<ArrayBuffer>;
  readonly #line: Uint8Array<ArrayBuffer>;
  readonly #lineBytes: number;
  #filled = 0;
  #rows = 0;

  constructor(png: PngFile, refuse: ErrorFactory, visit: (row: Uint8Array, equalsAbove: boolean) => void) {
    [this.#png, this.#refuse, this.#visit] = [png, refuse, visit];
    const rowBytes = pngRowBytes(png);
    this.#lineBytes = rowBytes + 1;
    this.#row = new Uint8Array(4 * Math.ceil(rowBytes / 4));
    this.#line = new Uint8Array(4 * Math.ceil(rowBytes / 4) + 4);
    this.#pixelBytes = Math.max(1, (png.bits * PNG_CHANNELS[png.colour]) / 8);
  }

  take(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#rows === this.#png.height) throw this.#refuse(`one of its pictures has too many rows: ${TAKE_ANOTHER}`);
      const count = Math.min(chunk.length - at, this.#lineBytes - this.#filled);
      // The bytes of the row begin at a whole word, behind the filter.
      this.#line.set(chunk.subarray(at, at + count), 3 + this.#filled);
      this.#filled += count;
      at += count;
      if (this.#filled === this.#lineBytes) this.#endRow();
    }
  }

  end(): void {
    if (this.#rows < this.#png.height) throw this.#refuse(`one of its pictures lacks rows: ${TAKE_ANOTHER}`);
  }

  #endRow(): void {
    const filter = this.#line[3];
    const equalsAbove = unfilterRow({
      filter,
      line: this.#line.subarray(4),
      row: this.#row,
      length: this.#lineBytes - 1,
      pixelBytes: this.#pixelBytes,
    });
    if (equalsAbove === undefined)
      throw this.#refuse(`one of its pictures has an unknown filter (${filter}): ${TAKE_ANOTHER}`);
    this.#visit(this.#row.subarray(0, this.#lineBytes - 1), equalsAbove && this.#rows > 0);
    this.#filled = 0;
    this.#rows++;
  }
}
