import { push, type Segments } from "./raster/segments.ts";

/** A place where outlines end, or start, more often than the other. */
interface Loose {
  readonly x: number;
  readonly y: number;
}

/**
 * Closes the outlines of models with gaps, so that no row of the layer can leak: each loose end is joined to a loose start
 * of its model by a straight line, near ones first. `poll` is called now and then, and may throw to end it.
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
    for (const [end, start] of nearPairs(ends, starts, poll)) push(segments, end.x, end.y, start.x, start.y, model);
  }
}

/** Each place as often as one of the two is missing there. There are as many ends as starts. */
function looseEnds({ ends: places }: Segments, own: readonly number[]): { starts: Loose[]; ends: Loose[] } {
  const balances = new Map<number, Map<number, number>>();
  const count = (x: number, y: number, step: number): void => {
    const column = balances.get(x) ?? new Map<number, number>();
    balances.set(x, column.set(y, (column.get(y) ?? 0) + step));
  };
  for (const s of own) {
    count(places[4 * s], places[4 * s + 1], -1);
    count(places[4 * s + 2], places[4 * s + 3], 1);
  }
  const starts: Loose[] = [];
  const ends: Loose[] = [];
  for (const [x, column] of balances) {
    for (const [y, balance] of column) {
      for (let i = 0; i < Math.abs(balance); i++) (balance < 0 ? starts : ends).push({ x, y });
    }
  }
  return { starts, ends };
}

/** Pixels within which a pair is looked for first; then within four times as much, and so on. */
const FIRST_REACH = 1;
const WIDER = 4;

/**
 * Pairs each end with a start: all those within reach of one another, the nearest first, then within a wider reach, until
 * none is left.
 */
function nearPairs(ends: readonly Loose[], starts: readonly Loose[], poll: () => void): [Loose, Loose][] {
  const chosen: [Loose, Loose][] = [];
  let freeEnds = [...ends];
  const freeStarts = new Set(starts);
  for (let reach = FIRST_REACH; freeEnds.length > 0; reach *= WIDER) {
    poll();
    const pairs = nearestWithin(freeEnds, freeStarts, reach).sort((a, b) => a.gap - b.gap);
    const taken = new Set<Loose>();
    for (const { end, start } of pairs) {
      if (!freeStarts.delete(start)) continue;
      taken.add(end);
      chosen.push([end, start]);
    }
    // Ends whose nearest start went to another are tried again within the same reach.
    if (taken.size > 0) reach /= WIDER;
    freeEnds = freeEnds.filter((end) => !taken.has(end));
  }
  return chosen;
}

/** For each end the nearest start within reach, if there is one. */
function nearestWithin(ends: readonly Loose[], starts: Iterable<Loose>, reach: number) {
  const cells = new Map<string, Loose[]>();
  const cellOf = (value: number): number => Math.floor(value / reach);
  for (const start of starts) {
    const key = `${cellOf(start.x)} ${cellOf(start.y)}`;
    const cell = cells.get(key);
    if (cell) cell.push(start);
    else cells.set(key, [start]);
  }
  return ends.flatMap((end) => {
    let best: { end: Loose; start: Loose; gap: number } | undefined;
    for (let x = cellOf(end.x) - 1; x <= cellOf(end.x) + 1; x++) {
      for (let y = cellOf(end.y) - 1; y <= cellOf(end.y) + 1; y++) {
        for (const start of cells.get(`${x} ${y}`) ?? []) {
          const gap = Math.hypot(end.x - start.x, end.y - start.y);
          if (gap <= reach && (best === undefined || gap < best.gap)) best = { end, start, gap };
        }
      }
    }
    return best === undefined ? [] : [best];
  });
}
