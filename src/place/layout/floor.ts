import type { BuildVolume } from "../../core/geometry.ts";
import { BOUNDS_TOLERANCE_MM, footprintOf, type RoundedRectangle } from "../volume.ts";
import type { Limit } from "./least-move.ts";
import type { Rectangle } from "./region.ts";

/** Where parts may stand: the build volume seen from above, and what a client's bounds leave of it. */
export interface Floor {
  readonly footprint: RoundedRectangle;
  readonly bounds: Rectangle;
}

/** What the floor is wider by on all sides: parts that fill it exactly fit, and the tolerance of bounds is far above. */
const FORGIVEN_MM = BOUNDS_TOLERANCE_MM / 20;

export function floorOf(volume: BuildVolume, custom: Partial<Rectangle> = {}): Floor {
  const [x, y] = volume.dimensionsMm;
  const footprint = footprintOf(volume);
  return {
    footprint: { ...footprint, r: footprint.r === 0 ? 0 : footprint.r + FORGIVEN_MM },
    bounds: {
      minX: Math.max(-x / 2, custom.minX ?? -Infinity) - FORGIVEN_MM,
      minY: Math.max(-y / 2, custom.minY ?? -Infinity) - FORGIVEN_MM,
      maxX: Math.min(x / 2, custom.maxX ?? Infinity) + FORGIVEN_MM,
      maxY: Math.min(y / 2, custom.maxY ?? Infinity) + FORGIVEN_MM,
    },
  };
}

/** How far a part reaches beyond the floor; not above 0 where it stands on it. `hull` holds its corners, as seen from (x, y). */
export function beyondMm(floor: Floor, hull: Float64Array, box: Rectangle, x: number, y: number): number {
  let most = beyondBounds(floor.bounds, box, x, y);
  const { a, b, r } = floor.footprint;
  if (r === 0) return most;
  for (let i = 0; i < hull.length; i += 2) {
    const [u, v] = [Math.abs(x + hull[i]) - a, Math.abs(y + hull[i + 1]) - b];
    if (u > 0 && v > 0) most = Math.max(most, Math.sqrt(u * u + v * v) - r);
  }
  return most;
}

const beyondBounds = (bounds: Rectangle, box: Rectangle, x: number, y: number): number =>
  Math.max(
    bounds.minX - x - box.minX,
    x + box.maxX - bounds.maxX,
    bounds.minY - y - box.minY,
    y + box.maxY - bounds.maxY,
  );

/** How a part at (x, y) may move on the floor. A floor is convex, so the limits of its round corners are safe, not only near. */
export function floorLimits(
  { footprint, bounds }: Floor,
  hull: Float64Array,
  box: Rectangle,
  x: number,
  y: number,
): Limit[] {
  const limits: Limit[] = [
    { x: 1, y: 0, least: bounds.minX - x - box.minX },
    { x: -1, y: 0, least: x + box.maxX - bounds.maxX },
    { x: 0, y: 1, least: bounds.minY - y - box.minY },
    { x: 0, y: -1, least: y + box.maxY - bounds.maxY },
  ];
  const { a, b, r } = footprint;
  if (r === 0) return limits;
  for (let i = 0; i < hull.length; i += 2) {
    const [px, py] = [x + hull[i], y + hull[i + 1]];
    const [u, v] = [Math.abs(px) - a, Math.abs(py) - b];
    if (u <= 0 || v <= 0) continue;
    const distance = Math.sqrt(u * u + v * v);
    limits.push({ x: (-Math.sign(px) * u) / distance, y: (-Math.sign(py) * v) / distance, least: distance - r });
  }
  return limits;
}
