import { ensureCapacity } from "../core/typed-arrays.ts";

// Rewrites the binary form of a WebAssembly module (WebAssembly Core Specification 3.0, chapter 5) so that its loops call a function
// of the host. No runtime can interrupt a loop, and Bun cannot even end the thread of an endless loop.

/** Ids of sections (5.5.2). */
const CUSTOM = 0;
const TYPES = 1;
const IMPORTS = 2;
const GLOBALS = 6;
const EXPORTS = 7;
const START = 8;
const ELEMENTS = 9;
const CODE = 10;
/** The magic number and the version. */
const HEAD_BYTES = 8;

/** Kinds of imports and exports (5.4.6). */
const FUNCTION = 0;
const I32 = 0x7f;
const MUTABLE = 1;
const FUNCTION_TYPE = 0x60;

const text = (ascii: string): number[] => [ascii.length, ...new TextEncoder().encode(ascii)];

/** The import that is added: a function without arguments and results. */
export const CHECKPOINT = { module: "checkpoint", name: "pass" } as const;

interface Section {
  readonly id: number;
  readonly content: Uint8Array;
}

/**
 * The module with one more import, {@link CHECKPOINT}, which is called after each `turns` rounds of its loops. Throws for features
 * that modules of Emscripten do not use: imports other than functions, and instructions newer than bulk memory and exceptions.
 */
export function withCheckpoints(module: Uint8Array, turns: number): Uint8Array<ArrayBuffer> {
  const sections = sectionsOf(module);
  const countOf = (section: number): number =>
    new Reader(sections.find(({ id }) => id === section)?.content ?? Uint8Array.of(0)).u32();
  // The import is added after all others: the index of every function of the module rises by one, all other indices stay.
  const added = countOf(IMPORTS);
  const shifted = (index: number): number => (index < added ? index : index + 1);
  const roundHead = loopHead(countOf(GLOBALS), added, turns);
  const rewrite: Readonly<Record<number, (content: Uint8Array) => Uint8Array>> = {
    [TYPES]: (content) => appended(content, FUNCTION_TYPE, 0, 0),
    [IMPORTS](content) {
      requireFunctions(content);
      return appended(content, ...text(CHECKPOINT.module), ...text(CHECKPOINT.name), FUNCTION, ...leb(countOf(TYPES)));
    },
    [GLOBALS]: (content) => appended(content, I32, MUTABLE, I32_CONST, ...leb(turns, true), END),
    [EXPORTS]: (content) => shiftedExports(content, shifted),
    [START]: (content) => Uint8Array.from(leb(shifted(new Reader(content).u32()))),
    [ELEMENTS]: (content) => shiftedElements(content, shifted),
    [CODE]: (content) => rewrittenCode(content, roundHead, shifted),
  };
  const out = new Writer(2 * module.length);
  out.bytes(module.subarray(0, HEAD_BYTES));
  for (const { id, content } of sections) {
    // Custom sections are omitted: their names of functions for debuggers would have the old indices.
    if (id === CUSTOM) continue;
    const next = rewrite[id]?.(content) ?? content;
    out.bytes([id, ...leb(next.length)]);
    out.bytes(next);
  }
  return out.written();
}

function sectionsOf(module: Uint8Array): Section[] {
  const reader = new Reader(module, HEAD_BYTES);
  const sections: Section[] = [];
  while (reader.at < module.length) sections.push({ id: reader.u8(), content: reader.take(reader.u32()) });
  return sections;
}

/** Decrements a global at the head of a loop. At zero the global is reset and the import `added` is called. */
function loopHead(counter: number, added: number, turns: number): Uint8Array {
  const [get, set] = [GLOBAL_GET, GLOBAL_SET].map((instruction) => [instruction, ...leb(counter)]);
  const countDown = [...get, I32_CONST, 1, I32_SUB, ...set];
  const beginAgain = [I32_CONST, ...leb(turns, true), ...set, CALL, ...leb(added)];
  return Uint8Array.of(...countDown, ...get, I32_EQZ, IF, EMPTY, ...beginAgain, END);
}

/** A vector (5.1.3) with one more item. */
function appended(vector: Uint8Array, ...item: readonly number[]): Uint8Array {
  const reader = new Reader(vector);
  const count = leb(reader.u32() + 1);
  return Uint8Array.of(...count, ...vector.subarray(reader.at), ...item);
}

function requireFunctions(imports: Uint8Array): void {
  const reader = new Reader(imports);
  for (let left = reader.u32(); left > 0; left--) {
    reader.take(reader.u32());
    reader.take(reader.u32());
    if (reader.u8() !== FUNCTION) throw new Error("The module imports more than functions.");
    reader.u32();
  }
}

function shiftedExports(content: Uint8Array, shifted: (index: number) => number): Uint8Array {
  const reader = new Reader(content);
  const out = new Writer(2 * content.length);
  const count = reader.u32();
  out.bytes(leb(count));
  for (let left = count; left > 0; left--) {
    const name = reader.take(reader.u32());
    const kind = reader.u8();
    const index = reader.u32();
    out.bytes(leb(name.length));
    out.bytes(name);
    out.bytes([kind, ...leb(kind === FUNCTION ? shifted(index) : index)]);
  }
  return out.written();
}

/** Tables of functions. All segments must have the first form (5.5.12): an offset in table 0 and indices of functions. */
function shiftedElements(content: Uint8Array, shifted: (index: number) => number): Uint8Array {
  const reader = new Reader(content);
  const out = new Writer(2 * content.length);
  const count = reader.u32();
  out.bytes(leb(count));
  for (let left = count; left > 0; left--) {
    if (reader.u32() !== 0 || reader.u8() !== I32_CONST) throw new Error("The module has segments of an unknown form.");
    const from = reader.at;
    reader.skipLeb();
    const place = content.subarray(from, reader.at);
    if (reader.u8() !== END) throw new Error("The module has segments of an unknown form.");
    const size = reader.u32();
    out.bytes([0, I32_CONST, ...place, END, ...leb(size)]);
    for (let i = 0; i < size; i++) out.bytes(leb(shifted(reader.u32())));
  }
  return out.written();
}

function rewrittenCode(content: Uint8Array, roundHead: Uint8Array, shifted: (index: number) => number): Uint8Array {
  const reader = new Reader(content);
  const out = new Writer(2 * content.length);
  const count = reader.u32();
  out.bytes(leb(count));
  for (let left = count; left > 0; left--) {
    const body = reader.take(reader.u32());
    const sizeAt = out.size;
    out.bytes(WIDE_ZERO);
    rewriteFunction(body, roundHead, shifted, out);
    out.patch(sizeAt, out.size - sizeAt - WIDE_ZERO.length);
  }
  return out.written();
}

function rewriteFunction(
  body: Uint8Array,
  roundHead: Uint8Array,
  shifted: (index: number) => number,
  out: Writer,
): void {
  const reader = new Reader(body);
  for (let left = reader.u32(); left > 0; left--) {
    reader.u32();
    reader.u8();
  }
  let copied = 0;
  while (reader.at < body.length) {
    const opcode = reader.u8();
    const operandsAt = reader.at;
    skipOperands(opcode, reader);
    if (opcode !== LOOP && opcode !== CALL && opcode !== REF_FUNC) continue;
    if (opcode === LOOP) {
      out.bytes(body.subarray(copied, reader.at));
      out.bytes(roundHead);
    } else {
      out.bytes(body.subarray(copied, operandsAt));
      out.bytes(leb(shifted(new Reader(body, operandsAt).u32())));
    }
    copied = reader.at;
  }
  out.bytes(body.subarray(copied));
}

/** Instructions (5.4). */
const [LOOP, IF, END, CALL] = [0x03, 0x04, 0x0b, 0x10];
const [GLOBAL_GET, GLOBAL_SET, I32_CONST, I32_EQZ, I32_SUB, REF_FUNC] = [0x23, 0x24, 0x41, 0x45, 0x6b, 0xd2];
const [BR_TABLE, SELECT_TYPED, F32_CONST, F64_CONST, REF_NULL, BULK] = [0x0e, 0x1c, 0x43, 0x44, 0xd0, 0xfc];
/** The type of a block without arguments and results. */
const EMPTY = 0x40;

const UNKNOWN = -1;
/** Number of integers that follow each instruction, by opcode; {@link UNKNOWN} for the others, see `skipOperands`. */
const INTEGERS = integersByOpcode();

function integersByOpcode(): Int8Array {
  const integers = new Int8Array(256).fill(UNKNOWN);
  const set = (from: number, to: number, count: number): Int8Array => integers.fill(count, from, to + 1);
  set(0x00, 0x01, 0);
  // Blocks, throw and branches.
  set(0x02, 0x04, 1);
  set(0x05, 0x05, 0);
  set(0x06, 0x09, 1);
  set(0x0b, 0x0b, 0);
  set(0x0c, 0x0d, 1);
  set(0x0f, 0x0f, 0);
  // Calls.
  set(0x10, 0x10, 1);
  set(0x11, 0x11, 2);
  set(0x18, 0x18, 1);
  set(0x19, 0x1b, 0);
  // Variables and tables, loads and stores, sizes of memory, integers.
  set(0x20, 0x26, 1);
  set(0x28, 0x3e, 2);
  set(0x3f, 0x42, 1);
  // Arithmetic.
  set(0x45, 0xc4, 0);
  set(0xd1, 0xd1, 0);
  set(0xd2, 0xd2, 1);
  return integers;
}

/** Number of integers that follow the bulk instructions, from 0xFC 0 on. */
const BULK_INTEGERS = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];

function skipOperands(opcode: number, reader: Reader): void {
  let integers = INTEGERS[opcode];
  if (opcode === BR_TABLE) integers = reader.u32() + 1;
  else if (opcode === SELECT_TYPED) integers = reader.u32();
  else if (opcode === BULK) integers = BULK_INTEGERS[reader.u32()] ?? UNKNOWN;
  else if (opcode === REF_NULL) integers = 1;
  else if (opcode === F32_CONST) return void reader.take(4);
  else if (opcode === F64_CONST) return void reader.take(8);
  if (integers === UNKNOWN) throw new Error(`The module has the unknown instruction ${opcode}.`);
  for (let left = integers; left > 0; left--) reader.skipLeb();
}

/** An integer in LEB128 (5.2.2). */
function leb(value: number, isSigned = false): number[] {
  const bytes: number[] = [];
  const last = isSigned ? 0x40 : 0x80;
  for (; value >= last; value = Math.floor(value / 0x80)) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

/** Zero in five bytes, the longest form of a number of 32 bits. */
const WIDE_ZERO = Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0);

class Reader {
  at: number;
  readonly #content: Uint8Array;

  constructor(content: Uint8Array, at = 0) {
    this.#content = content;
    this.at = at;
  }

  u8(): number {
    return this.#content[this.at++];
  }

  u32(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#content[this.at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  skipLeb(): void {
    while (this.#content[this.at++] >= 0x80);
  }

  take(count: number): Uint8Array {
    this.at += count;
    return this.#content.subarray(this.at - count, this.at);
  }
}

class Writer {
  size = 0;
  #buffer: Uint8Array<ArrayBuffer>;

  constructor(capacity: number) {
    this.#buffer = new Uint8Array(capacity);
  }

  bytes(bytes: ArrayLike<number>): void {
    this.#buffer = ensureCapacity(this.#buffer, this.size + bytes.length);
    this.#buffer.set(bytes, this.size);
    this.size += bytes.length;
  }

  /** Writes a number over a {@link WIDE_ZERO}. */
  patch(at: number, value: number): void {
    for (let i = 0; i < WIDE_ZERO.length; i++) this.#buffer[at + i] |= (value >>> (7 * i)) & 0x7f;
  }

  written(): Uint8Array<ArrayBuffer> {
    return this.#buffer.slice(0, this.size);
  }
}
