import type { RoundedRectangle } from "../geometry/build-volume.ts";
import { ROUNDING } from "./plate-bounds.ts";

/** Parts that need a chamber. */
interface BoundedParts {
  /** Volume of each, mm³. */
  readonly volumeMm3: number;
  readonly copies: number;
}

/** A chamber: its outline seen from above, and its height. */
interface BoundedRoom {
  readonly footprint: RoundedRectangle;
  readonly heightMm: number;
}

/** Volume of a room of which the outline and the height are grown by `byMm` (J. Steiner: rooms are convex). */
function grownRoomMm3({ footprint: { a, b, r }, heightMm }: BoundedRoom, byMm: number): number {
  const areaMm2 = 4 * a * b + 4 * (a + b) * r + Math.PI * r * r;
  const rimMm = 4 * (a + b) + 2 * Math.PI * r;
  return (
    areaMm2 * heightMm +
    (2 * areaMm2 + rimMm * heightMm) * byMm +
    Math.PI * (heightMm + rimMm / 2) * byMm ** 2 +
    ballMm3(byMm)
  );
}

const ballMm3 = (radiusMm: number): number => (4 / 3) * Math.PI * radiusMm ** 3;

/**
 * A number of chambers below which no plan can be. Parts at least the spacing apart, grown by half of it, do not overlap, and are in the
 * room grown by half of it. The volume of a part that grows is bounded from below by the inequality of Brunn and Minkowski:
 * ∛V(P ⊕ B) ≥ ∛V(P) + ∛V(B).
 */
export function leastChambers(parts: readonly BoundedParts[], room: BoundedRoom, spacingMm: number): number {
  const half = spacingMm / 2;
  const grownMm3 = parts.reduce(
    (sum, { volumeMm3, copies }) => sum + copies * (Math.cbrt(volumeMm3) + Math.cbrt(ballMm3(half))) ** 3,
    0,
  );
  return Math.ceil((grownMm3 / grownRoomMm3(room, half)) * (1 - ROUNDING));
}
