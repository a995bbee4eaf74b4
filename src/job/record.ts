import { Buffer } from "node:buffer";
import type { JobThumbnail } from "./job.ts";

/** Bytes of one or several fields of a record. */
export type Field = Buffer | Uint8Array;

/** Makes the fields of records whose numbers have one order of bytes. */
export interface FieldMaker {
  u16(value: number): Field;
  u32(value: number): Field;
  f32(value: number): Field;
  /** The thumbnail on black, as 16-bit pixels with 5, 6 and 5 bits of red, green and blue, red in the highest bits. */
  rgb565(thumbnail: JobThumbnail): Field;
}

const fieldMaker = (littleEndian: boolean): FieldMaker => {
  const field = (size: number, set: (view: DataView) => void): Field => {
    const bytes = Buffer.alloc(size);
    set(new DataView(bytes.buffer, bytes.byteOffset, size));
    return bytes;
  };
  return {
    u16: (value) => field(2, (view) => view.setUint16(0, value, littleEndian)),
    u32: (value) => field(4, (view) => view.setUint32(0, value, littleEndian)),
    f32: (value) => field(4, (view) => view.setFloat32(0, value, littleEndian)),
    rgb565: ({ rgba }) =>
      field(rgba.length / 2, (view) => {
        for (let from = 0, to = 0; from < rgba.length; from += 4, to += 2) {
          const alpha = rgba[from + 3] / (255 * 255);
          const [red, green, blue] = [31, 63, 31].map((max, i) => Math.round(rgba[from + i] * alpha * max));
          view.setUint16(to, (red << 11) | (green << 5) | blue, littleEndian);
        }
      }),
  };
};

export const LITTLE_ENDIAN = fieldMaker(true);
export const BIG_ENDIAN = fieldMaker(false);

export const u8 = (value: number): Field => Buffer.of(value);

/** UTF-8, truncated between characters and padded with zeros to `size` bytes, of which at least one is zero. */
export function text(value: string, size: number): Field {
  const bytes = Buffer.alloc(size);
  new TextEncoder().encodeInto(value, bytes.subarray(0, size - 1));
  return bytes;
}

export const zeros = (size: number): Field => new Uint8Array(size);

export const byteLength = (fields: readonly Field[]): number => fields.reduce((sum, { length }) => sum + length, 0);
