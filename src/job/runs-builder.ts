import type { ErrorFactory } from "../core/api-error.ts";
import { growArray } from "../core/typed-arrays.ts";
import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";

/**
 * Share of the pixels that may be missing at the end of a picture. Working value: a `.photon` file of another program lacks one pixel of
 * 3.7 million; a file that was cut short lacks more.
 */
const MAX_MISSING_SHARE = 1e-4;

/** Makes the rows of a layer from the runs of a picture, which may extend over several rows. */
export class RunsBuilder {
  readonly #width: number;
  readonly #height: number;
  readonly #refuse: ErrorFactory;
  readonly #rowStarts: Uint32Array;
  #starts = new Uint16Array(1024);
  #ends = new Uint16Array(1024);
  #values = new Uint8Array(1024);
  #count = 0;
  #row = 0;
  #column = 0;

  /** Throws the error of `refuse` for runs that do not make a picture of this size. Used again for each layer. */
  constructor(width: number, height: number, refuse: ErrorFactory) {
    [this.#width, this.#height, this.#refuse] = [width, height, refuse];
    this.#rowStarts = new Uint32Array(height + 1);
  }

  /** Begins a new picture, which overwrites the last one. */
  begin(): void {
    [this.#count, this.#row, this.#column] = [0, 0, 0];
  }

  /** Adds the next `length` pixels, row by row from the top left. */
  add(value: number, length: number): void {
    let left = length;
    while (left > 0) {
      if (this.#row === this.#height) {
        throw this.#refuse("one of its pictures has more pixels than the file states; take another copy of it");
      }
      const here = Math.min(left, this.#width - this.#column);
      if (value > 0) this.#push(value, this.#column, this.#column + here);
      this.#column += here;
      left -= here;
      if (this.#column === this.#width) this.#endRow();
    }
  }

  /** Adds a row equal to the row above, at the beginning of a row that is not the first. */
  repeatRow(): void {
    if (this.#row === 0 || this.#row === this.#height || this.#column > 0)
      throw new TypeError("There is no row to repeat.");
    const end = this.#count;
    for (let run = this.#rowStarts[this.#row - 1]; run < end; run++) {
      this.#push(this.#values[run], this.#starts[run], this.#ends[run]);
    }
    this.#endRow();
  }

  /** The whole picture. A few pixels may be missing at its end: they are 0. */
  finish(): LayerRuns {
    const missing = (this.#height - this.#row) * this.#width - this.#column;
    if (missing > Math.max(1, MAX_MISSING_SHARE * this.#width * this.#height)) {
      throw this.#refuse("one of its pictures ends too early: the file is damaged; take another copy of it");
    }
    while (this.#row < this.#height) this.#endRow();
    return {
      width: this.#width,
      height: this.#height,
      rowStarts: this.#rowStarts,
      starts: this.#starts,
      ends: this.#ends,
      values: this.#values,
    };
  }

  #endRow(): void {
    this.#rowStarts[++this.#row] = this.#count;
    this.#column = 0;
  }

  /** Adds a run to the row, or to the run before it, which then has the same value. */
  #push(value: number, start: number, end: number): void {
    const last = this.#count - 1;
    const continues = last >= this.#rowStarts[this.#row] && this.#ends[last] === start && this.#values[last] === value;
    if (continues) {
      this.#ends[last] = end;
      return;
    }
    if (this.#count === this.#starts.length) {
      this.#starts = growArray(this.#starts, this.#count + 1);
      this.#ends = growArray(this.#ends, this.#count + 1);
      this.#values = growArray(this.#values, this.#count + 1);
    }
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#values[this.#count++] = value;
  }
}
