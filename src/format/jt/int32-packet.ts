import type { Buffer } from "node:buffer";
import type { ErrorFactory } from "../../core/api-error.ts";
import type { ByteReader } from "../../codec/byte-reader.ts";
import { newArithmeticDecoder, symbolTable } from "./arithmetic-decoder.ts";
import { BitReader, damagedNumbers } from "./bit-reader.ts";

// Compressed packets of integers of JT 9 and 10 (ISO 14306:2012, 8.1.2, "Int32 compressed data packet mk 2"; cadmpeg,
// docs/formats/siemens_nx.md, CC BY 4.0).

/** How the differences between predicted and true values are converted back. */
export type Predictor = "none" | "lag1";

const NO_CODEC = 0;
const BIT_LENGTH = 1;
const ARITHMETIC = 3;
const CHOPPER = 4;
const MOVE_TO_FRONT = 5;

/** The first values are never predicted. */
const UNPREDICTED = 4;
/** Deepest nesting of packets. */
const MAX_DEPTH = 8;
const WINDOW = 16;
/**
 * Most numbers for each byte of a shape. A packet that repeats one number takes no bits for them, but the shape has coordinates for its
 * vertices, too.
 */
export const MAX_VALUES_PER_BYTE = 64;

/** Source of packets. */
export interface PacketSource {
  readonly reader: ByteReader;
  readonly version: number;
  readonly refuse: ErrorFactory;
}

/** Reads a packet. */
export function readPacket(source: PacketSource, predictor: Predictor = "none"): Int32Array {
  const values = readCodes(source, 0);
  if (predictor === "lag1") for (let i = UNPREDICTED; i < values.length; i++) values[i] += values[i - 1];
  return values;
}

function readCodes(source: PacketSource, depth: number): Int32Array {
  const { reader, version, refuse } = source;
  const count = reader.u32();
  if (count === 0) return new Int32Array(0);
  if (count > MAX_VALUES_PER_BYTE * reader.size || depth > MAX_DEPTH) throw damagedNumbers(refuse);
  const codec = reader.u8();
  if (codec === NO_CODEC) {
    const bytes = reader.u32();
    if (bytes !== 4 * count) throw damagedNumbers(refuse);
    return new Int32Array(reader.u32s(count).buffer);
  }
  if (codec === CHOPPER) return readChopped(source, count, depth);
  if (codec === MOVE_TO_FRONT && version >= 10) return readMovedToFront(source, count, depth);
  if (codec !== BIT_LENGTH && codec !== ARITHMETIC) throw damagedNumbers(refuse);
  const bitCount = reader.u32();
  const bits = new BitReader(bigEndianWords(reader.take(4 * Math.ceil(bitCount / 32))));
  const values =
    codec === BIT_LENGTH ? readBitLengths(bits, count, version, refuse) : readArithmetic(source, bits, count, depth);
  return values;
}

/** Code is stored in big-endian words of 32 bits, the highest bit first. */
export function bigEndianWords(bytes: Buffer): Uint8Array {
  const swapped = new Uint8Array(bytes.length);
  for (let at = 0; at < swapped.length; at++) swapped[at] = bytes[at ^ 3];
  return swapped;
}

function readChopped(source: PacketSource, count: number, depth: number): Int32Array {
  const { reader, refuse } = source;
  const chopped = reader.u8();
  if (chopped === 0) {
    const nested = readCodes(source, depth + 1);
    if (nested.length !== count) throw damagedNumbers(refuse);
    return nested;
  }
  const bias = reader.i32();
  const span = reader.u8();
  const high = readCodes(source, depth + 1);
  const low = readCodes(source, depth + 1);
  if (high.length !== count || low.length !== count || span < chopped || span > 32) throw damagedNumbers(refuse);
  return low.map((value, i) => (value | (high[i] << (span - chopped))) + bias);
}

function readMovedToFront(source: PacketSource, count: number, depth: number): Int32Array {
  const values = readCodes(source, depth + 1);
  const offsets = readCodes(source, depth + 1);
  if (offsets.length !== count) throw damagedNumbers(source.refuse);
  const window: number[] = [];
  let next = 0;
  return offsets.map((offset) => {
    const isNew = offset === -1;
    if (isNew ? next >= values.length : offset < 0 || offset >= window.length) throw damagedNumbers(source.refuse);
    const value = isNew ? values[next++] : window.splice(offset, 1)[0];
    window.unshift(value);
    if (window.length > WINDOW) window.pop();
    return value;
  });
}

function readBitLengths(bits: BitReader, count: number, version: number, refuse: ErrorFactory): Int32Array {
  const values = new Int32Array(count);
  if (bits.bit() === 0) {
    const widths = version >= 10 ? undefined : [bits.unsigned(6), bits.unsigned(6)];
    const [least, most] = widths ? [bits.signed(widths[0]), bits.signed(widths[1])] : [bits.nibbles(), bits.nibbles()];
    const width = bitsOf(most - least);
    for (let i = 0; i < count; i++) values[i] = bits.unsigned(width) + least;
  } else {
    const mean = version >= 10 ? bits.nibbles() : bits.signed(32);
    const [deltaBits, runBits] = version >= 10 ? [4, 4] : [bits.unsigned(3), bits.unsigned(3)];
    // A run of length 0 would never end.
    if (runBits === 0) throw damagedNumbers(refuse);
    const [least, most] = [-(2 ** (deltaBits - 1)), 2 ** (deltaBits - 1) - 1];
    let width = 0;
    for (let i = 0; i < count;) {
      let delta: number;
      do {
        delta = bits.signed(deltaBits);
        width += delta;
        bits.requireInside(refuse);
      } while (delta === least || delta === most);
      if (width < 0 || width > 32) throw damagedNumbers(refuse);
      const run = bits.unsigned(runBits);
      for (let k = 0; k < run && i < count; k++) values[i++] = bits.signed(width) + mean;
    }
  }
  bits.requireInside(refuse);
  return values;
}

/** Number of bits of an unsigned number. */
const bitsOf = (value: number): number => (value <= 0 ? 0 : 32 - Math.clz32(value));

/** A value, or an escape (the next value is in another packet), and the number of its occurrences. */
interface CodedValue {
  readonly isEscape: boolean;
  readonly occurrences: number;
  readonly value: number;
}

function readContext({ reader, version }: PacketSource): CodedValue[] {
  const bits = new BitReader(reader.peek());
  const count = bits.unsigned(16);
  const symbolBits = version >= 10 ? 0 : bits.unsigned(6);
  const occurrenceBits = bits.unsigned(6);
  const valueBits = bits.unsigned(version >= 10 ? 7 : 6);
  const least = bits.signed(32);
  const entries = Array.from({ length: count }, (): CodedValue => {
    const isEscape = version >= 10 ? bits.bit() === 1 : bits.unsigned(symbolBits) - 2 === -2;
    return { isEscape, occurrences: bits.unsigned(occurrenceBits), value: (bits.unsigned(valueBits) + least) | 0 };
  });
  reader.skip(Math.ceil(bits.position / 8));
  return entries;
}

function readArithmetic(source: PacketSource, bits: BitReader, count: number, depth: number): Int32Array {
  const { version, refuse } = source;
  const entries = readContext(source);
  const hasEscape = entries.some(({ isEscape }) => isEscape);
  const others = version < 10 || hasEscape ? readCodes(source, depth + 1) : new Int32Array(0);
  const table = symbolTable(entries, refuse);
  const next = newArithmeticDecoder(bits, refuse);
  const values = new Int32Array(count);
  let used = 0;
  for (let i = 0; i < count; i++) {
    const { isEscape, value } = entries[next(table)];
    if (isEscape && used >= others.length) throw damagedNumbers(refuse);
    values[i] = isEscape ? others[used++] : value;
  }
  return values;
}
