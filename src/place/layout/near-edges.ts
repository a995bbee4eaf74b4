import { CHUNK, type Shape } from "./shape.ts";

/**
 * Visits each pair of edges, one of `a` and one of `b` moved by (dx, dy), whose boxes are less than `reachMm` apart; `i` and `j`
 * are where their numbers begin.
 */
export function forNearEdges(
  a: Shape,
  b: Shape,
  dx: number,
  dy: number,
  reachMm: number,
  visit: (i: number, j: number) => void,
): void {
  const [boxesA, boxesB] = [a.chunkBoxes, b.chunkBoxes];
  for (let p = 0; p < boxesA.length; p += 4) {
    const minX = boxesA[p] - reachMm - dx;
    const minY = boxesA[p + 1] - reachMm - dy;
    const maxX = boxesA[p + 2] + reachMm - dx;
    const maxY = boxesA[p + 3] + reachMm - dy;
    for (let q = 0; q < boxesB.length; q += 4) {
      if (boxesB[q] > maxX || boxesB[q + 2] < minX || boxesB[q + 1] > maxY || boxesB[q + 3] < minY) continue;
      visitChunks(a.edges, p * CHUNK, b.edges, q * CHUNK, dx, dy, reachMm, visit);
    }
  }
}

function visitChunks(
  a: Float64Array,
  startA: number,
  b: Float64Array,
  startB: number,
  dx: number,
  dy: number,
  reachMm: number,
  visit: (i: number, j: number) => void,
): void {
  const endA = Math.min(a.length, startA + 4 * CHUNK);
  const endB = Math.min(b.length, startB + 4 * CHUNK);
  for (let i = startA; i < endA; i += 4) {
    const minX = Math.min(a[i], a[i + 2]) - reachMm - dx;
    const maxX = Math.max(a[i], a[i + 2]) + reachMm - dx;
    const minY = Math.min(a[i + 1], a[i + 3]) - reachMm - dy;
    const maxY = Math.max(a[i + 1], a[i + 3]) + reachMm - dy;
    for (let j = startB; j < endB; j += 4) {
      if ((b[j] > maxX && b[j + 2] > maxX) || (b[j] < minX && b[j + 2] < minX)) continue;
      if ((b[j + 1] > maxY && b[j + 3] > maxY) || (b[j + 1] < minY && b[j + 3] < minY)) continue;
      visit(i, j);
    }
  }
}
