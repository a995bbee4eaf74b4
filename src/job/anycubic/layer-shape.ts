import { ensureCapacity } from "../../core/typed-arrays.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { type PixelBox, litPixels } from "./lit-pixels.ts";

/** Measures of what a layer shows. A pixel of value v counts as v / 255 of its area. */
export interface LayerShape {
  readonly areaPixels: number;
  readonly box: PixelBox;
  /** Closed outlines: those around regions of pixels that are not black and touch, also at corners, and those of the holes in them. */
  readonly contours: number;
  /** Area of the largest region. */
  readonly largestPixels: number;
}

/** Spans of pixels that are not black, row after row. `parents` leads from each to the first one of its region. */
const scratch = {
  starts: new Uint16Array(),
  ends: new Uint16Array(),
  /** Sum of the values. */
  sums: new Float64Array(),
  parents: new Uint32Array(),
};

export function layerShape(layer: LayerRuns): LayerShape {
  const { height, rowStarts } = layer;
  const capacity = rowStarts[height];
  scratch.starts = ensureCapacity(scratch.starts, capacity);
  scratch.ends = ensureCapacity(scratch.ends, capacity);
  scratch.sums = ensureCapacity(scratch.sums, capacity);
  scratch.parents = ensureCapacity(scratch.parents, capacity);
  let [spans, touches, joins, above] = [0, 0, 0, 0];
  for (let row = 0; row < height; row++) {
    const first = spans;
    spans = addSpans(layer, row, spans);
    for (let upper = above, lower = first; upper < first && lower < spans;) {
      if (scratch.starts[upper] <= scratch.ends[lower] && scratch.starts[lower] <= scratch.ends[upper]) {
        touches++;
        if (join(upper, lower)) joins++;
      }
      if (scratch.ends[upper] < scratch.ends[lower]) upper++;
      else lower++;
    }
    above = first;
  }
  const regions = spans - joins;
  // Each touch that joins no regions closes a ring around a hole.
  return { ...regionAreas(spans), box: litPixels(layer).box, contours: regions + touches - joins };
}

/** Adds the spans of a row to those before and returns their number. Runs of different values that touch are one span. */
function addSpans({ rowStarts, starts, ends, values }: LayerRuns, row: number, before: number): number {
  let spans = before;
  for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
    const sum = values[run] * (ends[run] - starts[run]);
    if (spans > before && scratch.ends[spans - 1] === starts[run]) {
      scratch.ends[spans - 1] = ends[run];
      scratch.sums[spans - 1] += sum;
    } else {
      scratch.starts[spans] = starts[run];
      scratch.ends[spans] = ends[run];
      scratch.sums[spans] = sum;
      scratch.parents[spans] = spans;
      spans++;
    }
  }
  return spans;
}

function rootOf(span: number): number {
  const { parents } = scratch;
  let root = span;
  while (parents[root] !== root) {
    parents[root] = parents[parents[root]];
    root = parents[root];
  }
  return root;
}

/** Joins the regions of two spans; false if they are one already. */
function join(one: number, other: number): boolean {
  const [a, b] = [rootOf(one), rootOf(other)];
  scratch.parents[Math.max(a, b)] = Math.min(a, b);
  return a !== b;
}

/** The area of all regions and of the largest one. Their first spans come before the others. */
function regionAreas(spans: number): Pick<LayerShape, "areaPixels" | "largestPixels"> {
  const { sums } = scratch;
  let [all, largest] = [0, 0];
  for (let span = 0; span < spans; span++) {
    all += sums[span];
    const root = rootOf(span);
    if (root !== span) sums[root] += sums[span];
  }
  for (let span = 0; span < spans; span++) if (scratch.parents[span] === span) largest = Math.max(largest, sums[span]);
  return { areaPixels: all / 255, largestPixels: largest / 255 };
}
