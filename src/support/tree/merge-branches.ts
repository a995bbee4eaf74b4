import type { Progress } from "../../core/progress.ts";
import { newPriorityQueue } from "../../geometry/heap.ts";
import { type Ball, type Vec3, distance, distanceXy, lerp } from "../../geometry/vector.ts";
import { type RoutingSpace, strutFits } from "./clearance.ts";
import type { Route } from "./route.ts";
import { CLEARANCE_MM, MAX_LEAN_MM, MAX_LOAD, trunkRadius } from "./support-tree.ts";

/** The upper part of a pillar, down to its lowest joint or the end of its tip. */
export interface Branch {
  readonly ball: Ball;
  /** Sum of the loads of its touchpoints ({@link loadOf}). */
  readonly load: number;
  /** Diameter of its largest touchpoint, and of its foot if that is on the model. */
  readonly largestTouchMm: number;
  /** Its route unless it merges with another branch. */
  readonly route: Route;
}

/** Cross-section of a trunk below a sum of loads, mm². That trunks widen towards their feet is ignored. */
function trunkSection(load: number): number {
  const radiusMm = trunkRadius(load);
  return Math.PI * radiusMm * radiusMm;
}

/** Volume of the rest of a branch along its own route, mm³. */
const remainingVolume = ({ load, route }: Branch): number => trunkSection(load) * route.lengthMm;

/** A joint of two branches. */
export interface Merge {
  readonly branches: readonly [Branch, Branch];
  readonly into: Branch;
  /**
   * The least saving of this merge and all before it, mm³. Of merges in two groups of branches that are too far apart to merge with each other,
   * the one of greater rank takes place first: so the order of all of them follows from that of each group.
   */
  readonly rank: number;
}

/** What {@link mergeBranches} makes of branches. */
export interface MergedBranches {
  /** In the order in which they take place. */
  readonly merges: readonly Merge[];
  /** Branches that are merged with no other: those that were never merged first, in their order, then in the order of the merges. */
  readonly roots: readonly Branch[];
}

/** A new branch may merge with this many others: those with which it saves most. */
const MAX_PARTNERS = 12;

/** Finds the route below a ball, with a foot of a given diameter if it may end on the model; undefined where there is none. */
export type RouteFrom = (start: Ball, footSizeMm: number | undefined) => Route | undefined;

const MERGES_PER_REPORT = 16;

interface Proposal {
  readonly a: Branch;
  readonly b: Branch;
  readonly ball: Ball;
  readonly saving: number;
}

/**
 * Merges pairs of branches into one, always the pair that saves most material, until no pair saves any. `routeFrom` finds the route of a new branch; one that ends
 * on the model, with a foot of the given diameter, is allowed only where the routes of both did.
 */
export function mergeBranches(
  space: RoutingSpace,
  branches: readonly Branch[],
  routeFrom: RouteFrom,
  progress: Progress,
): MergedBranches {
  const merges: Merge[] = [];
  let rank = Infinity;
  const alive = new Set<Branch>();
  const queue = newPriorityQueue<Proposal>();
  const enter = (a: Branch): void => {
    const partners: { b: Branch; points: readonly MergePoint[]; best: number }[] = [];
    for (const b of alive) {
      const points = mergePoints(a, b, space.groundMm);
      if (points.length === 0) continue;
      partners.push({ b, points, best: points.reduce((most, { saving }) => Math.max(most, saving), 0) });
    }
    partners.sort((one, other) => other.best - one.best);
    for (const { b, points } of partners.slice(0, MAX_PARTNERS)) {
      const radiusMm = trunkRadius(a.load + b.load);
      for (const { position, saving } of points)
        queue.add({ a, b, ball: { centre: position, radiusMm }, saving }, saving);
    }
    alive.add(a);
  };
  branches.forEach((branch, i) => {
    if (i % MERGES_PER_REPORT === 0) progress.report((0.5 * i) / branches.length);
    enter(branch);
  });
  let taken = 0;
  for (let proposal = queue.take(); proposal; proposal = queue.take()) {
    const { a, b, ball, saving: expected } = proposal;
    if (taken++ % MERGES_PER_REPORT === 0) progress.report(1 - (0.5 * alive.size) / branches.length);
    if (!alive.has(a) || !alive.has(b)) continue;
    if (![a, b].every((branch) => strutFits(space, branch.ball, ball, CLEARANCE_MM))) continue;
    const largestTouchMm = Math.max(a.largestTouchMm, b.largestTouchMm);
    const mayEndOnModel = a.route.on === "MODEL" && b.route.on === "MODEL";
    const route = routeFrom(ball, mayEndOnModel ? largestTouchMm : undefined);
    if (!route) continue;
    const load = a.load + b.load;
    const strutVolume = [a, b].reduce(
      (sum, branch) => sum + trunkSection(branch.load) * distance(branch.ball.centre, ball.centre),
      0,
    );
    const saving = remainingVolume(a) + remainingVolume(b) - strutVolume - trunkSection(load) * route.lengthMm;
    if (saving < MIN_SAVING_MM3) continue;
    alive.delete(a);
    alive.delete(b);
    const into = { ball, load, largestTouchMm, route };
    rank = Math.min(rank, expected);
    merges.push({ branches: [a, b], into, rank });
    enter(into);
  }
  return { merges, roots: [...alive] };
}

/** A point at which two branches can merge. */
interface MergePoint {
  readonly position: Vec3;
  /** Material saved compared with two separate routes, if the trunk goes straight down, mm³. */
  readonly saving: number;
}

/** A joint weakens the tree: it must save at least this much material. */
const MIN_SAVING_MM3 = 0.5;

/** A joint is at least this far below both balls: two balls of different radii at one point would not make a joint. */
const MIN_DROP_MM = 1;

const ROUNDING_MM = 1e-6;

const NO_POINTS: readonly MergePoint[] = [];

/**
 * The points at which two branches can merge, with struts no flatter than 45° to both: the highest point between them,
 * the points straight below each, and the nodes of their routes. Source: J. Vanek, J. A. G. Galicia, B. Benes, "Clever
 * Support: Efficient Support Structure Generation for Digital Fabrication" (2014).
 */
function mergePoints(a: Branch, b: Branch, groundMm: number): readonly MergePoint[] {
  if (a.load + b.load > MAX_LOAD) return NO_POINTS;
  const p = a.ball.centre;
  const q = b.ball.centre;
  const apart = distanceXy(p, q);
  // Both lean by 45° at most, and meet above the ground.
  if (apart > 2 * MAX_LEAN_MM || apart > p[2] + q[2] - 2 * groundMm + ROUNDING_MM) return NO_POINTS;
  const highest = apart > 0 ? Math.min(1, Math.max(0, (apart + p[2] - q[2]) / (2 * apart))) : 0;
  const sectionA = trunkSection(a.load);
  const sectionB = trunkSection(b.load);
  const sectionBoth = trunkSection(a.load + b.load);
  const volume = remainingVolume(a) + remainingVolume(b);
  const points: MergePoint[] = [];
  const consider = (position: Vec3): void => {
    if (position[2] <= groundMm || !canReach(p, position) || !canReach(q, position)) return;
    const merged =
      sectionA * distance(p, position) + sectionB * distance(q, position) + sectionBoth * (position[2] - groundMm);
    const saving = volume - merged;
    if (saving >= MIN_SAVING_MM3) points.push({ position, saving });
  };
  if (highest > 0 && highest < 1) consider(pointBetween(p, q, highest, apart));
  consider(pointBetween(p, q, 0, apart));
  consider(pointBetween(p, q, 1, apart));
  for (const { balls } of [a.route, b.route]) for (let i = 0; i + 1 < balls.length; i++) consider(balls[i].centre);
  return points;
}

/** The highest point at which struts from `p` and `q`, which are `apart` from each other, can meet at a share of the way from p to q. */
function pointBetween(p: Vec3, q: Vec3, share: number, apart: number): Vec3 {
  const [x, y] = lerp(p, q, share);
  const dropP = Math.max(MIN_DROP_MM, share * apart);
  const dropQ = Math.max(MIN_DROP_MM, (1 - share) * apart);
  return [x, y, Math.min(p[2] - dropP, q[2] - dropQ)];
}

/** Whether a strut leads from one point to another one below it. */
function canReach(from: Vec3, to: Vec3): boolean {
  const lean = distanceXy(from, to);
  return lean <= MAX_LEAN_MM && from[2] - to[2] >= Math.max(MIN_DROP_MM, lean) - 1e-9;
}
