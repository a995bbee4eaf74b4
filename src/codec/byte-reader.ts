import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../core/api-error.ts";

/** Reads consecutive little-endian numbers, and never beyond the end. Throws the error of `refuse` if the bytes end too early. */
export class ByteReader {
  /** Offset of the next number. */
  at: number;
  readonly #buffer: Buffer;
  readonly #refuse: ErrorFactory;

  constructor(bytes: Uint8Array, refuse: ErrorFactory, at = 0) {
    this.at = at;
    this.#refuse = refuse;
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Total number of bytes. */
  get size(): number {
    return this.#buffer.length;
  }

  /** Number of remaining bytes. */
  get left(): number {
    return this.#buffer.length - this.at;
  }

  /** Moves forward by `count` bytes and returns the previous offset. */
  skip(count: number): number {
    if (!(count >= 0 && count <= this.left)) throw this.#refuse("it ends too early, or is damaged; save it again");
    this.at += count;
    return this.at - count;
  }

  u8(): number {
    return this.#buffer[this.skip(1)];
  }

  u16(): number {
    return this.#buffer.readUInt16LE(this.skip(2));
  }

  u32(): number {
    return this.#buffer.readUInt32LE(this.skip(4));
  }

  i32(): number {
    return this.#buffer.readInt32LE(this.skip(4));
  }

  f32(): number {
    return this.#buffer.readFloatLE(this.skip(4));
  }

  f64(): number {
    return this.#buffer.readDoubleLE(this.skip(8));
  }

  /** An id in its usual form (RFC 9562, with the first three groups little-endian). */
  guid(): string {
    const bytes = this.take(16);
    const [a, b, c] = [bytes.readUInt32LE(0), bytes.readUInt16LE(4), bytes.readUInt16LE(6)];
    const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");
    return [hex(a, 8), hex(b, 4), hex(c, 4), bytes.toString("hex", 8, 10), bytes.toString("hex", 10)].join("-");
  }

  /** A view of all remaining bytes. Does not move. */
  peek(): Buffer {
    return this.#buffer.subarray(this.at);
  }

  /** A view of the next bytes. */
  take(count: number): Buffer {
    const from = this.skip(count);
    return this.#buffer.subarray(from, from + count);
  }

  /** `count` single-precision numbers, at any alignment. */
  f32s(count: number): Float32Array {
    return new Float32Array(new Uint8Array(this.take(4 * count)).buffer);
  }

  u32s(count: number): Uint32Array {
    return new Uint32Array(new Uint8Array(this.take(4 * count)).buffer);
  }
}
