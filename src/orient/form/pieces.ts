import type { Part } from "./part.ts";

/** Told of each piece: its centre, its area and its facet. */
export type Visit = (x: number, y: number, z: number, areaMm2: number, facet: number) => void;

/** Halvings of one facet that may wait at a time. */
const DEPTH = 64;

/** Cuts every facet into pieces none of whose sides is longer than `longestMm`, by halving the longest side. */
export function forEachPiece({ vertices, triangles, areas }: Part, longestMm: number, visit: Visit): void {
  const waiting = new Float64Array(10 * DEPTH);
  const longest2 = longestMm * longestMm;
  for (let facet = 0; facet < areas.length; facet++) {
    if (areas[facet] === 0) continue;
    for (let k = 0; k < 3; k++) {
      const at = 3 * triangles[3 * facet + k];
      for (let i = 0; i < 3; i++) waiting[3 * k + i] = vertices[at + i];
    }
    waiting[9] = areas[facet];
    for (let count = 1; count > 0;) {
      const at = 10 * (count - 1);
      const side = longestSide(waiting, at, longest2);
      if (side < 0 || count === DEPTH) {
        visit(
          (waiting[at] + waiting[at + 3] + waiting[at + 6]) / 3,
          (waiting[at + 1] + waiting[at + 4] + waiting[at + 7]) / 3,
          (waiting[at + 2] + waiting[at + 5] + waiting[at + 8]) / 3,
          waiting[at + 9],
          facet,
        );
        count--;
        continue;
      }
      // The last corner of this half moves to the middle of the side, and the first of the other half.
      const from = at + 3 * side;
      const to = at + 3 * ((side + 1) % 3);
      for (let i = 0; i < 10; i++) waiting[at + 10 + i] = waiting[at + i];
      for (let i = 0; i < 3; i++) {
        const middle = (waiting[from + i] + waiting[to + i]) / 2;
        waiting[to + i] = middle;
        waiting[from + 10 + i] = middle;
      }
      waiting[at + 9] /= 2;
      waiting[at + 19] /= 2;
      count++;
    }
  }
}

/** The longest side of a waiting triangle, from corner `side` to the next; −1 when none is too long. */
function longestSide(waiting: Float64Array, at: number, longest2: number): number {
  let found = -1;
  let most = longest2;
  for (let side = 0; side < 3; side++) {
    const from = at + 3 * side;
    const to = at + 3 * ((side + 1) % 3);
    const x = waiting[to] - waiting[from];
    const y = waiting[to + 1] - waiting[from + 1];
    const z = waiting[to + 2] - waiting[from + 2];
    const length2 = x * x + y * y + z * z;
    if (length2 <= most) continue;
    found = side;
    most = length2;
  }
  return found;
}
