import { Buffer } from "node:buffer";

/** A piece of a big-endian record. */
export type Field = Buffer | Uint8Array;

export const u8 = (value: number): Field => Buffer.of(value);

export function u16(value: number): Field {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export function u32(value: number): Field {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function f32(value: number): Field {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return bytes;
}

/** UTF-8, cut between characters to leave at least one of the zeros that fill it up to `size`. */
export function text(value: string, size: number): Field {
  const bytes = Buffer.alloc(size);
  new TextEncoder().encodeInto(value, bytes.subarray(0, size - 1));
  return bytes;
}
