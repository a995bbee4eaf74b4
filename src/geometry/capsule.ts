import { type Vec3, add, dot, subtract, times } from "./vector.ts";

/** All points that are at most a radius away from a segment. */
export interface Capsule {
  readonly from: Vec3;
  readonly to: Vec3;
  readonly radiusMm: number;
}

/** Whether two capsules are more than `gapMm` apart. */
export function areCapsulesApart(a: Capsule, b: Capsule, gapMm: number): boolean {
  const leastMm = a.radiusMm + b.radiusMm + gapMm;
  return squaredSegmentDistance(a, b) > leastMm * leastMm;
}

const clampToUnit = (value: number): number => Math.min(1, Math.max(0, value));

/**
 * The squared distance between two segments, mm²: that of the nearest points of their lines, each clamped to its segment (C. Ericson,
 * "Real-Time Collision Detection", 2005, section 5.1.9).
 */
export function squaredSegmentDistance(a: Omit<Capsule, "radiusMm">, b: Omit<Capsule, "radiusMm">): number {
  const [alongA, alongB, between] = [subtract(a.to, a.from), subtract(b.to, b.from), subtract(a.from, b.from)];
  const [aa, ab, bb] = [dot(alongA, alongA), dot(alongA, alongB), dot(alongB, alongB)];
  const [toA, toB] = [dot(alongA, between), dot(alongB, between)];
  const nearestOfA = (shareB: number): number => (aa > 0 ? clampToUnit((ab * shareB - toA) / aa) : 0);
  const square = aa * bb - ab * ab;
  // Of parallel lines all points are equally near: any will do.
  let shareA = square > 0 ? clampToUnit((ab * toB - toA * bb) / square) : 0;
  let shareB = bb > 0 ? (ab * shareA + toB) / bb : 0;
  if (shareB < 0 || shareB > 1 || bb === 0) {
    shareB = clampToUnit(shareB);
    shareA = nearestOfA(shareB);
  }
  const apart = subtract(add(between, times(alongA, shareA)), times(alongB, shareB));
  return dot(apart, apart);
}
