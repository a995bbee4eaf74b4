import { grown } from "./grown.ts";
import { NEGATIVE_ZERO } from "./mesh.ts";

/** Points hashed ahead of their look-up: enough to have many cache misses under way at once, few enough to stay near. */
const AHEAD = 64;
/** Room for some vertices more than expected: a closed surface has a few more than half as many as it has facets. */
const SLACK = 1.1;

/**
 * Gives every distinct place one index, in order of arrival: points are the same when their single-precision
 * coordinates are, −0 counting as 0. An open-addressing hash table with linear probing, at most half full.
 */
export class Welder {
  private count = 0;
  /** Bits of x, y, z of each vertex. */
  private places: Int32Array<ArrayBuffer>;
  /** Vertex index + 1, or 0 where free; a power of two long. */
  private slots: Int32Array<ArrayBuffer>;
  /** The slot where each point now being added belongs, and what that slot held when it was looked at. */
  private readonly ahead = new Int32Array(2 * AHEAD);

  constructor(expectedVertices: number) {
    this.places = grown(new Int32Array(0), 3 * Math.ceil(SLACK * expectedVertices) + 3 * AHEAD);
    this.slots = grown(new Int32Array(0), 2 ** Math.ceil(Math.log2(2 * (expectedVertices + AHEAD))));
  }

  /** Writes the vertex index of each of the first `count` points (x, y, z each) to `indices`, from `at` on. */
  add(points: Float32Array<ArrayBuffer>, count: number, indices: Uint32Array, at: number): void {
    const bits = new Int32Array(points.buffer, points.byteOffset, 3 * count);
    for (let from = 0; from < count; from += AHEAD) {
      this.addSome(bits, from, Math.min(count, from + AHEAD), indices, at);
    }
  }

  /** x, y, z of each vertex, in a copy of its own. */
  vertices(): Float32Array<ArrayBuffer> {
    return new Float32Array(this.places.buffer.slice(0, 12 * this.count));
  }

  private addSome(bits: Int32Array, from: number, to: number, indices: Uint32Array, at: number): void {
    this.makeRoom(to - from);
    const { places, slots, ahead } = this;
    const shift = shiftFor(slots);
    const mask = slots.length - 1;
    for (let i = from; i < to; i++) {
      const slot = hash(bits[3 * i], bits[3 * i + 1], bits[3 * i + 2]) >>> shift;
      ahead[2 * (i - from)] = slot;
      ahead[2 * (i - from) + 1] = slots[slot];
    }
    for (let i = from; i < to; i++) {
      const x = positiveZero(bits[3 * i]);
      const y = positiveZero(bits[3 * i + 1]);
      const z = positiveZero(bits[3 * i + 2]);
      let slot = ahead[2 * (i - from)];
      let place = 3 * (ahead[2 * (i - from) + 1] || slots[slot]) - 3;
      while (place >= 0 && (places[place] !== x || places[place + 1] !== y || places[place + 2] !== z)) {
        slot = (slot + 1) & mask;
        place = 3 * slots[slot] - 3;
      }
      if (place < 0) {
        place = 3 * this.count;
        places[place] = x;
        places[place + 1] = y;
        places[place + 2] = z;
        slots[slot] = ++this.count;
      }
      indices[at + i] = place / 3;
    }
  }

  private makeRoom(extra: number): void {
    const needed = this.count + extra;
    this.places = grown(this.places, 3 * needed);
    if (2 * needed <= this.slots.length) return;
    this.slots = grown(new Int32Array(0), 2 * this.slots.length);
    const shift = shiftFor(this.slots);
    for (let vertex = 0; vertex < this.count; vertex++) {
      const at = 3 * vertex;
      let slot = hash(this.places[at], this.places[at + 1], this.places[at + 2]) >>> shift;
      while (this.slots[slot] !== 0) slot = (slot + 1) & (this.slots.length - 1);
      this.slots[slot] = vertex + 1;
    }
  }
}

/** How far right a hash is shifted to leave a slot's number. */
const shiftFor = (slots: Int32Array): number => Math.clz32(slots.length) + 1;

const positiveZero = (bits: number): number => (bits === NEGATIVE_ZERO ? 0 : bits);

/** Mixes one coordinate after the other, so that grids and slopes spread too. The high bits are the good ones. */
function hash(x: number, y: number, z: number): number {
  let mixed = Math.imul(positiveZero(x), 0x9e37_79b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ positiveZero(y), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ positiveZero(z), 0xc2b2_ae35);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d);
}
