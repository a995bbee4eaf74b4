import type { Polygon } from "./polygon.ts";
import { type Vec3, add, subtract, times } from "./vector.ts";

/** An axis-aligned box, millimetres. */
export interface Box {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** The bounding box of points, given as x, y, z of each; at least one. */
export function boxOf(vertices: Float32Array | Float64Array): Box {
  let [minX, minY, minZ] = vertices;
  let [maxX, maxY, maxZ] = vertices;
  for (let at = 3; at < vertices.length; at += 3) {
    const x = vertices[at];
    const y = vertices[at + 1];
    const z = vertices[at + 2];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  return { min: [minX, minY, minZ], max: [maxX, maxY, maxZ] };
}

export const boxCentre = (box: Box): Vec3 => times(add(box.min, box.max), 0.5);
export const boxSize = (box: Box): Vec3 => subtract(box.max, box.min);

/** Cubic millimetres. */
export function boxVolume(box: Box): number {
  const [x, y, z] = boxSize(box);
  return x * y * z;
}

/** The bounding box of two boxes. */
export const unionBoxes = (a: Box, b: Box): Box => ({
  min: [Math.min(a.min[0], b.min[0]), Math.min(a.min[1], b.min[1]), Math.min(a.min[2], b.min[2])],
  max: [Math.max(a.max[0], b.max[0]), Math.max(a.max[1], b.max[1]), Math.max(a.max[2], b.max[2])],
});

/** A box scaled about the coordinate origin by `scale`, which is positive, then moved by `offset`. */
export const placeBox = (box: Box, scale: number, offset: Vec3): Box => ({
  min: add(times(box.min, scale), offset),
  max: add(times(box.max, scale), offset),
});

/** An axis-aligned rectangle in the plane, millimetres. */
export interface Rectangle {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** The bounding rectangle of no points: the identity of {@link unionRectangles}. */
export const EMPTY_RECTANGLE: Rectangle = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };

/** The bounding rectangle of two rectangles. */
export const unionRectangles = (a: Rectangle, b: Rectangle): Rectangle => ({
  minX: Math.min(a.minX, b.minX),
  minY: Math.min(a.minY, b.minY),
  maxX: Math.max(a.maxX, b.maxX),
  maxY: Math.max(a.maxY, b.maxY),
});

/** The bounding rectangle of polygons; {@link EMPTY_RECTANGLE} for none. */
export function boundingRectangle(polygons: readonly Polygon[]): Rectangle {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const polygon of polygons) {
    for (let at = 0; at < polygon.length; at += 2) {
      minX = Math.min(minX, polygon[at]);
      maxX = Math.max(maxX, polygon[at]);
      minY = Math.min(minY, polygon[at + 1]);
      maxY = Math.max(maxY, polygon[at + 1]);
    }
  }
  return { minX, minY, maxX, maxY };
}
