import type { Buffer } from "node:buffer";
import type { ErrorFactory } from "../core/api-error.ts";
import { ByteReader } from "./byte-reader.ts";

/** Reads consecutive fields of a record, in one order of bytes. */
export type FieldReader = Pick<ByteReader, "at" | "left" | "skip" | "take" | "u8" | "u16" | "u32" | "f32">;

/** Reads consecutive big-endian numbers, as {@link ByteReader} reads little-endian ones. */
export class BigEndianReader implements FieldReader {
  readonly #bytes: ByteReader;

  constructor(bytes: Uint8Array, refuse: ErrorFactory, at = 0) {
    this.#bytes = new ByteReader(bytes, refuse, at);
  }

  get at(): number {
    return this.#bytes.at;
  }

  get left(): number {
    return this.#bytes.left;
  }

  skip(count: number): number {
    return this.#bytes.skip(count);
  }

  take(count: number): Buffer {
    return this.#bytes.take(count);
  }

  u8(): number {
    return this.#bytes.u8();
  }

  u16(): number {
    return this.take(2).readUInt16BE();
  }

  u32(): number {
    return this.take(4).readUInt32BE();
  }

  f32(): number {
    return this.take(4).readFloatBE();
  }
}
