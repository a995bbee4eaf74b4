import { must } from "../../core/must.ts";
import { toSharedMemory } from "../../core/typed-arrays.ts";
import type { Ball } from "../../geometry/vector.ts";
import type { SupportSettings } from "../support-settings.ts";
import { branchOf } from "../tree/forest.ts";
import type { Branch, Merge } from "../tree/merge-branches.ts";
import type { Reach } from "../tree/reach.ts";
import { type Route, newRoute } from "../tree/route.ts";
import type { DraftPoint, PointForest } from "./local-forest.ts";

// A forest as numbers in shared memory, which any thread can read: threads take turns with the edits of a part, and the budget of
// memory counts arrays.

/** How a point is held. */
const [UNREACHED, FOOT, POST, TIP] = [0, 1, 2, 3];

/** The points of a forest, then its merges; branches by index, those of the tips first. */
export function packForest({ points, forest }: PointForest): Float64Array {
  const { reaches, tips, merges } = forest;
  const numbers: number[] = [points.length, merges.length];
  const indices = new Map<Branch, number>();
  points.forEach((point, i) => {
    numbers.push(...point.position, ...point.normal, point.sizeMm);
    writeReach(numbers, reaches[i]);
    const tip = tips[i];
    if (tip) indices.set(tip, i);
  });
  merges.forEach(({ branches, into, rank }, i) => {
    indices.set(into, points.length + i);
    numbers.push(...branches.map((branch) => must(indices.get(branch), "The index of a branch")));
    numbers.push(rank, into.load, into.largestTouchMm);
    writeBall(numbers, into.ball);
    writeRoute(numbers, into.route);
  });
  return toSharedMemory(Float64Array.from(numbers));
}

/** The inverse of {@link packForest}. */
export function unpackForest(packed: Float64Array, settings: SupportSettings): PointForest {
  let at = 0;
  const next = (): number => packed[at++];
  const [pointCount, mergeCount] = [next(), next()];
  const points: DraftPoint[] = [];
  const reaches: (Reach | undefined)[] = [];
  for (let i = 0; i < pointCount; i++) {
    const point: DraftPoint = {
      position: [next(), next(), next()],
      normal: [next(), next(), next()],
      sizeMm: next(),
    };
    points.push(point);
    reaches.push(readReach(next, point.sizeMm));
  }
  const tips = reaches.map((reach) => branchOf(reach, settings));
  const branches: (Branch | undefined)[] = [...tips];
  const roots = new Set(tips.filter((tip) => tip !== undefined));
  const merges: Merge[] = [];
  for (let i = 0; i < mergeCount; i++) {
    const merged = [next(), next()].map((index) => must(branches[index], "A merged branch"));
    const [rank, load, largestTouchMm] = [next(), next(), next()];
    const ball = readBall(next);
    const into: Branch = { ball, load, largestTouchMm, route: readRoute(next, ball) };
    merges.push({ branches: [merged[0], merged[1]], into, rank });
    branches.push(into);
    for (const branch of merged) roots.delete(branch);
    roots.add(into);
  }
  return { points, forest: { reaches, tips, merges, roots: [...roots] } };
}

function writeReach(numbers: number[], reach: Reach | undefined): void {
  if (!reach) return void numbers.push(UNREACHED);
  if (reach.post) {
    const { top, foot } = reach.post;
    numbers.push(foot ? POST : FOOT);
    writeBall(numbers, top);
    if (foot) writeBall(numbers, foot);
    return;
  }
  numbers.push(TIP);
  writeBall(numbers, reach.tip.touch);
  writeBall(numbers, reach.tip.end);
  writeRoute(numbers, reach.route);
}

function readReach(next: () => number, sizeMm: number): Reach | undefined {
  const kind = next();
  if (kind === UNREACHED) return undefined;
  const first = readBall(next);
  if (kind === FOOT) return { post: { top: first } };
  const second = readBall(next);
  if (kind === POST) return { post: { top: first, foot: second } };
  return { tip: { touch: first, end: second }, route: readRoute(next, second), sizeMm };
}

const writeBall = (numbers: number[], { centre, radiusMm }: Ball): void => void numbers.push(...centre, radiusMm);

const readBall = (next: () => number): Ball => ({ centre: [next(), next(), next()], radiusMm: next() });

function writeRoute(numbers: number[], { balls, on }: Route): void {
  numbers.push(on === "MODEL" ? 1 : 0, balls.length);
  for (const ball of balls) writeBall(numbers, ball);
}

function readRoute(next: () => number, start: Ball): Route {
  const on = next() === 1 ? "MODEL" : "GROUND";
  const balls = Array.from({ length: next() }, () => readBall(next));
  return newRoute(start, balls, on);
}
