import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";

// PNG (Third Edition), W3C, sections 5.2 to 5.3 and 11.2.

/** The eight bytes that every PNG file starts with. */
export const PNG_SIGNATURE: Uint8Array = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

const COLOUR_TYPES = { grey: 0, rgb: 2, rgba: 6 } as const;

/** Length, type and checksum: the bytes of a chunk that are not its data. */
export const CHUNK_FRAME_BYTES = 12;

/** The `IHDR` chunk of a picture with 8 bits a channel, deflated, not interlaced. */
export function headerChunk(width: number, height: number, colour: keyof typeof COLOUR_TYPES): Uint8Array {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = 8;
  data[9] = COLOUR_TYPES[colour];
  return chunk("IHDR", data);
}

/** The chunk that ends every PNG file. */
export const endChunk = (): Uint8Array => chunk("IEND", new Uint8Array());

/** A whole chunk: the length of its data, its type of four letters, the data and their checksum. */
export function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(CHUNK_FRAME_BYTES + data.length);
  bytes.set(data, 8);
  frameChunk(bytes, 0, type, data.length);
  return bytes;
}

/** Puts length, type and checksum around the `length` bytes of data that stand in `bytes` from `at + 8` already. */
export function frameChunk(bytes: Uint8Array, at: number, type: string, length: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, CHUNK_FRAME_BYTES + length);
  view.setUint32(0, length);
  bytes.set(Buffer.from(type, "latin1"), at + 4);
  view.setUint32(8 + length, crc32(bytes.subarray(at + 4, at + 8 + length)));
}
