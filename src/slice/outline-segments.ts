import { ensureCapacity } from "../core/typed-arrays.ts";

/**
 * The outlines of one layer as directed segments, in raster coordinates: pixels, x to the right, y down. On the left side
 * of a solid the outline runs down. Segments are in no order; those of a closed model join end to end.
 */
export interface Segments {
  count: number;
  /** For each segment: x and y of its start, x and y of its end. */
  ends: Float64Array<ArrayBuffer>;
  /** The model of each segment. */
  models: Uint32Array<ArrayBuffer>;
}

const FIRST_CAPACITY = 4096;

export const newSegments = (): Segments => ({
  count: 0,
  ends: new Float64Array(4 * FIRST_CAPACITY),
  models: new Uint32Array(FIRST_CAPACITY),
});

/** Reserves memory for `more` additional segments. */
export function reserveSegments(segments: Segments, more: number): void {
  segments.ends = ensureCapacity(segments.ends, 4 * (segments.count + more));
  segments.models = ensureCapacity(segments.models, segments.count + more);
}

export function copySegments({ count, ends, models }: Segments, to: Segments): void {
  to.count = 0;
  reserveSegments(to, count);
  to.ends.set(ends.subarray(0, 4 * count));
  to.models.set(models.subarray(0, count));
  to.count = count;
}

/** Appends the segments from `first` on to others. */
export function appendSegments({ count, ends, models }: Segments, first: number, to: Segments): void {
  reserveSegments(to, count - first);
  to.ends.set(ends.subarray(4 * first, 4 * count), 4 * to.count);
  to.models.set(models.subarray(first, count), to.count);
  to.count += count - first;
}

export function pushSegment(segments: Segments, x0: number, y0: number, x1: number, y1: number, model: number): void {
  reserveSegments(segments, 1);
  const at = 4 * segments.count;
  segments.ends[at] = x0;
  segments.ends[at + 1] = y0;
  segments.ends[at + 2] = x1;
  segments.ends[at + 3] = y1;
  segments.models[segments.count++] = model;
}

/** A point, in pixels, at which the numbers of ending and starting outlines differ. */
interface LooseEnd {
  readonly x: number;
  readonly y: number;
}

/**
 * Closes the outlines of models with gaps, so that the fill of a row cannot leak: a straight segment joins each loose end to
 * a loose start of the same model, the nearest pairs first. `poll` is called regularly and may throw to cancel.
 */
export function closeGaps(segments: Segments, isOpen: (model: number) => boolean, poll: () => void = () => {}): void {
  const byModel = new Map<number, number[]>();
  for (let s = 0; s < segments.count; s++) {
    const model = segments.models[s];
    if (!isOpen(model)) continue;
    const own = byModel.get(model);
    if (own) own.push(s);
    else byModel.set(model, [s]);
  }
  for (const [model, own] of byModel) {
    const { starts, ends } = looseEnds(segments, own);
    for (const [end, start] of pairByDistance(ends, starts, poll)) {
      pushSegment(segments, end.x, end.y, start.x, start.y, model);
    }
  }
}

/** Lists each point by the difference of the numbers of its ends and starts. There are equal numbers of loose ends and loose starts. */
function looseEnds({ ends: places }: Segments, own: readonly number[]): { starts: LooseEnd[]; ends: LooseEnd[] } {
  const balances = new Map<number, Map<number, number>>();
  const count = (x: number, y: number, step: number): void => {
    const column = balances.get(x) ?? new Map<number, number>();
    balances.set(x, column.set(y, (column.get(y) ?? 0) + step));
  };
  for (const s of own) {
    count(places[4 * s], places[4 * s + 1], -1);
    count(places[4 * s + 2], places[4 * s + 3], 1);
  }
  const starts: LooseEnd[] = [];
  const ends: LooseEnd[] = [];
  for (const [x, column] of balances) {
    for (const [y, balance] of column) {
      for (let i = 0; i < Math.abs(balance); i++) (balance < 0 ? starts : ends).push({ x, y });
    }
  }
  return { starts, ends };
}

/** Search radius for pairs, pixels, and its growth from one round to the next. */
const FIRST_REACH = 1;
const REACH_GROWTH = 4;

/** Pairs each end with a start: first all within the search radius, the nearest first; then within a larger radius. */
function pairByDistance(
  ends: readonly LooseEnd[],
  starts: readonly LooseEnd[],
  poll: () => void,
): [end: LooseEnd, start: LooseEnd][] {
  const chosen: [LooseEnd, LooseEnd][] = [];
  let freeEnds = [...ends];
  const freeStarts = new Set(starts);
  for (let reach = FIRST_REACH; freeEnds.length > 0; reach *= REACH_GROWTH) {
    poll();
    const pairs = nearestWithin(freeEnds, freeStarts, reach).sort((a, b) => a.distance - b.distance);
    const taken = new Set<LooseEnd>();
    for (const { end, start } of pairs) {
      if (!freeStarts.delete(start)) continue;
      taken.add(end);
      chosen.push([end, start]);
    }
    // Ends whose nearest start another end has taken are tried again within the same radius.
    if (taken.size > 0) reach /= REACH_GROWTH;
    freeEnds = freeEnds.filter((end) => !taken.has(end));
  }
  return chosen;
}

/** The nearest start within reach of each end that has one. */
function nearestWithin(ends: readonly LooseEnd[], starts: Iterable<LooseEnd>, reach: number) {
  const cells = new Map<string, LooseEnd[]>();
  const cellOf = (value: number): number => Math.floor(value / reach);
  for (const start of starts) {
    const key = `${cellOf(start.x)} ${cellOf(start.y)}`;
    const cell = cells.get(key);
    if (cell) cell.push(start);
    else cells.set(key, [start]);
  }
  return ends.flatMap((end) => {
    let best: { end: LooseEnd; start: LooseEnd; distance: number } | undefined;
    for (let x = cellOf(end.x) - 1; x <= cellOf(end.x) + 1; x++) {
      for (let y = cellOf(end.y) - 1; y <= cellOf(end.y) + 1; y++) {
        for (const start of cells.get(`${x} ${y}`) ?? []) {
          const distance = Math.hypot(end.x - start.x, end.y - start.y);
          if (distance <= reach && (best === undefined || distance < best.distance)) best = { end, start, distance };
        }
      }
    }
    return best === undefined ? [] : [best];
  });
}
