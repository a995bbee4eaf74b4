import type { ErrorFactory } from "../../core/api-error.ts";

/** The error for compressed numbers that contradict themselves. */
export const damagedNumbers = (refuse: ErrorFactory): Error =>
  refuse("its compressed numbers are damaged; export it again");

/** Reads bits, the highest bit of each byte first. Bits after the end are zeros, as arithmetic codes require. */
export class BitReader {
  #at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Number of bits read. */
  get position(): number {
    return this.#at;
  }

  /** Throws the error of `refuse` if more bits were read than exist. */
  requireInside(refuse: ErrorFactory): void {
    if (this.#at > 8 * this.#bytes.length) throw refuse("its compressed numbers end too early; export it again");
  }

  bit(): number {
    const byte = this.#bytes[this.#at >> 3] ?? 0;
    return (byte >> (7 - (this.#at++ & 7))) & 1;
  }

  /** Up to 32 bits as an unsigned number. */
  unsigned(count: number): number {
    let value = 0;
    for (let left = count; left > 0;) {
      const inByte = 8 - (this.#at & 7);
      const taken = Math.min(inByte, left);
      const byte = this.#bytes[this.#at >> 3] ?? 0;
      value = value * (1 << taken) + ((byte >> (inByte - taken)) & ((1 << taken) - 1));
      this.#at += taken;
      left -= taken;
    }
    return value;
  }

  /** Up to 32 bits as a signed number. */
  signed(count: number): number {
    const value = this.unsigned(count);
    return count > 0 && value >= 2 ** (count - 1) ? value - 2 ** count : value;
  }

  /** Groups of four bits, the lowest first, each followed by a bit that says whether another group follows; the last group has the sign. */
  nibbles(): number {
    let value = 0;
    for (let shift = 0; shift < 32; shift += 4) {
      value |= this.unsigned(4) << shift;
      if (this.bit() === 0) return shift === 28 ? value : (value << (28 - shift)) >> (28 - shift);
    }
    return value;
  }
}
