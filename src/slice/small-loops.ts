import { endHash } from "./end-hash.ts";
import type { Segments } from "./outline-segments.ts";

/** Rows of a layer, from `first` to before `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Finds the loops of outlines that pass through no row whose index is a multiple of `stride`, and returns their rows. */
export type SmallLoopFinder = (segments: Segments) => RowRange[];

/**
 * A finder for layers of `columns` × `rows` pixels. Loops that leave the layer are found, too. Segments are one loop if their ends are
 * equal; the ends of closed solids are exactly equal. A segment whose ends meet no other segment is a separate loop. Memory is reused
 * from layer to layer.
 */
export function newSmallLoopFinder(columns: number, rows: number, stride: number): SmallLoopFinder {
  const joined = new JoinedSegments();
  let tops = new Float64Array();
  let bottoms = new Float64Array();
  return (segments) => {
    const { count, ends } = segments;
    joined.load(segments);
    if (count > tops.length) [tops, bottoms] = [new Float64Array(2 * count), new Float64Array(2 * count)];
    tops.fill(Infinity, 0, count);
    bottoms.fill(-Infinity, 0, count);
    for (let segment = 0; segment < count; segment++) {
      const root = joined.rootOf(segment);
      const at = 4 * segment;
      const isBeside = min(ends[at], ends[at + 2]) < 0 || max(ends[at], ends[at + 2]) > columns;
      tops[root] = isBeside ? -1 : min(tops[root], min(ends[at + 1], ends[at + 3]));
      bottoms[root] = max(bottoms[root], max(ends[at + 1], ends[at + 3]));
    }
    const found: RowRange[] = [];
    for (let segment = 0; segment < count; segment++) {
      if (joined.rootOf(segment) !== segment) continue;
      const top = tops[segment];
      const bottom = bottoms[segment];
      if (top >= 0 && bottom <= rows && Math.ceil(top / stride) * stride + 1 <= bottom) continue;
      found.push({ first: Math.max(0, Math.floor(top)), end: Math.min(rows, Math.floor(bottom) + 1) });
    }
    return found;
  };
}

/** Union-find over segments with equal ends. */
class JoinedSegments {
  #parents = new Int32Array();
  /** Hash table of ends by position: the index of an end plus 1, or 0. */
  #slots = new Int32Array();
  #shift = 0;

  load(segments: Segments): void {
    this.#makeRoom(segments.count);
    this.#joinEnds(segments);
  }

  rootOf(of: number): number {
    const parents = this.#parents;
    let segment = of;
    while (parents[segment] !== segment) segment = parents[segment] = parents[parents[segment]];
    return segment;
  }

  #makeRoom(count: number): void {
    if (count > this.#parents.length) {
      const bits = 33 - Math.clz32(4 * count);
      this.#parents = new Int32Array(2 ** (bits - 2));
      this.#slots = new Int32Array(2 ** bits);
      this.#shift = 32 - bits;
    } else this.#slots.fill(0);
    for (let i = 0; i < count; i++) this.#parents[i] = i;
  }

  /** Joins each segment to those that share an end with it. */
  #joinEnds({ count, ends }: Segments): void {
    const slots = this.#slots;
    const shift = this.#shift;
    const bits = new Int32Array(ends.buffer);
    const mask = slots.length - 1;
    for (let end = 0; end < 2 * count; end++) {
      let slot = endHash(bits, end) >>> shift;
      for (; slots[slot] > 0; slot = (slot + 1) & mask) {
        const other = slots[slot] - 1;
        if (ends[2 * other] !== ends[2 * end] || ends[2 * other + 1] !== ends[2 * end + 1]) continue;
        const a = this.rootOf(other >> 1);
        const b = this.rootOf(end >> 1);
        if (a < b) this.#parents[b] = a;
        else this.#parents[a] = b;
        break;
      }
      if (slots[slot] === 0) slots[slot] = end + 1;
    }
  }
}

// Faster than `Math.min` and `Math.max`, which check for NaN and −0.
const min = (a: number, b: number): number => (a < b ? a : b);
const max = (a: number, b: number): number => (a > b ? a : b);
