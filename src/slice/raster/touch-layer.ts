import { grown } from "../../mesh/grown.ts";
import { TOUCH, turnsOfCrossing } from "./crossing.ts";
import { type Gathered, newGatherer } from "./gather-row.ts";
import { cutIntoRows, newPieces } from "./pieces.ts";
import { resolveOverlap } from "./resolve-overlap.ts";
import type { Segments } from "./segments.ts";
import { Winding } from "./winding.ts";

const ROWS_PER_POLL = 64;
/** Less of a pixel does not count as touched: it is drawn black. */
const LEAST_SHARE = 0.5 / 255;

/** Spans of pixels: those of row y from `rowStarts[y]` to `rowStarts[y + 1]`, apart and in order. */
export interface TouchedSpans {
  readonly rowStarts: Uint32Array;
  /** First column of a span. */
  readonly starts: Uint16Array;
  /** The column after the last of a span. */
  readonly ends: Uint16Array;
}

/** As a layer is drawn by {@link newLayerDrawer}, but told is only which pixels it touches. */
export type LayerToucher = (segments: Segments, winding: Winding, poll: () => void) => TouchedSpans;

/**
 * Finds the pixels, of `width` × `height`, that layers touch: those that `newLayerDrawer` draws in any level of grey, but
 * for slivers that share a pixel. Where an outline crosses a row alone, only where it begins to cover pixels has to be
 * worked out.
 */
export function newLayerToucher(width: number, height: number): LayerToucher {
  const pieces = newPieces(height);
  const gather = newGatherer(pieces);
  const cover = new Float64Array(width + 2);
  const rowStarts = new Uint32Array(height + 1);
  let starts = new Uint16Array(1024);
  let ends = new Uint16Array(1024);
  let count = 0;
  let rowStart = 0;

  let winding = new Winding(0, -1);
  /** The first pixel of the solid that the sweep of the row is in; none while it is outside. */
  let open = -1;

  const within = (pixel: number): number => Math.max(0, Math.min(width, pixel));

  function add(from: number, to: number): void {
    if (from >= to) return;
    if (count > rowStart && from <= ends[count - 1]) {
      if (to > ends[count - 1]) ends[count - 1] = to;
      return;
    }
    if (count === starts.length) {
      starts = grown(starts, count + 1);
      ends = grown(ends, count + 1);
    }
    starts[count] = from;
    ends[count++] = to;
  }

  /** Adds a cluster whose outlines turn or come together, or lie beyond an end of the row. */
  function addOverlap(members: Int32Array, left: number, right: number): void {
    const from = within(Math.floor(left));
    const to = within(Math.floor(right) + 1);
    let share = 0;
    if (open >= 0) {
      add(open, from);
      share = 1;
    }
    resolveOverlap(pieces, members, right, winding, cover);
    for (let pixel = from; pixel < to; pixel++) {
      share += cover[pixel];
      if (share >= LEAST_SHARE) add(pixel, pixel + 1);
    }
    cover.fill(0, Math.max(0, from - 1), to + 2);
    open = winding.isInside ? to : -1;
  }

  /** How much of the row lies between the cluster's way through it and column `at`, on the `side` of that: −1 left, 1 right. */
  function between({ members }: Gathered, from: number, to: number, at: number, side: number): number {
    const { x0, x1, y0, y1 } = pieces;
    let sum = 0;
    for (let i = from; i < to; i++) {
      const piece = members[i];
      const start = side * (x0[piece] - at);
      const end = side * (x1[piece] - at);
      const near = start < end ? start : end;
      const far = start < end ? end : start;
      if (far <= 0) continue;
      const step = y1[piece] - y0[piece];
      sum += (step < 0 ? -step : step) * (near >= 0 ? (near + far) / 2 : (far * far) / (2 * (far - near)));
    }
    return sum;
  }

  /** The first pixel that is solid where an outline enters. */
  function entered(row: Gathered, from: number, to: number, right: number): number {
    let pixel = Math.floor(row.lefts[from]);
    if (right <= pixel + 1 - LEAST_SHARE) return within(pixel);
    for (let before = 0; ; pixel++) {
      const all = between(row, from, to, pixel + 1, -1);
      if (all - before >= LEAST_SHARE) return within(pixel);
      before = all;
    }
  }

  /** The pixel after the last one that is solid where an outline leaves. */
  function left(row: Gathered, from: number, to: number, right: number): number {
    let end = Math.ceil(right);
    if (row.lefts[from] >= end - 1 + LEAST_SHARE) return within(end);
    for (let before = 0; ; end--) {
      const all = between(row, from, to, end - 1, 1);
      if (all - before >= LEAST_SHARE) return within(end);
      before = all;
    }
  }

  function addCluster(row: Gathered, from: number, to: number, right: number): void {
    const { members, lefts } = row;
    const turns = turnsOfCrossing(pieces, members, from, to);
    if (turns === 0 || lefts[from] < -TOUCH || right > width + TOUCH) {
      addOverlap(members.subarray(from, to), lefts[from], right);
      return;
    }
    winding.turn(pieces.models[members[from]], turns);
    if (winding.isInside === open >= 0) return;
    if (open < 0) open = entered(row, from, to, right);
    else {
      add(open, left(row, from, to, right));
      open = -1;
    }
  }

  /** The sweep of `newLayerDrawer`, written out again: called through one function for both it takes a tenth longer. */
  function touchRow(row: Gathered): void {
    const { x0, x1 } = pieces;
    const { members, lefts, count: pieceCount } = row;
    open = -1;
    for (let from = 0; from < pieceCount;) {
      let right = -Infinity;
      let to = from;
      do {
        const piece = members[to];
        const pieceRight = x0[piece] > x1[piece] ? x0[piece] : x1[piece];
        if (pieceRight > right) right = pieceRight;
        to++;
      } while (to < pieceCount && lefts[to] <= right + TOUCH);
      addCluster(row, from, to, right);
      from = to;
    }
  }

  return (segments, windingOfLayer, poll) => {
    winding = windingOfLayer;
    cutIntoRows(segments, pieces);
    count = 0;
    rowStarts.fill(0, 0, Math.min(height, pieces.firstRow) + 1);
    for (let row = pieces.firstRow; row < pieces.endRow; row++) {
      if (row % ROWS_PER_POLL === 0) poll();
      rowStart = count;
      touchRow(gather(row));
      rowStarts[row + 1] = count;
    }
    rowStarts.fill(count, Math.max(pieces.endRow, Math.min(height, pieces.firstRow)) + 1);
    return { rowStarts: rowStarts.slice(), starts: starts.slice(0, count), ends: ends.slice(0, count) };
  };
}
