import { ensureCapacity } from "../core/typed-arrays.ts";
import { lowerBound, upperBound } from "./binary-search.ts";

/** A grid of square pixels seen from above. Column 0 is at the left, row 0 at the back. */
export interface SpanGrid {
  readonly columns: number;
  readonly rows: number;
  readonly pixelMm: number;
  /** Scene coordinates of the left back corner. */
  readonly leftMm: number;
  readonly backMm: number;
}

/** The solid pixels of a layer as spans: those of row y are `rowStarts[y]` … `rowStarts[y + 1] - 1`, disjoint and ascending. */
export interface SpanLayer {
  /** 0-based, from the platform. */
  readonly index: number;
  readonly rowStarts: Uint32Array;
  /** The first column of each span. */
  readonly starts: Uint16Array;
  /** The column after the last one of each span. */
  readonly ends: Uint16Array;
}

/** Whether pixels are connected by common sides alone (4-connected), or by common corners, too (8-connected). */
export type Connectivity = "SIDES" | "CORNERS";

/** The connected components of a layer. */
export interface SpanRegions {
  readonly count: number;
  /** The region of each span. Regions are in the order of their first spans. */
  readonly regionOf: Uint32Array;
}

export function connectedRegions(layer: SpanLayer, connectivity: Connectivity = "SIDES"): SpanRegions {
  const { rowStarts, starts, ends } = layer;
  const least = minSharedColumns(connectivity);
  // A span takes the label of a connected span in the previous row, or a new label: the number of labels is the number of local back
  // sides.
  const labels = new Uint32Array(starts.length);
  const joined: number[] = [];
  for (let row = 0, before = 0; row + 1 < rowStarts.length; row++) {
    const from = rowStarts[row];
    for (let span = from; span < rowStarts[row + 1]; span++) {
      const start = starts[span];
      const end = ends[span];
      while (before < from && ends[before] - start < least) before++;
      let label = -1;
      for (let other = before; other < from && end - starts[other] >= least; other++) {
        if (label === labels[other]) continue;
        label = label < 0 ? labels[other] : joinLabels(joined, label, labels[other]);
      }
      labels[span] = label < 0 ? joined.push(joined.length) - 1 : label;
    }
    before = from;
  }
  // A label is joined to a smaller one, whose region is known by then.
  let count = 0;
  const regions = joined.map((to, label) => (to === label ? count++ : -1));
  joined.forEach((to, label) => (regions[label] = regions[to]));
  for (let span = 0; span < labels.length; span++) labels[span] = regions[labels[span]];
  return { count, regionOf: labels };
}

/** Joins the sets of two labels; each label points to a smaller one of its set, the smallest to itself. Returns the smallest. */
function joinLabels(joined: number[], a: number, b: number): number {
  while (a !== joined[a]) a = joined[a] = joined[joined[a]];
  while (b !== joined[b]) b = joined[b] = joined[joined[b]];
  if (a < b) joined[b] = a;
  else joined[a] = b;
  return a < b ? a : b;
}

/** The number of pixels of each region. */
export function regionPixels({ starts, ends }: SpanLayer, { count, regionOf }: SpanRegions): Float64Array {
  const pixels = new Float64Array(count);
  for (let span = 0; span < regionOf.length; span++) pixels[regionOf[span]] += ends[span] - starts[span];
  return pixels;
}

/** Called with a span of one layer, a span of another layer, and the number of columns that they share. */
export type OverlapVisitor = (span: number, other: number, pixels: number) => void;

/** Calls `visit` for each pair of spans of two layers of the same grid that share a pixel. */
export function forOverlappingSpans(layer: SpanLayer, other: SpanLayer, visit: OverlapVisitor): void {
  for (let row = 0; row + 1 < layer.rowStarts.length; row++) forOverlappingSpansOfRows(layer, row, other, row, visit);
}

/** Calls `visit` for each pair of spans of two layers of the same grid that share a pixel or have pixels that touch, also at corners. */
export function forTouchingSpans(layer: SpanLayer, other: SpanLayer, visit: OverlapVisitor): void {
  const rows = layer.rowStarts.length - 1;
  for (let row = 0; row < rows; row++) {
    for (let adjacent = Math.max(0, row - 1); adjacent < Math.min(rows, row + 2); adjacent++) {
      forOverlappingSpansOfRows(layer, row, other, adjacent, visit, minSharedColumns("CORNERS"));
    }
  }
}

/** A layer with its connected regions. */
export interface RegionLayer extends Pick<SpanRegions, "regionOf"> {
  readonly layer: SpanLayer;
}

/**
 * Calls `visit` for each pair of regions of two layers of the same grid that share a pixel or have pixels that touch, also at corners: in the order
 * in which {@link forTouchingSpans} finds them. Pairs may be visited several times, but most of their spans are skipped.
 */
export function forTouchingRegions(
  { layer: a, regionOf: regionOfA }: RegionLayer,
  { layer: b, regionOf: regionOfB }: RegionLayer,
  visit: (region: number, other: number) => void,
): void {
  const [startsA, endsA, startsB, endsB] = [a.starts, a.ends, b.starts, b.ends];
  const rows = a.rowStarts.length - 1;
  let [region, other] = [-1, -1];
  for (let row = 0; row < rows; row++) {
    const endA = a.rowStarts[row + 1];
    if (a.rowStarts[row] === endA) continue;
    for (let adjacent = Math.max(0, row - 1); adjacent < Math.min(rows, row + 2); adjacent++) {
      const endB = b.rowStarts[adjacent + 1];
      for (let i = a.rowStarts[row], j = b.rowStarts[adjacent]; i < endA && j < endB;) {
        if (endsA[i] >= startsB[j] && endsB[j] >= startsA[i] && (regionOfA[i] !== region || regionOfB[j] !== other)) {
          region = regionOfA[i];
          other = regionOfB[j];
          visit(region, other);
        }
        if (endsA[i] < endsB[j]) i++;
        else j++;
      }
    }
  }
}

/** For each span of a layer, 1 if it shares a pixel with another layer of the same grid or touches one, also at a corner. */
export function touchingSpans(layer: SpanLayer, other: SpanLayer): Uint8Array {
  const isTouching = new Uint8Array(layer.starts.length);
  const last = layer.rowStarts.length - 2;
  for (let row = 0; row <= last; row++) {
    // Most spans touch a span of the same row.
    if (markTouching(layer, row, other, row, isTouching)) continue;
    if (row > 0 && markTouching(layer, row, other, row - 1, isTouching)) continue;
    if (row < last) markTouching(layer, row, other, row + 1, isTouching);
  }
  return isTouching;
}

/** Marks the spans of a row that touch a span of a row of another layer. Returns whether all spans of the row are marked. */
function markTouching(
  { rowStarts, starts, ends }: SpanLayer,
  row: number,
  other: SpanLayer,
  otherRow: number,
  isMarked: Uint8Array,
): boolean {
  const otherEnd = other.rowStarts[otherRow + 1];
  let areAll = true;
  for (let i = rowStarts[row], j = other.rowStarts[otherRow]; i < rowStarts[row + 1]; i++) {
    while (j < otherEnd && other.ends[j] < starts[i]) j++;
    if (j < otherEnd && other.starts[j] <= ends[i]) isMarked[i] = 1;
    else if (isMarked[i] === 0) areAll = false;
  }
  return areAll;
}

/**
 * Marks the spans of a layer from which a path leads to a marked span: over touching spans of adjacent rows, also at corners, only
 * towards the front or only towards the back. Returns whether all spans are marked.
 */
export function spreadMarks(layer: SpanLayer, isMarked: Uint8Array): boolean {
  if (!isMarked.includes(0)) return true;
  const last = layer.rowStarts.length - 2;
  for (let row = 1; row <= last; row++) spreadToRow(layer, row, row - 1, isMarked);
  for (let row = last; row > 0; row--) spreadToRow(layer, row - 1, row, isMarked);
  return !isMarked.includes(0);
}

/** Marks the spans of `row` that touch marked ones of `from`, an adjacent row. */
function spreadToRow({ rowStarts, starts, ends }: SpanLayer, row: number, from: number, isMarked: Uint8Array): void {
  const end = rowStarts[from + 1];
  let first = rowStarts[from];
  for (let i = rowStarts[row]; i < rowStarts[row + 1]; i++) {
    if (isMarked[i] === 1) continue;
    while (first < end && ends[first] < starts[i]) first++;
    for (let j = first; j < end && starts[j] <= ends[i]; j++) isMarked[i] |= isMarked[j];
  }
}

/**
 * The regions of a layer, and for each of them whether it touches the layer below, also at a corner; undefined if all do. Spans are connected at
 * corners, too.
 */
export function regionsOver(
  layer: SpanLayer,
  below: SpanLayer,
): { readonly regions: SpanRegions; readonly isCarried: Uint8Array } | undefined {
  const isTouching = touchingSpans(layer, below);
  if (spreadMarks(layer, isTouching)) return undefined;
  const regions = connectedRegions(layer, "CORNERS");
  const isCarried = new Uint8Array(regions.count);
  regions.regionOf.forEach((region, span) => (isCarried[region] |= isTouching[span]));
  return { regions, isCarried };
}

/** The least number of shared columns of connected spans in adjacent rows; 0 for spans that touch at a corner. */
const minSharedColumns = (connectivity: Connectivity): number => (connectivity === "SIDES" ? 1 : 0);

function forOverlappingSpansOfRows(
  a: SpanLayer,
  rowOfA: number,
  b: SpanLayer,
  rowOfB: number,
  visit: OverlapVisitor,
  least = minSharedColumns("SIDES"),
): void {
  const endA = a.rowStarts[rowOfA + 1];
  const endB = b.rowStarts[rowOfB + 1];
  for (let i = a.rowStarts[rowOfA], j = b.rowStarts[rowOfB]; i < endA && j < endB;) {
    const pixels = Math.min(a.ends[i], b.ends[j]) - Math.max(a.starts[i], b.starts[j]);
    if (pixels >= least) visit(i, j, pixels);
    if (a.ends[i] < b.ends[j]) i++;
    else j++;
  }
}

/** Calls `visit` for each run of pixels, from column `from` to before `to`, that is solid in `layer` and not in `other`. */
export function subtractSpans(
  layer: SpanLayer,
  other: SpanLayer | undefined,
  visit: (row: number, from: number, to: number) => void,
): void {
  const { rowStarts, starts, ends } = layer;
  // Most layers cover few of the rows.
  const lastRow = lowerBound(rowStarts, starts.length);
  for (let row = upperBound(rowStarts, 0) - 1; row < lastRow; row++) {
    if (!other) {
      for (let i = rowStarts[row]; i < rowStarts[row + 1]; i++) visit(row, starts[i], ends[i]);
      continue;
    }
    if (isSameRow(layer, other, row)) continue;
    let hole = other.rowStarts[row];
    const lastHole = other.rowStarts[row + 1];
    for (let i = rowStarts[row]; i < rowStarts[row + 1]; i++) {
      let from = starts[i];
      const to = ends[i];
      while (hole < lastHole && other.ends[hole] <= from) hole++;
      // The last span of `other` may overlap the next span of `layer`, too.
      for (let h = hole; h < lastHole && other.starts[h] < to; h++) {
        if (other.starts[h] > from) visit(row, from, other.starts[h]);
        from = Math.max(from, other.ends[h]);
      }
      if (from < to) visit(row, from, to);
    }
  }
}

/** Whether a row has the same spans in both layers, as most rows do. */
function isSameRow(a: SpanLayer, b: SpanLayer, row: number): boolean {
  const first = a.rowStarts[row];
  const end = a.rowStarts[row + 1];
  const shift = b.rowStarts[row] - first;
  if (b.rowStarts[row + 1] - end !== shift) return false;
  for (let i = first; i < end; i++) {
    if (a.starts[i] !== b.starts[i + shift] || a.ends[i] !== b.ends[i + shift]) return false;
  }
  return true;
}

/** Spans of {@link halveResolution} before their number is known; it is called for each layer of a part. */
let halved: { firsts: Uint16Array<ArrayBuffer>; lasts: Uint16Array<ArrayBuffer> } = {
  firsts: new Uint16Array(0),
  lasts: new Uint16Array(0),
};

/** The layer at half the resolution: a pixel is solid if any of its four pixels is. The number of rows is even. */
export function halveResolution({ index, rowStarts, starts, ends }: SpanLayer): SpanLayer {
  const rows = (rowStarts.length - 1) / 2;
  const halves = new Uint32Array(rows + 1);
  const firsts = ensureCapacity(halved.firsts, starts.length);
  const lasts = ensureCapacity(halved.lasts, starts.length);
  halved = { firsts, lasts };
  let count = 0;
  for (let row = 0; row < rows; row++) {
    let a = rowStarts[2 * row];
    let b = rowStarts[2 * row + 1];
    const endA = b;
    const endB = rowStarts[2 * row + 2];
    while (a < endA || b < endB) {
      const next = b === endB || (a < endA && starts[a] <= starts[b]) ? a++ : b++;
      const first = starts[next] >> 1;
      const last = (ends[next] + 1) >> 1;
      if (count > halves[row] && first <= lasts[count - 1]) lasts[count - 1] = Math.max(lasts[count - 1], last);
      else {
        firsts[count] = first;
        lasts[count++] = last;
      }
    }
    halves[row + 1] = count;
  }
  return { index, rowStarts: halves, starts: firsts.slice(0, count), ends: lasts.slice(0, count) };
}

/** The pixels of a layer that are not solid. */
export function invertSpans({ index, rowStarts, starts, ends }: SpanLayer, columns: number): SpanLayer {
  const rows = rowStarts.length - 1;
  const emptyRowStarts = new Uint32Array(rows + 1);
  const emptyStarts = new Uint16Array(starts.length + rows);
  const emptyEnds = new Uint16Array(starts.length + rows);
  let count = 0;
  const push = (start: number, end: number): void => {
    if (start === end) return;
    emptyStarts[count] = start;
    emptyEnds[count++] = end;
  };
  for (let row = 0; row < rows; row++) {
    let start = 0;
    for (let i = rowStarts[row]; i < rowStarts[row + 1]; i++) {
      push(start, starts[i]);
      start = ends[i];
    }
    push(start, columns);
    emptyRowStarts[row + 1] = count;
  }
  return {
    index,
    rowStarts: emptyRowStarts,
    starts: emptyStarts.subarray(0, count),
    ends: emptyEnds.subarray(0, count),
  };
}
