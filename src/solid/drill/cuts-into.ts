type Point = readonly [u: number, v: number, s: number];

/**
 * Whether any facet comes into the round cylinder about the s axis between two places along it. `facets` holds u, v, s of
 * three corners each.
 */
export function cutsInto(facets: Float64Array, radiusMm: number, fromMm: number, toMm: number): boolean {
  for (let at = 0; at < facets.length; at += 9) {
    const heights = [facets[at + 2], facets[at + 5], facets[at + 8]];
    if (Math.max(...heights) <= fromMm || Math.min(...heights) >= toMm) continue;
    const corners = [0, 3, 6].map((corner): Point => [
      facets[at + corner],
      facets[at + corner + 1],
      facets[at + corner + 2],
    ]);
    const within = clipped(
      clipped(corners, (s) => s - fromMm),
      (s) => toMm - s,
    );
    if (within.length > 0 && nearsAxis(within, radiusMm)) return true;
  }
  return false;
}

/** What of a polygon lies on the positive side. */
function clipped(polygon: readonly Point[], sideOf: (s: number) => number): Point[] {
  return polygon.flatMap((a, i) => {
    const b = polygon[(i + 1) % polygon.length]!;
    const [p, q] = [sideOf(a[2]), sideOf(b[2])];
    const kept = p > 0 ? [a] : [];
    if (p > 0 === q > 0) return kept;
    const share = p / (p - q);
    const cut = (axis: 0 | 1 | 2): number => a[axis] + share * (b[axis] - a[axis]);
    return [...kept, [cut(0), cut(1), cut(2)] as const];
  });
}

/** Whether a convex polygon seen along s comes nearer to the origin than `radiusMm`. */
function nearsAxis(polygon: readonly Point[], radiusMm: number): boolean {
  let [isLeft, isRight] = [true, true];
  for (let i = 0; i < polygon.length; i++) {
    const [au, av] = polygon[i]!;
    const [bu, bv] = polygon[(i + 1) % polygon.length]!;
    const [du, dv] = [bu - au, bv - av];
    const squared = du * du + dv * dv;
    const share = squared > 0 ? Math.min(1, Math.max(0, -(au * du + av * dv) / squared)) : 0;
    const [u, v] = [au + share * du, av + share * dv];
    if (u * u + v * v < radiusMm * radiusMm) return true;
    const side = au * bv - av * bu;
    if (side <= 0) isLeft = false;
    if (side >= 0) isRight = false;
  }
  return isLeft || isRight;
}
