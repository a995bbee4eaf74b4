/** A half-plane of moves: the moves m with x · m.x + y · m.y ≥ least. (x, y) is a unit vector, `least` is in mm. */
export interface HalfPlane {
  readonly x: number;
  readonly y: number;
  readonly least: number;
}

export interface Move {
  readonly x: number;
  readonly y: number;
}

/** Far below any tolerance of a layout, far above rounding errors. */
const SLACK_MM = 1e-9;
/** Half-planes with directions closer than this count as one: the one with the greater `least` is kept. */
const SAME_DIRECTION_COSINE = 1 - 1e-7;
/** Only this many half-planes are considered, those with the greatest `least` first. */
const MAX_HALF_PLANES = 24;

/**
 * The shortest move in the intersection of half-planes; undefined if that is empty. It is the zero move, a point on the border of one
 * half-plane, or the intersection of two borders.
 */
export function shortestMove(halfPlanes: readonly HalfPlane[]): Move | undefined {
  const kept = distinctHalfPlanes(halfPlanes);
  let best: Move | undefined;
  let leastSquared = Infinity;
  const consider = (x: number, y: number): void => {
    const squaredLength = x * x + y * y;
    if (
      squaredLength >= leastSquared ||
      kept.some((halfPlane) => halfPlane.x * x + halfPlane.y * y < halfPlane.least - SLACK_MM)
    )
      return;
    [best, leastSquared] = [{ x, y }, squaredLength];
  };
  consider(0, 0);
  if (best) return best;
  for (const [i, a] of kept.entries()) {
    consider(a.x * a.least, a.y * a.least);
    for (const b of kept.slice(0, i)) {
      const determinant = a.x * b.y - a.y * b.x;
      if (Math.abs(determinant) > SLACK_MM) {
        consider((a.least * b.y - b.least * a.y) / determinant, (b.least * a.x - a.least * b.x) / determinant);
      }
    }
  }
  return best;
}

function distinctHalfPlanes(halfPlanes: readonly HalfPlane[]): HalfPlane[] {
  const kept: HalfPlane[] = [];
  for (const halfPlane of halfPlanes.toSorted((a, b) => b.least - a.least)) {
    if (kept.length === MAX_HALF_PLANES) break;
    if (!kept.some(({ x, y }) => x * halfPlane.x + y * halfPlane.y > SAME_DIRECTION_COSINE)) kept.push(halfPlane);
  }
  return kept;
}
