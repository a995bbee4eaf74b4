/** Numbers that come by threes (x, y, z of points, corners of triangles), in one typed array that grows with them. */
export class Triples<A extends Float64Array | Uint32Array> {
  readonly #make: (length: number) => A;
  #values: A;
  #length = 0;

  constructor(make: (length: number) => A) {
    this.#make = make;
    this.#values = make(0);
  }

  get count(): number {
    return this.#length / 3;
  }

  push(a: number, b: number, c: number): void {
    if (this.#length === this.#values.length) this.#grow();
    this.#values[this.#length++] = a;
    this.#values[this.#length++] = b;
    this.#values[this.#length++] = c;
  }

  toArray(): A {
    return this.#values.slice(0, this.#length) as A;
  }

  #grow(): void {
    const grown = this.#make(Math.max(24, 2 * this.#length));
    grown.set(this.#values);
    this.#values = grown;
  }
}
