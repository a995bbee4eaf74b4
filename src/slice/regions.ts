import { newDisjointSets } from "../mesh/disjoint-sets.ts";
import type { SpanLayer } from "./span-layers.ts";

/** What makes pixels of one layer hang together: sides that they share, or corners, too. */
export type Joint = "SIDES" | "CORNERS";

/** The connected regions of a layer. */
export interface Regions {
  readonly count: number;
  /** The region of each span. Regions are numbered in the order of their first spans. */
  readonly regionOf: Uint32Array;
}

export function regionsOf(layer: SpanLayer, joint: Joint = "SIDES"): Regions {
  const { rowStarts, starts } = layer;
  const sets = newDisjointSets(starts.length);
  for (let row = 1; row + 1 < rowStarts.length; row++) overlapsOfRows(layer, row, layer, row - 1, sets.join, leastOf(joint));
  const regionOf = new Uint32Array(starts.length);
  let count = 0;
  for (let span = 0; span < regionOf.length; span++) {
    const first = sets.find(span);
    regionOf[span] = first === span ? count++ : regionOf[first];
  }
  return { count, regionOf };
}

/** How many pixels each region has. */
export function pixelsOf({ starts, ends }: SpanLayer, { count, regionOf }: Regions): Float64Array {
  const pixels = new Float64Array(count);
  for (let span = 0; span < regionOf.length; span++) pixels[regionOf[span]] += ends[span] - starts[span];
  return pixels;
}

/** What is told of two spans, of one layer and of another, that have so many columns in common. */
export type Meet = (span: number, other: number, pixels: number) => void;

/** Tells of every span of one layer that lies over or under one of another layer of the same grid. */
export function overlapsOf(layer: SpanLayer, other: SpanLayer, meet: Meet): void {
  for (let row = 0; row + 1 < layer.rowStarts.length; row++) overlapsOfRows(layer, row, other, row, meet);
}

/** Tells of every span of one layer that lies over or under one of another layer of the same grid, or beside it, be it at a corner. */
export function touchesOf(layer: SpanLayer, other: SpanLayer, meet: Meet): void {
  const rows = layer.rowStarts.length - 1;
  for (let row = 0; row < rows; row++) {
    for (let beside = Math.max(0, row - 1); beside < Math.min(rows, row + 2); beside++) {
      overlapsOfRows(layer, row, other, beside, meet, leastOf("CORNERS"));
    }
  }
}

/** The columns that two spans must have in common to count; those that end where the other begins have none. */
const leastOf = (joint: Joint): number => (joint === "SIDES" ? 1 : 0);

function overlapsOfRows(
  a: SpanLayer,
  rowOfA: number,
  b: SpanLayer,
  rowOfB: number,
  meet: Meet,
  least = leastOf("SIDES"),
): void {
  const endA = a.rowStarts[rowOfA + 1];
  const endB = b.rowStarts[rowOfB + 1];
  for (let i = a.rowStarts[rowOfA], j = b.rowStarts[rowOfB]; i < endA && j < endB;) {
    const pixels = Math.min(a.ends[i], b.ends[j]) - Math.max(a.starts[i], b.starts[j]);
    if (pixels >= least) meet(i, j, pixels);
    if (a.ends[i] < b.ends[j]) i++;
    else j++;
  }
}
