import { Heap } from "../geometry/heap.ts";
import type { KernelShape, CellPosition, Tray } from "./tray.ts";

/** Results about the ways out of a shape: they stay true while the tray fills. */
export interface EscapeState {
  readonly looks: KernelShape;
  /** Places from which no way out was found. */
  readonly lockedIn: Set<number>;
  /** Searches for a way out that found none. */
  floods: number;
}

/** Maximum number of places that one search visits, and of searches without success for one shape: then only ways straight up are tried. */
const MAX_PLACES = 250;
const MAX_FLOODS = 4;
/** Longest step of a search, in cells. */
const MAX_STRIDE = 4;

/** One bit per cell, set once the current search has seen it; zero between searches. */
let marks = new Int32Array(0);

interface EscapeStep extends CellPosition {
  readonly distance: number;
}

const placeNumber = ({ rows, columns }: Tray, x: number, y: number, z: number): number => (z * rows + y) * columns + x;

/** Whether only a way straight up is searched. */
export const mustRise = ({ floods }: EscapeState): boolean => floods >= MAX_FLOODS;

/**
 * Whether a shape can leave the tray from a free place by moves along the axes through free places: then parts can be taken out in the
 * reverse of the order in which they were placed. Higher places are visited first. Steps are so short that a shape which keeps
 * `spacing` (in cells) at both ends touches nothing on the way. The shape is the present one of the tray.
 */
export function canEscape(tray: Tray, state: EscapeState, from: CellPosition, spacing: number): boolean {
  const { kernel } = tray;
  const { looks, lockedIn } = state;
  if (kernel.rises(from.x, from.y, from.z)) return true;
  // A free place is nearer to parts than the spacing by at most the diagonal of half a cell.
  const stride = Math.max(1, Math.min(MAX_STRIDE, Math.floor(2 * (spacing - 1))));
  if (mustRise(state) || isLockedIn(tray, lockedIn, from, stride)) return false;
  const { shape } = looks;
  const [lastX, lastY] = [tray.columns - shape.columns, tray.rows - shape.rows];
  const lastZ = tray.layers - shape.layers;
  const seen = [placeNumber(tray, from.x, from.y, from.z)];
  const words = (tray.columns * tray.rows * tray.layers + 31) >> 5;
  if (marks.length < words) marks = new Int32Array(words);
  marks[seen[0] >> 5] |= 1 << (seen[0] & 31);
  const goesFirst = (a: EscapeStep, b: EscapeStep): boolean => a.z > b.z || (a.z === b.z && a.distance < b.distance);
  const heap = new Heap<EscapeStep>(goesFirst, [{ ...from, distance: 0 }]);
  let isOut = false;
  for (let step = heap.pop(); step && !isOut && seen.length < MAX_PLACES; step = heap.pop()) {
    for (const [dx, dy, dz] of MOVES) {
      const x = step.x + stride * dx;
      const y = step.y + stride * dy;
      const z = step.z + stride * dz;
      if (x < 0 || y < 0 || z < 0 || x > lastX || y > lastY || z > lastZ) continue;
      const place = placeNumber(tray, x, y, z);
      if ((marks[place >> 5] >>> (place & 31)) & 1 || !kernel.isFree(x, y, z)) continue;
      isOut = Boolean(kernel.rises(x, y, z));
      if (isOut) break;
      marks[place >> 5] |= 1 << (place & 31);
      seen.push(place);
      heap.push({ x, y, z, distance: step.distance + 1 });
    }
  }
  for (const place of seen) marks[place >> 5] = 0;
  if (isOut) return true;
  state.floods++;
  for (const place of seen) lockedIn.add(place);
  return false;
}

/** Whether a place is within a stride above and beyond one from which no way out was found. */
function isLockedIn(tray: Tray, lockedIn: ReadonlySet<number>, { x, y, z }: CellPosition, stride: number): boolean {
  if (lockedIn.size === 0) return false;
  for (let dz = 0; dz < stride; dz++) {
    for (let dy = 0; dy < stride; dy++) {
      for (let dx = 0; dx < stride; dx++) if (lockedIn.has(placeNumber(tray, x - dx, y - dy, z - dz))) return true;
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
