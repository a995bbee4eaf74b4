import { Heap } from "../geometry/heap.ts";
import { type Looks, type Place, type Tray, isFree } from "./tray.ts";

/** What is known of the ways out of a shape: it stays true while the tray fills. */
export interface EscapeState {
  readonly looks: Looks;
  /** Places from which no way out was found. */
  readonly lockedIn: Set<number>;
  /** Searches for a way out that found none. */
  floods: number;
}

/** Places that one search looks at, and searches without success for one shape: then only ways straight up are taken. */
const MAX_PLACES = 500;
const MAX_FLOODS = 6;
/** Longest step of a search, in cells. */
const MAX_STRIDE = 4;

interface Step extends Place {
  readonly distance: number;
}

const placeNumber = ({ rows, columns }: Tray, x: number, y: number, z: number): number => (z * rows + y) * columns + x;

/** False where {@link canEscape} is known to be false without a search. */
export const mayEscape = (tray: Tray, state: EscapeState, x: number, y: number, z: number): boolean =>
  mayFlood(tray, state, x, y, z) || rises(tray, state.looks, x, y, z);

const mayFlood = (tray: Tray, { floods, lockedIn }: EscapeState, x: number, y: number, z: number): boolean =>
  floods < MAX_FLOODS && !lockedIn.has(placeNumber(tray, x, y, z));

/**
 * Whether a shape can leave the tray from a free place by moves along the axes through free places: then parts come out in the reverse
 * of the order in which they were placed. Higher places are looked at first. Steps are so short that a shape which keeps `spacing` (in cells)
 * at both ends touches nothing on the way.
 */
export function canEscape(tray: Tray, state: EscapeState, from: Place, spacing: number): boolean {
  const { looks, lockedIn } = state;
  if (rises(tray, looks, from.x, from.y, from.z)) return true;
  if (!mayFlood(tray, state, from.x, from.y, from.z)) return false;
  const key = ({ x, y, z }: Place): number => placeNumber(tray, x, y, z);
  // Free places are nearer to parts than the spacing by at most the diagonal of half a cell.
  const stride = Math.max(1, Math.min(MAX_STRIDE, Math.floor(2 * (spacing - 1))));
  const { shape } = looks;
  const [lastX, lastY] = [tray.columns - shape.columns, tray.rows - shape.rows];
  const lastZ = tray.layers - shape.layers;
  const seen = new Set<number>([key(from)]);
  const goesFirst = (a: Step, b: Step): boolean => a.z > b.z || (a.z === b.z && a.distance < b.distance);
  const heap = new Heap<Step>(goesFirst, [{ ...from, distance: 0 }]);
  for (let step = heap.pop(); step && seen.size < MAX_PLACES; step = heap.pop()) {
    for (const [dx, dy, dz] of MOVES) {
      const x = step.x + stride * dx;
      const y = step.y + stride * dy;
      const z = step.z + stride * dz;
      if (x < 0 || y < 0 || z < 0 || x > lastX || y > lastY || z > lastZ) continue;
      const next = { x, y, z, distance: step.distance + 1 };
      if (seen.has(key(next)) || !isFree(tray, looks, next)) continue;
      if (rises(tray, looks, x, y, z)) return true;
      seen.add(key(next));
      heap.push(next);
    }
  }
  state.floods++;
  for (const place of seen) {
    for (let i = 0; i < stride ** 3; i++) {
      const [dx, dy, dz] = [i % stride, Math.floor(i / stride) % stride, Math.floor(i / stride ** 2)];
      lockedIn.add(place + (dz * tray.rows + dy) * tray.columns + dx);
    }
  }
  return false;
}

const MOVES = [
  [0, 0, 1],
  [-1, 0, 0],
  [1, 0, 0],
  [0, -1, 0],
  [0, 1, 0],
  [0, 0, -1],
] as const;

/** Whether nothing lies above any column of a shape. */
function rises({ tops, columns }: Tray, { shape: { bottoms } }: Looks, x: number, y: number, z: number): boolean {
  for (let at = 0; at < bottoms.length; at += 3) {
    if (tops[(y + bottoms[at + 1]) * columns + x + bottoms[at]] > z + bottoms[at + 2]) return false;
  }
  return true;
}
