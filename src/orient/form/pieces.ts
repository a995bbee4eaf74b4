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
    const a = 3 * triangles[3 * facet];
    const b = 3 * triangles[3 * facet + 1];
    const c = 3 * triangles[3 * facet + 2];
    const isPiece =
      distance2(vertices, a, b) <= longest2 &&
      distance2(vertices, b, c) <= longest2 &&
      distance2(vertices, c, a) <= longest2;
    if (isPiece) {
      visit(
        (vertices[a] + vertices[b] + vertices[c]) / 3,
        (vertices[a + 1] + vertices[b + 1] + vertices[c + 1]) / 3,
        (vertices[a + 2] + vertices[b + 2] + vertices[c + 2]) / 3,
        areas[facet],
        facet,
      );
      continue;
    }
    for (let i = 0; i < 3; i++) {
      waiting[i] = vertices[a + i];
      waiting[3 + i] = vertices[b + i];
      waiting[6 + i] = vertices[c + i];
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
      for (let i = at; i < at + 10; i++) waiting[i + 10] = waiting[i];
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
  const first2 = distance2(waiting, at, at + 3);
  const second2 = distance2(waiting, at + 3, at + 6);
  const third2 = distance2(waiting, at + 6, at);
  if (first2 <= longest2 && second2 <= longest2 && third2 <= longest2) return -1;
  if (first2 >= second2 && first2 >= third2) return 0;
  return second2 >= third2 ? 1 : 2;
}

function distance2(values: Float64Array, a: number, b: number): number {
  const x = values[b] - values[a];
  const y = values[b + 1] - values[a + 1];
  const z = values[b + 2] - values[a + 2];
  return x * x + y * y + z * z;
}
