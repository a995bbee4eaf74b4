import type { Rectangle } from "../geometry/box.ts";
import {
  BOUNDS_TOLERANCE_MM,
  type BuildVolume,
  type RoundedRectangle,
  volumeFootprint,
} from "../geometry/build-volume.ts";
import type { HalfPlane } from "./half-planes.ts";

/** The area for parts: the footprint of the build volume, and its bounding rectangle narrowed by the bounds of the request. */
export interface Floor {
  readonly footprint: RoundedRectangle;
  readonly bounds: Rectangle;
}

/** Bounds of a request in mm; a missing side has no bound. */
export type FloorBounds = { readonly [Side in keyof Rectangle]?: number | undefined };

/**
 * The floor is this much wider on all sides, so that parts that fill it exactly do fit; far below the tolerance of
 * bounds.
 */
const WIDENING_MM = BOUNDS_TOLERANCE_MM / 20;

export function floorOf(volume: BuildVolume, customBounds: FloorBounds = {}): Floor {
  const [x, y] = volume.dimensionsMm;
  const footprint = volumeFootprint(volume);
  return {
    footprint: { ...footprint, r: footprint.r === 0 ? 0 : footprint.r + WIDENING_MM },
    bounds: {
      minX: Math.max(-x / 2, customBounds.minX ?? -Infinity) - WIDENING_MM,
      minY: Math.max(-y / 2, customBounds.minY ?? -Infinity) - WIDENING_MM,
      maxX: Math.min(x / 2, customBounds.maxX ?? Infinity) + WIDENING_MM,
      maxY: Math.min(y / 2, customBounds.maxY ?? Infinity) + WIDENING_MM,
    },
  };
}

/**
 * How far a part at (x, y) reaches beyond the floor, mm; at most 0 where it is within. `hull` and `box` are relative to
 * (x, y).
 */
export function distanceBeyondFloor(floor: Floor, hull: Float64Array, box: Rectangle, x: number, y: number): number {
  let farthest = distanceBeyondBounds(floor.bounds, box, x, y);
  const { a, b, r } = floor.footprint;
  if (r === 0) return farthest;
  for (let i = 0; i < hull.length; i += 2) {
    const [u, v] = [Math.abs(x + hull[i]) - a, Math.abs(y + hull[i + 1]) - b];
    if (u > 0 && v > 0) farthest = Math.max(farthest, Math.sqrt(u * u + v * v) - r);
  }
  return farthest;
}

const distanceBeyondBounds = (bounds: Rectangle, box: Rectangle, x: number, y: number): number =>
  Math.max(
    bounds.minX - x - box.minX,
    x + box.maxX - bounds.maxX,
    bounds.minY - y - box.minY,
    y + box.maxY - bounds.maxY,
  );

/**
 * Moves of a part at (x, y) that keep it on the floor. The floor is convex, so a half-plane per rounded corner never
 * allows too much.
 */
export function floorConstraints(
  { footprint, bounds }: Floor,
  hull: Float64Array,
  box: Rectangle,
  x: number,
  y: number,
): HalfPlane[] {
  const constraints: HalfPlane[] = [
    { x: 1, y: 0, least: bounds.minX - x - box.minX },
    { x: -1, y: 0, least: x + box.maxX - bounds.maxX },
    { x: 0, y: 1, least: bounds.minY - y - box.minY },
    { x: 0, y: -1, least: y + box.maxY - bounds.maxY },
  ];
  const { a, b, r } = footprint;
  if (r === 0) return constraints;
  for (let i = 0; i < hull.length; i += 2) {
    const [px, py] = [x + hull[i], y + hull[i + 1]];
    const [u, v] = [Math.abs(px) - a, Math.abs(py) - b];
    if (u <= 0 || v <= 0) continue;
    const distance = Math.sqrt(u * u + v * v);
    constraints.push({ x: (-Math.sign(px) * u) / distance, y: (-Math.sign(py) * v) / distance, least: distance - r });
  }
  return constraints;
}
