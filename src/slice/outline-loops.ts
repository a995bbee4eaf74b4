import { ensureCapacity } from "../core/typed-arrays.ts";
import { endHash } from "./end-hash.ts";
import { type Segments, pushSegment } from "./outline-segments.ts";

/**
 * Closed polygons of the outlines of a layer, in mm across and down. Loop l has the corners from `starts[l]` to before `starts[l + 1]`, and the
 * model `models[l]`; the solid is on the same side as in {@link Segments}. The arrays may be longer than their content.
 */
export interface OutlineLoops {
  loopCount: number;
  starts: Uint32Array<ArrayBuffer>;
  models: Uint32Array<ArrayBuffer>;
  xsMm: Float64Array<ArrayBuffer>;
  ysMm: Float64Array<ArrayBuffer>;
  /** The share of a shift that the edge from each corner gets; all of it if absent. */
  shares?: Float64Array<ArrayBuffer> | undefined;
}

/** Corners nearer to the last one are left out, pixels: the directions of shorter edges are rounding errors of meshes. */
const LEAST_EDGE_PX = 0.005;

/** Hash table of segments by their starts. Arrays are reused from layer to layer, so that a thread allocates few. */
const table = {
  /** A segment plus 1, or 0. */
  slots: new Int32Array(),
  shift: 0,
  /** The next segment that starts at the same point; −1 for none. */
  chained: new Int32Array(),
  isUsed: new Uint8Array(),
};

export const newLoops = (): OutlineLoops => ({
  loopCount: 0,
  starts: new Uint32Array(1),
  models: new Uint32Array(),
  xsMm: new Float64Array(),
  ysMm: new Float64Array(),
});

/**
 * Joins the first `count` segments of a layer to loops by their ends, which are equal in closed solids. `pixelMm`: size of a pixel across and
 * down; `shares`: of each segment, those of its edge. Where outlines touch in a point, the one that turns most towards the solid follows, so that bodies that touch there are loops of their own.
 */
export function joinLoops(
  segments: Segments,
  count: number,
  [widthMm, depthMm]: readonly [number, number],
  to: OutlineLoops,
  shares?: Float64Array,
): void {
  const { ends, models } = segments;
  to.xsMm = ensureCapacity(to.xsMm, count);
  to.ysMm = ensureCapacity(to.ysMm, count);
  to.starts = ensureCapacity(to.starts, count + 1);
  to.models = ensureCapacity(to.models, count);
  to.shares = shares && ensureCapacity(to.shares ?? new Float64Array(), count);
  loadStarts(segments, count);
  const { xsMm, ysMm } = to;
  const { slots, shift, chained, isUsed } = table;
  const bits = new Int32Array(ends.buffer);
  const mask = slots.length - 1;
  const least = LEAST_EDGE_PX * min(widthMm, depthMm);
  let loopCount = 0;
  let corner = 0;
  for (let first = 0; first < count; first++) {
    if (isUsed[first] !== 0) continue;
    const start = corner;
    const model = models[first];
    let segment = first;
    do {
      isUsed[segment] = 1;
      const x = ends[4 * segment] * widthMm;
      const y = ends[4 * segment + 1] * depthMm;
      if (corner === start || abs(x - xsMm[corner - 1]) >= least || abs(y - ysMm[corner - 1]) >= least) {
        xsMm[corner] = x;
        ysMm[corner++] = y;
      }
      // Also of a segment that is left out before: its end is where this one starts.
      if (shares && to.shares) to.shares[corner - 1] = shares[segment];
      const endX = ends[4 * segment + 2];
      const endY = ends[4 * segment + 3];
      let slot = endHash(bits, 2 * segment + 1) >>> shift;
      for (; slots[slot] > 0; slot = (slot + 1) & mask) {
        const other = slots[slot] - 1;
        if (ends[4 * other] === endX && ends[4 * other + 1] === endY && models[other] === model) break;
      }
      // The first segment follows the last one, also where there is none at its end.
      let next = -1;
      for (let other = slots[slot] - 1; other >= 0; other = chained[other]) {
        if (isUsed[other] !== 0 && other !== first) continue;
        if (next < 0 || solidTurn(ends, segment, other) > solidTurn(ends, segment, next)) next = other;
      }
      segment = next < 0 ? first : next;
    } while (segment !== first);
    while (
      corner > start + 1 &&
      abs(xsMm[corner - 1] - xsMm[start]) < least &&
      abs(ysMm[corner - 1] - ysMm[start]) < least
    )
      corner--;
    if (corner < start + 3) corner = start;
    else {
      to.models[loopCount] = model;
      to.starts[loopCount++] = start;
    }
  }
  to.starts[loopCount] = corner;
  to.loopCount = loopCount;
}

/** Adds the loops that are at most `sizeMm` wide and deep, of their models plus `modelStep`. */
export function addSmallLoops(
  { loopCount, starts, models, xsMm, ysMm }: OutlineLoops,
  sizeMm: number,
  modelStep: number,
  [widthMm, depthMm]: readonly [number, number],
  to: Segments,
): void {
  for (let loop = 0; loop < loopCount; loop++) {
    const start = starts[loop];
    const end = starts[loop + 1];
    const isNear = (i: number): boolean => abs(xsMm[i] - xsMm[start]) <= sizeMm && abs(ysMm[i] - ysMm[start]) <= sizeMm;
    let i = start + 1;
    while (i < end && isNear(i)) i++;
    if (i < end || widthOf(xsMm, start, end) > sizeMm || widthOf(ysMm, start, end) > sizeMm) continue;
    for (let j = start; j < end; j++) {
      const next = j + 1 < end ? j + 1 : start;
      const model = models[loop] + modelStep;
      pushSegment(to, xsMm[j] / widthMm, ysMm[j] / depthMm, xsMm[next] / widthMm, ysMm[next] / depthMm, model);
    }
  }
}

function widthOf(values: Float64Array, start: number, end: number): number {
  const own = values.subarray(start, end);
  return Math.max(...own) - Math.min(...own);
}

function loadStarts({ ends, models }: Segments, count: number): void {
  if (count > table.chained.length) {
    const size = 33 - Math.clz32(2 * count);
    table.slots = new Int32Array(2 ** size);
    table.chained = new Int32Array(2 ** (size - 1));
    table.isUsed = new Uint8Array(2 ** (size - 1));
    table.shift = 32 - size;
  } else {
    table.slots.fill(0);
    table.isUsed.fill(0, 0, count);
  }
  const { slots, shift, chained } = table;
  const bits = new Int32Array(ends.buffer);
  const mask = slots.length - 1;
  for (let segment = 0; segment < count; segment++) {
    const x = ends[4 * segment];
    const y = ends[4 * segment + 1];
    const model = models[segment];
    let slot = endHash(bits, 2 * segment) >>> shift;
    for (; slots[slot] > 0; slot = (slot + 1) & mask) {
      const other = slots[slot] - 1;
      if (ends[4 * other] === x && ends[4 * other + 1] === y && models[other] === model) break;
    }
    chained[segment] = slots[slot] - 1;
    slots[slot] = segment + 1;
  }
}

/** Grows with the turn towards the solid from one segment to the next one, from −2 to 2. */
function solidTurn(ends: Float64Array, from: number, to: number): number {
  const ax = ends[4 * from + 2] - ends[4 * from];
  const ay = ends[4 * from + 3] - ends[4 * from + 1];
  const bx = ends[4 * to + 2] - ends[4 * to];
  const by = ends[4 * to + 3] - ends[4 * to + 1];
  const length = Math.sqrt((ax * ax + ay * ay) * (bx * bx + by * by));
  if (length === 0) return 0;
  const cos = (ax * bx + ay * by) / length;
  return ax * by - ay * bx <= 0 ? 1 - cos : cos - 1;
}

// Faster than those of `Math`, which check for NaN and −0.
const min = (a: number, b: number): number => (a < b ? a : b);
const abs = (x: number): number => (x < 0 ? -x : x);
