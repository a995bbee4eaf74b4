import type { Floor } from "../layout/floor.ts";

/** Parts that need a plate. */
export interface BoundedParts {
  /** Area of each: at most that of its silhouette, mm². */
  readonly areaMm2: number;
  readonly copies: number;
}

/** A share by which rounding may lower a bound that it must not raise. */
export const ROUNDING = 1e-9;

/**
 * A number of plates below which no plan can be. Parts at least the spacing apart, grown by half of it, do not overlap, and are in the
 * floor grown by half of it. The area of a part that grows is bounded from below by the inequality of Brunn and Minkowski:
 * √A(P ⊕ D) ≥ √A(P) + √A(D); that of the floor, which is convex, is known (J. Steiner).
 */
export function leastPlates(parts: readonly BoundedParts[], floor: Floor, spacingMm: number): number {
  const half = spacingMm / 2;
  const grownMm2 = parts.reduce(
    (sum, { areaMm2, copies }) => sum + copies * (Math.sqrt(Math.max(0, areaMm2)) + half * Math.sqrt(Math.PI)) ** 2,
    0,
  );
  const { minX, minY, maxX, maxY } = floor.bounds;
  const [width, depth] = [maxX - minX, maxY - minY];
  const floorMm2 = width * depth + 2 * half * (width + depth) + Math.PI * half * half;
  return Math.ceil((grownMm2 / floorMm2) * (1 - ROUNDING));
}
