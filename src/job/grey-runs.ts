import { ensureCapacity } from "../core/typed-arrays.ts";
import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";

/** All pixels of a picture, row after row, as runs of one grey level. Neighbouring runs differ. The arrays are overwritten by the next picture. */
export interface GreyRuns {
  readonly count: number;
  readonly levels: Uint8Array;
  readonly lengths: Uint32Array;
}

const scratch = { levels: new Uint8Array(), lengths: new Uint32Array() };

/** The runs of a layer, whose pixels of value v have the level `levelOf[v]`. */
export function greyRuns({ width, height, rowStarts, starts, ends, values }: LayerRuns, levelOf: Uint8Array): GreyRuns {
  // A run can add itself and the gap before it; each row, its rest.
  const capacity = 2 * rowStarts[height] + height + 1;
  const levels = (scratch.levels = ensureCapacity(scratch.levels, capacity));
  const lengths = (scratch.lengths = ensureCapacity(scratch.lengths, capacity));
  let count = 0;
  const add = (level: number, length: number): void => {
    if (length === 0) return;
    if (count > 0 && levels[count - 1] === level) {
      lengths[count - 1] += length;
      return;
    }
    levels[count] = level;
    lengths[count++] = length;
  };
  for (let row = 0; row < height; row++) {
    let column = 0;
    for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
      add(levelOf[0], starts[run] - column);
      add(levelOf[values[run]], ends[run] - starts[run]);
      column = ends[run];
    }
    add(levelOf[0], width - column);
  }
  return { count, levels, lengths };
}
