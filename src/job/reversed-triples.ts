import { ensureCapacity } from "../core/typed-arrays.ts";
import type { LayerRuns } from "../slice/rasterise-layer.ts";

/** Reused from layer to layer. */
const scratch = {
  rowStarts: new Uint32Array(),
  starts: new Uint16Array(),
  ends: new Uint16Array(),
  values: new Uint8Array(),
};

/** The layer with the columns of each three in reverse order; widened to a multiple of three. Overwritten by the next layer. */
export function reversedTriples(layer: LayerRuns): LayerRuns {
  const { height, rowStarts, starts, ends, values } = layer;
  // A run has at most two ends within triples, and what is between them.
  const capacity = 3 * rowStarts[height];
  const rows = (scratch.rowStarts = ensureCapacity(scratch.rowStarts, height + 1));
  const to = new TripleRuns(
    (scratch.starts = ensureCapacity(scratch.starts, capacity)),
    (scratch.ends = ensureCapacity(scratch.ends, capacity)),
    (scratch.values = ensureCapacity(scratch.values, capacity)),
  );
  for (let row = 0; row < height; row++) {
    for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) to.add(starts[run], ends[run], values[run]);
    rows[row + 1] = to.endRow();
  }
  return {
    width: 3 * Math.ceil(layer.width / 3),
    height,
    rowStarts: rows,
    starts: to.starts,
    ends: to.ends,
    values: to.values,
  };
}

/** Collects the reversed runs. Those within one triple come in ascending order, and leave in descending order. */
class TripleRuns {
  readonly starts: Uint16Array;
  readonly ends: Uint16Array;
  readonly values: Uint8Array;
  #count = 0;
  #rowStart = 0;
  /** Reversed runs within the present triple. */
  readonly #heldStarts = new Uint16Array(3);
  readonly #heldEnds = new Uint16Array(3);
  readonly #heldValues = new Uint8Array(3);
  #held = 0;
  #triple = -1;

  constructor(starts: Uint16Array, ends: Uint16Array, values: Uint8Array) {
    [this.starts, this.ends, this.values] = [starts, ends, values];
  }

  add(start: number, end: number, value: number): void {
    for (let at = start; at < end;) {
      const first = at - (at % 3);
      if (first !== this.#triple) this.#release();
      this.#triple = first;
      if (at === first && end >= first + 3) {
        at = end - (end % 3);
        this.#push(first, at, value);
        continue;
      }
      const stop = Math.min(end, first + 3);
      this.#heldStarts[this.#held] = 2 * first + 3 - stop;
      this.#heldEnds[this.#held] = 2 * first + 3 - at;
      this.#heldValues[this.#held++] = value;
      at = stop;
    }
  }

  /** Returns the number of runs up to the end of the row. */
  endRow(): number {
    this.#release();
    this.#triple = -1;
    this.#rowStart = this.#count;
    return this.#count;
  }

  #release(): void {
    while (this.#held > 0) {
      this.#held--;
      this.#push(this.#heldStarts[this.#held], this.#heldEnds[this.#held], this.#heldValues[this.#held]);
    }
  }

  #push(start: number, end: number, value: number): void {
    const last = this.#count - 1;
    if (last >= this.#rowStart && this.ends[last] === start && this.values[last] === value) {
      this.ends[last] = end;
      return;
    }
    this.starts[this.#count] = start;
    this.ends[this.#count] = end;
    this.values[this.#count++] = value;
  }
}
