/**
 * Whether a line along a side of one of two convex polygons separates them by at least `gapMm`. Also false for polygons that are that far
 * apart, but not along such a line. The polygons: x, y of each corner, mm, counter-clockwise.
 */
export const areHullsApart = (a: Float64Array, b: Float64Array, gapMm: number): boolean =>
  hasSeparatingSide(a, b, gapMm) || hasSeparatingSide(b, a, gapMm);

/** Whether a side of the convex polygon `a` has all of `b` on its outer side, at least `gapMm` away. */
function hasSeparatingSide(a: Float64Array, b: Float64Array, gapMm: number): boolean {
  for (let i = 0; i < a.length; i += 2) {
    const j = (i + 2) % a.length;
    const [sideX, sideY] = [a[j] - a[i], a[j + 1] - a[i + 1]];
    const least = gapMm * Math.sqrt(sideX * sideX + sideY * sideY);
    let isOutside = least > 0;
    for (let k = 0; isOutside && k < b.length; k += 2) {
      isOutside = sideY * (b[k] - a[i]) - sideX * (b[k + 1] - a[i + 1]) >= least;
    }
    if (isOutside) return true;
  }
  return false;
}
