import type { LayerRuns } from "../../format/job/layer-runs.ts";
import { grown } from "../../mesh/grown.ts";

const FULL = 255;
const FIRST_CAPACITY = 4096;

/** Collects the runs of a layer, row by row from the top, pixels from left to right. */
export class RunWriter {
  readonly #width: number;
  readonly #rowStarts: Uint32Array<ArrayBuffer>;
  #starts = new Uint16Array(FIRST_CAPACITY);
  #ends = new Uint16Array(FIRST_CAPACITY);
  #values = new Uint8Array(FIRST_CAPACITY);
  #count = 0;
  #rowStart = 0;
  #row = 0;
  /** Of the finished rows, in pixels: a pixel that is half covered counts as a half. */
  #area = 0;
  #rowArea = 0;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#rowStarts = new Uint32Array(height + 1);
  }

  /** Forgets the layer before. */
  begin(): void {
    this.#count = 0;
    this.#rowStart = 0;
    this.#row = 0;
    this.#area = 0;
    this.#rowArea = 0;
  }

  /** Pixels `start` to `end` − 1 are covered whole. */
  full(start: number, end: number): void {
    this.#rowArea += end - start;
    this.#add(start, end, FULL);
  }

  /** One pixel, covered by a share of 0 to 1. */
  pixel(at: number, cover: number): void {
    this.#rowArea += cover;
    const value = Math.round(cover * FULL);
    if (value > 0) this.#add(at, at + 1, value);
  }

  #add(start: number, end: number, value: number): void {
    const last = this.#count - 1;
    if (last >= this.#rowStart && this.#ends[last] === start && this.#values[last] === value) {
      this.#ends[last] = end;
      return;
    }
    if (this.#count === this.#values.length) this.#grow();
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#values[this.#count++] = value;
  }

  #grow(): void {
    this.#starts = grown(this.#starts, this.#count + 1);
    this.#ends = grown(this.#ends, this.#count + 1);
    this.#values = grown(this.#values, this.#count + 1);
  }

  /** Finishes rows up to `row` − 1: the one that is being written, and empty ones. */
  endRowsBefore(row: number): void {
    this.#area += this.#rowArea;
    this.#rowArea = 0;
    this.#rowStarts.fill(this.#count, this.#row + 1, row + 1);
    this.#rowStart = this.#count;
    this.#row = row;
  }

  get areaPixels(): number {
    return this.#area;
  }

  /** The runs of all rows; good until the next `begin`. */
  get runs(): LayerRuns {
    return {
      width: this.#width,
      height: this.#rowStarts.length - 1,
      rowStarts: this.#rowStarts,
      starts: this.#starts,
      ends: this.#ends,
      values: this.#values,
    };
  }
}
