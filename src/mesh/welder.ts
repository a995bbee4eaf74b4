import { ensureCapacity, growArray, releaseArrays, shrinkArray } from "../core/typed-arrays.ts";
import { NEGATIVE_ZERO } from "./mesh.ts";

/** Points hashed together before they are looked up: enough to overlap cache misses, few enough to stay in the cache. */
const BATCH = 64;
/** Capacity for more vertices than expected: a closed surface has slightly more than half as many as facets. */
const SLACK = 1.1;

/**
 * Welds points with equal single-precision coordinates, where −0 equals 0: each distinct position gets one index, in the
 * order of first occurrence. A hash table with open addressing and linear probing, at most half full.
 */
export class VertexWelder {
  #count = 0;
  /** Bits of x, y, z of each vertex. */
  #positions: Int32Array<ArrayBuffer>;
  /** Vertex index + 1, or 0 for a free slot; the length is a power of two. */
  #slots: Int32Array<ArrayBuffer>;
  /** For each point of the batch its slot, and the content of the slot before the batch. */
  readonly #probes = new Int32Array(2 * BATCH);

  constructor(expectedVertices: number) {
    this.#positions = ensureCapacity(new Int32Array(0), 3 * Math.ceil(SLACK * expectedVertices) + 3 * BATCH);
    this.#slots = ensureCapacity(new Int32Array(0), 2 ** Math.ceil(Math.log2(2 * (expectedVertices + BATCH))));
  }

  /** Writes the vertex index of each of the first `count` points (x, y, z each) to `indices`, from `at` on. */
  add(points: Float32Array<ArrayBuffer>, count: number, indices: Uint32Array, at: number): void {
    const bits = new Int32Array(points.buffer, points.byteOffset, 3 * count);
    for (let from = 0; from < count; from += BATCH) {
      this.#addBatch(bits, from, Math.min(count, from + BATCH), indices, at);
    }
  }

  /** A copy of x, y, z of each vertex. */
  vertices(): Float32Array<ArrayBuffer> {
    return new Float32Array(this.#positions.buffer.slice(0, 12 * this.#count));
  }

  /** x, y, z of each vertex, without a copy. The welder gives its memory back: nothing can be added afterwards. */
  takeVertices(): Float32Array<ArrayBuffer> {
    releaseArrays(this.#slots);
    return new Float32Array(shrinkArray(this.#positions, 3 * this.#count).buffer);
  }

  #addBatch(bits: Int32Array, from: number, to: number, indices: Uint32Array, at: number): void {
    this.#reserve(to - from);
    const positions = this.#positions;
    const slots = this.#slots;
    const probes = this.#probes;
    const shift = shiftFor(slots);
    const mask = slots.length - 1;
    for (let i = from; i < to; i++) {
      const slot = hash(bits[3 * i], bits[3 * i + 1], bits[3 * i + 2]) >>> shift;
      probes[2 * (i - from)] = slot;
      probes[2 * (i - from) + 1] = slots[slot];
    }
    for (let i = from; i < to; i++) {
      const x = positiveZero(bits[3 * i]);
      const y = positiveZero(bits[3 * i + 1]);
      const z = positiveZero(bits[3 * i + 2]);
      let slot = probes[2 * (i - from)];
      let known = 3 * (probes[2 * (i - from) + 1] || slots[slot]) - 3;
      while (known >= 0 && (positions[known] !== x || positions[known + 1] !== y || positions[known + 2] !== z)) {
        slot = (slot + 1) & mask;
        known = 3 * slots[slot] - 3;
      }
      if (known < 0) {
        known = 3 * this.#count;
        positions[known] = x;
        positions[known + 1] = y;
        positions[known + 2] = z;
        slots[slot] = ++this.#count;
      }
      indices[at + i] = known / 3;
    }
  }

  #reserve(extra: number): void {
    const needed = this.#count + extra;
    this.#positions = growArray(this.#positions, 3 * needed);
    if (2 * needed <= this.#slots.length) return;
    const { length } = this.#slots;
    releaseArrays(this.#slots);
    this.#slots = ensureCapacity(new Int32Array(0), 2 * length);
    const shift = shiftFor(this.#slots);
    for (let vertex = 0; vertex < this.#count; vertex++) {
      const at = 3 * vertex;
      let slot = hash(this.#positions[at], this.#positions[at + 1], this.#positions[at + 2]) >>> shift;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1);
      this.#slots[slot] = vertex + 1;
    }
  }
}

/** The right shift that turns a hash into a slot index. */
const shiftFor = (slots: Int32Array): number => Math.clz32(slots.length) + 1;

const positiveZero = (bits: number): number => (bits === NEGATIVE_ZERO ? 0 : bits);

/** Mixes the coordinates one after another, so that points of grids and slopes spread too. Only the high bits are good. */
function hash(x: number, y: number, z: number): number {
  let mixed = Math.imul(positiveZero(x), 0x9e37_79b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ positiveZero(y), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ positiveZero(z), 0xc2b2_ae35);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d);
}
