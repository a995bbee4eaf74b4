import type { ErrorFactory } from "../../core/api-error.ts";
import type { ByteReader } from "../../codec/byte-reader.ts";
import { newArithmeticDecoder, symbolTable } from "./arithmetic-decoder.ts";
import { BitReader, damagedNumbers } from "./bit-reader.ts";
import { MAX_VALUES_PER_BYTE, bigEndianWords } from "./int32-packet.ts";

// Compressed packets of integers of JT 8 (Siemens, "JT File Format Reference" 8.1, "Int32 compressed data packet").

const NO_CODEC = 0;
const BIT_LENGTH = 1;
const HUFFMAN = 2;
const ARITHMETIC = 3;
/** Escape symbol: the value is in the out-of-band packet; later contexts look it up in context 0. */
const ESCAPE = -2;
const MAX_DEPTH = 8;
const MAX_WIDTH = 32;

interface CodedSymbol {
  readonly symbol: number;
  readonly occurrences: number;
  readonly value: number;
  readonly nextContext: number;
}

/** How the values of a packet are predicted from the previous ones. */
export type Mk1Predictor = "lag1" | "stride1" | "strip-index";
/** The first values are never predicted. */
const UNPREDICTED = 4;
/** In strips, every second index continues with the same step, unless the step was at least this large: then with a step of two. */
const JUMP = 8;

const PREDICTIONS: Readonly<Record<Mk1Predictor, (values: Int32Array, at: number) => number>> = {
  lag1: (values, at) => values[at - 1],
  stride1: (values, at) => 2 * values[at - 1] - values[at - 2],
  "strip-index"(values, at) {
    const step = values[at - 2] - values[at - 4];
    return values[at - 2] + (Math.abs(step) < JUMP ? step : 2);
  },
};

/** Reads a packet. Throws what `refuse` makes for a damaged one. */
export function readMk1Packet(reader: ByteReader, predictor: Mk1Predictor, refuse: ErrorFactory): Int32Array {
  const values = readCodes(reader, refuse, 0);
  for (let i = UNPREDICTED; i < values.length; i++) values[i] += PREDICTIONS[predictor](values, i);
  return values;
}

function readCodes(reader: ByteReader, refuse: ErrorFactory, depth: number): Int32Array {
  if (depth > MAX_DEPTH) throw damagedNumbers(refuse);
  const codec = reader.u8();
  if (codec === NO_CODEC) return new Int32Array(reader.u32s(reader.u32()).buffer);
  if (codec === BIT_LENGTH) {
    const { bits, bitCount, valueCount } = readCodeText(reader, false, refuse);
    return readBitLengths(bits, bitCount, valueCount, refuse);
  }
  if (codec !== HUFFMAN && codec !== ARITHMETIC) throw damagedNumbers(refuse);
  const contexts = readContexts(reader, refuse);
  const others = reader.u32() > 0 ? readCodes(reader, refuse, depth + 1) : new Int32Array(0);
  const { bits, valueCount, symbolCount } = readCodeText(reader, contexts.length > 1, refuse);
  const next = codec === HUFFMAN ? huffmanSymbols(contexts, bits, refuse) : arithmeticSymbols(contexts, bits, refuse);
  const values = new Int32Array(valueCount);
  let [filled, used, context] = [0, 0, 0];
  for (let i = 0; i < symbolCount; i++) {
    const entry = next(context);
    bits.requireInside(refuse);
    const isEscape = entry.symbol === ESCAPE;
    if (!isEscape || context === 0) {
      if (filled === valueCount || (isEscape && used === others.length)) throw damagedNumbers(refuse);
      values[filled++] = isEscape ? others[used++] : entry.value;
    }
    context = entry.nextContext;
    if (context >= contexts.length) throw damagedNumbers(refuse);
  }
  if (filled !== valueCount) throw damagedNumbers(refuse);
  return values;
}

interface CodeText {
  readonly bits: BitReader;
  readonly bitCount: number;
  readonly valueCount: number;
  readonly symbolCount: number;
}

function readCodeText(reader: ByteReader, hasSymbolCount: boolean, refuse: ErrorFactory): CodeText {
  const bitCount = reader.u32();
  const valueCount = reader.u32();
  const symbolCount = hasSymbolCount ? reader.u32() : valueCount;
  const words = reader.u32();
  // A value takes at least one bit, unless all are equal.
  if (Math.max(valueCount, symbolCount) > MAX_VALUES_PER_BYTE * reader.size || words !== Math.ceil(bitCount / 32))
    throw damagedNumbers(refuse);
  return { bits: new BitReader(bigEndianWords(reader.take(4 * words))), bitCount, valueCount, symbolCount };
}

/** One bit says whether the field keeps its width; otherwise the width changes by steps of two bits. */
function readBitLengths(bits: BitReader, bitCount: number, valueCount: number, refuse: ErrorFactory): Int32Array {
  if (valueCount > bitCount) throw damagedNumbers(refuse);
  const values = new Int32Array(valueCount);
  let width = 0;
  for (let i = 0; i < valueCount; i++) {
    if (bits.bit() === 1) {
      const direction = bits.bit();
      do {
        width += direction === 1 ? 2 : -2;
        bits.requireInside(refuse);
      } while (bits.bit() === direction);
      if (width < 0 || width > MAX_WIDTH) throw damagedNumbers(refuse);
    }
    values[i] = bits.signed(width);
  }
  bits.requireInside(refuse);
  return values;
}

/** The contexts of the symbols; those after the first one use the values of its symbols. */
function readContexts(reader: ByteReader, refuse: ErrorFactory): CodedSymbol[][] {
  const count = reader.u8();
  const rest = reader.peek();
  const bits = new BitReader(rest);
  const values = new Map<number, number>();
  const contexts: CodedSymbol[][] = [];
  for (let context = 0; context < count; context++) {
    const entryCount = bits.unsigned(32);
    const [symbolBits, occurrenceBits] = [bits.unsigned(6), bits.unsigned(6)];
    const valueBits = context === 0 ? bits.unsigned(6) : 0;
    const nextBits = bits.unsigned(6);
    const least = context === 0 ? bits.signed(32) : 0;
    const entryBits = symbolBits + occurrenceBits + valueBits + nextBits;
    if (entryCount * Math.max(1, entryBits) > 8 * rest.length) throw damagedNumbers(refuse);
    contexts.push(
      Array.from({ length: entryCount }, (): CodedSymbol => {
        const symbol = bits.unsigned(symbolBits) - 2;
        const occurrences = bits.unsigned(occurrenceBits);
        const value = context === 0 ? (bits.unsigned(valueBits) + least) | 0 : (values.get(symbol) ?? 0);
        if (context === 0) values.set(symbol, value);
        return { symbol, occurrences, value, nextContext: bits.unsigned(nextBits) };
      }),
    );
  }
  if (contexts.length === 0 || contexts.some(({ length }) => length === 0)) throw damagedNumbers(refuse);
  reader.skip(Math.ceil(bits.position / 8));
  return contexts;
}

/** A leaf has an entry, an inner node its children; bit 1 selects the first child. */
interface HuffmanNode {
  readonly occurrences: number;
  readonly entry?: CodedSymbol;
  readonly one?: HuffmanNode;
  readonly zero?: HuffmanNode;
}

function huffmanSymbols(
  contexts: readonly CodedSymbol[][],
  bits: BitReader,
  refuse: ErrorFactory,
): (context: number) => CodedSymbol {
  const roots = contexts.map(huffmanTree);
  return (context) => {
    let node = roots[context];
    while (node.entry === undefined) {
      node = bits.bit() === 1 ? node.one! : node.zero!;
      bits.requireInside(refuse);
    }
    return node.entry;
  };
}

/** Joins the two rarest nodes until one is left. The order of equally rare nodes follows from the heap, as in the writer. */
function huffmanTree(entries: readonly CodedSymbol[]): HuffmanNode {
  const heap: HuffmanNode[] = [];
  function add(node: HuffmanNode): void {
    let at = heap.push(node) - 1;
    for (let above = (at - 1) >> 1; at > 0 && heap[above].occurrences > node.occurrences; above = (at - 1) >> 1) {
      heap[at] = heap[above];
      at = above;
    }
    heap[at] = node;
  }
  function take(): HuffmanNode {
    const [top] = heap;
    const last = heap.pop()!;
    if (heap.length === 0) return top;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && heap[child].occurrences > heap[child + 1].occurrences) child++;
      if (last.occurrences < heap[child].occurrences) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return top;
  }
  for (const entry of entries) add({ occurrences: entry.occurrences, entry });
  while (heap.length > 1) {
    const [one, zero] = [take(), take()];
    add({ occurrences: one.occurrences + zero.occurrences, one, zero });
  }
  return heap[0];
}

function arithmeticSymbols(
  contexts: readonly CodedSymbol[][],
  bits: BitReader,
  refuse: ErrorFactory,
): (context: number) => CodedSymbol {
  const tables = contexts.map((entries) => symbolTable(entries, refuse));
  const next = newArithmeticDecoder(bits, refuse);
  return (context) => contexts[context][next(tables[context])];
}
