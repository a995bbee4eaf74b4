import { grown } from "../../mesh/grown.ts";

/** Numbers that come by threes (x, y, z of points, corners of triangles), in one typed array that grows with them. */
export class Triples<A extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>> {
  #values: A;
  #length = 0;

  constructor(values: A) {
    this.#values = values;
  }

  get count(): number {
    return this.#length / 3;
  }

  push(a: number, b: number, c: number): void {
    this.#values = grown(this.#values, this.#length + 3);
    this.#values[this.#length++] = a;
    this.#values[this.#length++] = b;
    this.#values[this.#length++] = c;
  }

  toArray(): A {
    return this.#values.slice(0, this.#length) as A;
  }
}
