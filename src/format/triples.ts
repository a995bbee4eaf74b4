import { growArray, shrinkArray } from "../core/typed-arrays.ts";

/** Initial capacity: numbers of two tetrahedra. */
const INITIAL_CAPACITY = 24;

export const newPoints = (): Triples<Float64Array<ArrayBuffer>> => new Triples(new Float64Array(INITIAL_CAPACITY));
export const newTriangles = (): Triples<Uint32Array<ArrayBuffer>> => new Triples(new Uint32Array(INITIAL_CAPACITY));

/** A growing typed array of triples: x, y, z of points, or corners of triangles. */
export class Triples<A extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>> {
  #values: A;
  #length = 0;

  constructor(values: A) {
    this.#values = values;
  }

  get count(): number {
    return this.#length / 3;
  }

  at(index: number): [number, number, number] {
    return [this.#values[3 * index], this.#values[3 * index + 1], this.#values[3 * index + 2]];
  }

  push(a: number, b: number, c: number): void {
    this.#values = growArray(this.#values, this.#length + 3);
    this.#values[this.#length++] = a;
    this.#values[this.#length++] = b;
    this.#values[this.#length++] = c;
  }

  /** The numbers. Nothing can be added afterwards. */
  toArray(): A {
    return shrinkArray(this.#values, this.#length);
  }
}
