import { getOrInsert } from "../../core/memoize.ts";
import type { Progress } from "../../core/progress.ts";
import { type Vec3, distanceXy } from "../../geometry/vector.ts";
import type { Touchpoint } from "../points/touchpoint.ts";
import type { SupportSettings } from "../support-settings.ts";
import type { RoutingSpace } from "../tree/clearance.ts";
import { type Forest, branchOf } from "../tree/forest.ts";
import { type Branch, type Merge, type RouteFrom, mergeBranches } from "../tree/merge-branches.ts";
import type { Reach } from "../tree/reach.ts";
import { MAX_LEAN_MM } from "../tree/support-tree.ts";

/** What decides how a touchpoint is held. */
export type DraftPoint = Pick<Touchpoint, "position" | "normal" | "sizeMm">;

/** Touchpoints in scene coordinates, and their forest. */
export interface PointForest {
  readonly points: readonly DraftPoint[];
  readonly forest: Forest;
}

/** Routes around a part. Neither tips nor routes depend on other points. */
export interface Routing {
  readonly space: RoutingSpace;
  readonly settings: SupportSettings;
  readonly reachOf: (point: DraftPoint) => Reach | undefined;
  readonly routeFrom: RouteFrom;
}

/** Branches merge only within this distance in plan, but their joints may merge with branches farther away. */
const REACH_MM = 2 * MAX_LEAN_MM;

/**
 * The forest of touchpoints, made from the forest of similar ones: trees with a point that is gone, or with a point within
 * {@link REACH_MM} in plan of a point that is new or gone, are merged anew from their tips, together with the new points. All others stay as they
 * are, and nothing merges with them: chains of merges that reach farther are not followed, so a tree may differ from that of a full
 * routing.
 */
export function localForest(
  routing: Routing,
  points: readonly DraftPoint[],
  base: PointForest,
  progress: Progress,
): Forest {
  const was = formerIndices(points, base.points);
  const reaches = points.map((point, i) => (was[i] >= 0 ? base.forest.reaches[was[i]] : routing.reachOf(point)));
  const tips = reaches.map((reach, i) => (was[i] >= 0 ? base.forest.tips[was[i]] : branchOf(reach, routing.settings)));
  const rootOf = rootsOf(base.forest);
  const freed = freedRoots(points, tips, was, base, rootOf);
  const isFrozen = (branch: Branch | undefined): boolean => {
    const root = branch && rootOf(branch);
    return root !== undefined && !freed.has(root);
  };
  const loose = tips.filter((tip, i) => tip !== undefined && (was[i] < 0 || !isFrozen(tip)));
  const merged = mergeBranches(routing.space, loose as Branch[], routing.routeFrom, progress);
  const frozen = base.forest.merges.filter(({ into }) => isFrozen(into));
  const merges = [...frozen, ...merged.merges].sort((a, b) => b.rank - a.rank);
  const roots = new Set([...base.forest.roots.filter(isFrozen), ...merged.roots]);
  return { reaches, tips, merges, roots: inOrder(roots, tips, merges) };
}

/** The index that each of some points had among others; −1 for a new one. */
function formerIndices(points: readonly DraftPoint[], former: readonly DraftPoint[]): Int32Array {
  const indices = new Map<string, number[]>();
  for (const [i, point] of former.entries()) {
    getOrInsert(indices, keyOf(point), (): number[] => []).push(i);
  }
  return Int32Array.from(points, (point) => indices.get(keyOf(point))?.shift() ?? -1);
}

const keyOf = ({ position: [x, y, z], normal: [nx, ny, nz], sizeMm }: DraftPoint): string =>
  `${x} ${y} ${z} ${nx} ${ny} ${nz} ${sizeMm}`;

/** A function that gives the root below each branch of a forest; undefined for a branch of no forest. */
function rootsOf({ merges, tips }: Forest): (branch: Branch) => Branch | undefined {
  const below = new Map<Branch, Branch | undefined>();
  for (const tip of tips) if (tip) below.set(tip, undefined);
  for (const { branches, into } of merges) {
    for (const branch of branches) below.set(branch, into);
    below.set(into, undefined);
  }
  return (branch) => {
    if (!below.has(branch)) return undefined;
    let root = branch;
    for (let next = below.get(root); next; next = below.get(root)) root = next;
    return root;
  };
}

/** The roots of the trees that are merged anew. */
function freedRoots(
  points: readonly DraftPoint[],
  tips: readonly (Branch | undefined)[],
  was: Int32Array,
  base: PointForest,
  rootOf: (branch: Branch) => Branch | undefined,
): Set<Branch> {
  const isKept = new Uint8Array(base.points.length);
  for (const i of was) if (i >= 0) isKept[i] = 1;
  // A point without a tip merges with nothing, and takes no tree from others.
  const changed: Vec3[] = [
    ...points.filter((_, i) => was[i] < 0 && tips[i]),
    ...base.points.filter((_, i) => isKept[i] === 0 && base.forest.tips[i]),
  ].map(({ position }) => position);
  const freed = new Set<Branch>();
  for (const [i, { position }] of base.points.entries()) {
    const tip = base.forest.tips[i];
    const root = tip && rootOf(tip);
    if (!root || freed.has(root)) continue;
    if (changed.some((place) => distanceXy(place, position) <= REACH_MM)) freed.add(root);
  }
  return freed;
}

/** Roots in the order of {@link mergeBranches}. */
const inOrder = (
  roots: ReadonlySet<Branch>,
  tips: readonly (Branch | undefined)[],
  merges: readonly Merge[],
): Branch[] =>
  [...tips, ...merges.map(({ into }) => into)].filter(
    (branch) => branch !== undefined && roots.has(branch),
  ) as Branch[];
