import { ensureCapacity } from "../core/typed-arrays.ts";
import type { LayerRuns } from "../slice/rasterise-layer.ts";

/** Areas of a layer in pixels, in which a grey pixel counts by its value. Plain data. */
export interface LayerAreas {
  readonly solidPixels: number;
  /** Of the largest and the smallest region; a region is a set of lit pixels that are connected by their sides. 0 without regions. */
  readonly largestPixels: number;
  readonly smallestPixels: number;
  readonly regions: number;
  /** First and last column and row with lit pixels; absent for an empty layer. */
  readonly box?: LayerBox;
}

export interface LayerBox {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** Reused from layer to layer. A run refers to another run of its region, the root to itself. */
const scratch = { parents: new Uint32Array(), areas: new Float64Array() };

/** Areas of a layer and of its regions, in time proportional to the number of runs. */
export function layerAreas(layer: LayerRuns): LayerAreas {
  const { height, rowStarts, starts, ends, values } = layer;
  const count = rowStarts[height];
  const parents = (scratch.parents = ensureCapacity(scratch.parents, count));
  const areas = (scratch.areas = ensureCapacity(scratch.areas, count));
  for (let run = 0; run < count; run++) {
    parents[run] = run;
    areas[run] = ((ends[run] - starts[run]) * values[run]) / 255;
  }
  joinRegions(layer, parents);
  let [solid, largest, smallest, regions] = [0, 0, Infinity, 0];
  // A root precedes the other runs of its region.
  for (let run = count - 1; run >= 0; run--) {
    solid += ((ends[run] - starts[run]) * values[run]) / 255;
    const parent = parents[run];
    if (parent !== run) {
      areas[parent] += areas[run];
      continue;
    }
    regions++;
    largest = Math.max(largest, areas[run]);
    smallest = Math.min(smallest, areas[run]);
  }
  if (regions === 0) return { solidPixels: 0, largestPixels: 0, smallestPixels: 0, regions: 0 };
  return { solidPixels: solid, largestPixels: largest, smallestPixels: smallest, regions, box: boxOf(layer) };
}

/** Joins runs that touch in a row, and those that share columns with runs of the row above. */
function joinRegions({ height, rowStarts, starts, ends }: LayerRuns, parents: Uint32Array): void {
  for (let row = 0; row < height; row++) {
    let above = row > 0 ? rowStarts[row - 1] : 0;
    const aboveEnd = row > 0 ? rowStarts[row] : 0;
    for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
      if (run > rowStarts[row] && ends[run - 1] === starts[run]) join(parents, run - 1, run);
      while (above < aboveEnd && ends[above] <= starts[run]) above++;
      for (let other = above; other < aboveEnd && starts[other] < ends[run]; other++) join(parents, other, run);
    }
  }
}

/** Joins two regions: the earlier root is that of both. */
function join(parents: Uint32Array, a: number, b: number): void {
  const [first, second] = [rootOf(parents, a), rootOf(parents, b)];
  if (first < second) parents[second] = first;
  else parents[first] = second;
}

function rootOf(parents: Uint32Array, run: number): number {
  let at = run;
  // Halves the path.
  while (parents[at] !== at) at = parents[at] = parents[parents[at]];
  return at;
}

function boxOf({ height, rowStarts, starts, ends }: LayerRuns): LayerBox {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, 0, 0];
  for (let row = 0; row < height; row++) {
    const [first, end] = [rowStarts[row], rowStarts[row + 1]];
    if (first === end) continue;
    minX = Math.min(minX, starts[first]);
    maxX = Math.max(maxX, ends[end - 1] - 1);
    minY = Math.min(minY, row);
    maxY = row;
  }
  return { minX, minY, maxX, maxY };
}
