import { Heap } from "../geometry/heap.ts";
import { type Looks, type Place, type Tray, isFree } from "./tray.ts";

/** Places that are looked at before a shape counts as locked in. */
const MAX_PLACES = 4000;

interface Step extends Place {
  readonly distance: number;
}

/**
 * Whether a shape can leave the tray from a free place by moves along the axes through free places: then parts come out in the reverse
 * of the order in which they were placed. Higher places are looked at first. `visited` collects places that are known to be locked in
 * when the answer is no.
 */
export function canEscape(tray: Tray, looks: Looks, from: Place, lockedIn: Set<number>): boolean {
  if (rises(tray, looks, from)) return true;
  const { columns, rows } = tray;
  const key = ({ x, y, z }: Place): number => (z * rows + y) * columns + x;
  if (lockedIn.has(key(from))) return false;
  const seen = new Set<number>([key(from)]);
  const heap = new Heap<Step>(
    (a, b) => a.z > b.z || (a.z === b.z && a.distance < b.distance),
    [{ ...from, distance: 0 }],
  );
  const { shape } = looks;
  for (let step = heap.pop(); step && seen.size < MAX_PLACES; step = heap.pop()) {
    const { x, y, z, distance } = step;
    for (const [dx, dy, dz] of MOVES) {
      const next = { x: x + dx, y: y + dy, z: z + dz, distance: distance + 1 };
      if (next.x < 0 || next.y < 0 || next.z < 0) continue;
      if (next.x + shape.columns > columns || next.y + shape.rows > rows || next.z + shape.layers > tray.layers)
        continue;
      if (seen.has(key(next)) || !isFree(tray, looks, next)) continue;
      if (rises(tray, looks, next)) return true;
      seen.add(key(next));
      heap.push(next);
    }
  }
  for (const place of seen) lockedIn.add(place);
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
function rises({ tops, columns }: Tray, { shape: { bottoms } }: Looks, { x, y, z }: Place): boolean {
  for (let at = 0; at < bottoms.length; at += 3) {
    if (tops[(y + bottoms[at + 1]) * columns + x + bottoms[at]] > z + bottoms[at + 2]) return false;
  }
  return true;
}
