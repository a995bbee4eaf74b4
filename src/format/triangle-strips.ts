/** Triangles of a strip of `corners` vertices. Strips of fewer than three have none. */
export const trianglesOfStrip = (corners: number): number => Math.max(0, corners - 2);

/**
 * Writes the triangles of a strip to `triangles` from `at` on, and returns where they end: each three corners in a row are one, every second
 * one turned over.
 */
export function writeStrip(triangles: Uint32Array, at: number, corners: ArrayLike<number>): number {
  for (let i = 2; i < corners.length; i++, at += 3) {
    triangles[at] = corners[i - 2 + (i & 1)];
    triangles[at + 1] = corners[i - 1 - (i & 1)];
    triangles[at + 2] = corners[i];
  }
  return at;
}
