import { Buffer } from "node:buffer";
import { constants, crc32, deflateRawSync } from "node:zlib";
import type { Progress } from "../core/progress.ts";
import { newRowFilter } from "./png-rows.ts";

// Source: PNG (Third Edition), W3C; chunks: sections 5.2 to 5.3 and 11.2; filters: section 9.

/** An opaque picture: red, green, blue and 255 of each pixel, row by row from the top left, sRGB. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** Higher levels double the time for hardly smaller files of rendered pictures. */
const DEFLATE_LEVEL = 5;

const CHANNELS = 3;

/** Bytes that are filtered and deflated at a time: about 10 ms of work. */
const STRIP_BYTES = 2 ** 19;

// Source of the stream around the strips: RFC 1950, section 2.2.
const ZLIB_HEADER = Uint8Array.of(0x78, 0x5e);
/** The window of deflate: the end of a strip is the dictionary of the next one. */
const WINDOW_BYTES = 2 ** 15;

/** Encodes the picture as a PNG file, in pieces, with 8 bits of red, green and blue. */
export function encodePng(picture: Picture, progress: Progress): Uint8Array[] {
  const { width, height, rgba } = picture;
  const rowsPerStrip = Math.max(1, Math.floor(STRIP_BYTES / (width * CHANNELS + 1)));
  const data: Uint8Array[] = [ZLIB_HEADER];
  const rows = newRowFilter(width, Math.min(height, rowsPerStrip));
  let dictionary: Uint8Array | undefined;
  for (let top = 0; top < height; top += rowsPerStrip) {
    progress.report(top / height);
    const end = Math.min(height, top + rowsPerStrip);
    const strip = rows.filter(rgba.subarray(4 * width * Math.max(0, top - 1), 4 * width * end), end - top);
    const finishFlush = end === height ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
    data.push(deflateRawSync(strip, { level: DEFLATE_LEVEL, strategy: constants.Z_FILTERED, dictionary, finishFlush }));
    dictionary = strip.slice(-WINDOW_BYTES);
  }
  const tail = Buffer.alloc(4);
  tail.writeInt32BE(rows.checksum());
  const stream = Buffer.concat([...data, tail]);
  return [PNG_SIGNATURE, headerChunk(width, height, "rgb"), pngChunk("IDAT", stream), endChunk()];
}

/** The eight bytes that every PNG file starts with. */
export const PNG_SIGNATURE: Uint8Array = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

const COLOUR_TYPES = { grey: 0, rgb: 2, rgba: 6 } as const;

/** Bytes of the length, the type and the checksum of a chunk. */
export const CHUNK_FRAME_BYTES = 12;

/** The `IHDR` chunk of a picture with 8 bits a channel, deflated, not interlaced. */
export function headerChunk(width: number, height: number, colour: keyof typeof COLOUR_TYPES): Uint8Array {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = 8;
  data[9] = COLOUR_TYPES[colour];
  return pngChunk("IHDR", data);
}

/** The chunk that ends every PNG file. */
export const endChunk = (): Uint8Array => pngChunk("IEND", new Uint8Array());

/** A chunk: the length of its data, its type of four letters, the data and a checksum of type and data. */
function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(CHUNK_FRAME_BYTES + data.length);
  bytes.set(data, 8);
  frameChunk(bytes, 0, type, data.length);
  return bytes;
}

/** Writes length, type and checksum around the `length` bytes of data that are already in `bytes` from `at + 8` on. */
export function frameChunk(bytes: Uint8Array, at: number, type: string, length: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, CHUNK_FRAME_BYTES + length);
  view.setUint32(0, length);
  bytes.set(Buffer.from(type, "latin1"), at + 4);
  view.setUint32(8 + length, crc32(bytes.subarray(at + 4, at + 8 + length)));
}
