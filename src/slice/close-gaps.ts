import { push, type Segments } from "./raster/segments.ts";

interface Loose {
  readonly x: number;
  readonly y: number;
  /** 1 where an outline ends, −1 where one starts. */
  readonly balance: 1 | -1;
}

/**
 * Closes the outlines of models with gaps, so that no row of the layer can leak: each loose end is joined to the nearest
 * loose start of its model by a straight line, the shortest lines first.
 */
export function closeGaps(segments: Segments, isOpen: (model: number) => boolean): void {
  const byModel = new Map<number, number[]>();
  for (let s = 0; s < segments.count; s++) {
    const model = segments.models[s];
    if (!isOpen(model)) continue;
    const own = byModel.get(model);
    if (own) own.push(s);
    else byModel.set(model, [s]);
  }
  for (const [model, own] of byModel) {
    const loose = looseEnds(segments, own);
    const starts = loose.filter(({ balance }) => balance < 0);
    const ends = loose.filter(({ balance }) => balance > 0);
    for (const [end, start] of nearestPairs(ends, starts)) push(segments, end.x, end.y, start.x, start.y, model);
  }
}

/** Places where more segments end than start, or the other way, as often as they do. */
function looseEnds({ ends }: Segments, own: readonly number[]): Loose[] {
  const balances = new Map<string, number>();
  const count = (x: number, y: number, step: number): void => {
    const key = `${x} ${y}`;
    balances.set(key, (balances.get(key) ?? 0) + step);
  };
  for (const s of own) {
    count(ends[4 * s], ends[4 * s + 1], -1);
    count(ends[4 * s + 2], ends[4 * s + 3], 1);
  }
  return [...balances].flatMap(([key, balance]) => {
    const [x, y] = key.split(" ").map(Number);
    return Array.from({ length: Math.abs(balance) }, (): Loose => ({ x, y, balance: balance > 0 ? 1 : -1 }));
  });
}

/** Of so many loose ends and more, each takes the nearest start that is left, in their order. */
const MANY = 400;

function nearestPairs(ends: readonly Loose[], starts: readonly Loose[]): [Loose, Loose][] {
  const distance = (a: Loose, b: Loose): number => Math.hypot(a.x - b.x, a.y - b.y);
  if (ends.length > MANY) return pairInOrder(ends, starts, distance);
  const pairs = ends
    .flatMap((end) => starts.map((start) => ({ end, start, gap: distance(end, start) })))
    .sort((a, b) => a.gap - b.gap);
  const taken = new Set<Loose>();
  const chosen: [Loose, Loose][] = [];
  for (const { end, start } of pairs) {
    if (taken.has(end) || taken.has(start)) continue;
    taken.add(end).add(start);
    chosen.push([end, start]);
  }
  return chosen;
}

function pairInOrder(
  ends: readonly Loose[],
  starts: readonly Loose[],
  distance: (a: Loose, b: Loose) => number,
): [Loose, Loose][] {
  const left = [...starts];
  return ends.map((end) => {
    let best = 0;
    for (let i = 1; i < left.length; i++) if (distance(end, left[i]) < distance(end, left[best])) best = i;
    return [end, left.splice(best, 1)[0]];
  });
}
