/** Triangles of a strip of `corners` vertices. Strips of fewer than three have none. */
export const trianglesOfStrip = (corners: number): number => Math.max(0, corners - 2);

/**
 * Writes the triangles of the strip of `length` corners from `from` on to `triangles` from `at` on, and returns the end: every three
 * consecutive corners are a triangle, every second one flipped.
 */
export function writeStrip(
  triangles: Uint32Array,
  at: number,
  corners: ArrayLike<number>,
  from = 0,
  length = corners.length,
): number {
  for (let i = 2; i < length; i++, at += 3) {
    triangles[at] = corners[from + i - 2 + (i & 1)];
    triangles[at + 1] = corners[from + i - 1 - (i & 1)];
    triangles[at + 2] = corners[from + i];
  }
  return at;
}
