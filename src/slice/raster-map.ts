import { centreOf, type Mat3, times, type Vec3 } from "../core/geometry.ts";
import { toMatrix, turn } from "../mesh/pose.ts";
import type { Placed } from "./placed.ts";

/** The pixels of a printer's layers, seen from above. They lie about the middle of the platform. */
export interface Grid {
  /** How many there are along x and along y, and what one measures. */
  readonly pixels: readonly [x: number, y: number];
  readonly pixelMm: readonly [x: number, y: number];
  /** The machine takes its pictures mirrored left to right. */
  readonly mirrorX: boolean;
  /** It takes them turned by a quarter to the left: columns lie along y, rows along x. */
  readonly portrait: boolean;
}

/** A layer's picture: how many pixels wide and high, and what one measures across and down. */
export interface PictureSize {
  readonly pixels: readonly [columns: number, rows: number];
  readonly pixelMm: readonly [across: number, down: number];
}

export const pictureSizeOf = ({ pixels: [x, y], pixelMm: [width, depth], portrait }: Grid): PictureSize =>
  portrait ? { pixels: [y, x], pixelMm: [depth, width] } : { pixels: [x, y], pixelMm: [width, depth] };

/**
 * Takes a place in scene coordinates, mm, to raster coordinates: pixels across and down; z stays in mm. Coordinate i is
 * `scale[i]` times the scene's coordinate `axes[i]`, plus `offset[i]`. Upright pictures have the back of the platform at
 * their top, turned ones its right side.
 */
export function rasterMap(grid: Grid) {
  const { pixels, pixelMm } = pictureSizeOf(grid);
  const across = (grid.mirrorX ? -1 : 1) * (grid.portrait ? -1 : 1);
  return {
    axes: grid.portrait ? ([1, 0, 2] as const) : ([0, 1, 2] as const),
    scale: [across / pixelMm[0], -1 / pixelMm[1], 1] as Vec3,
    offset: [pixels[0] / 2, pixels[1] / 2, 0] as Vec3,
  };
}

/** Row-major 3×4: raster coordinates of the raw points of a mesh. */
export type RasterTransform = Float64Array;
export const TRANSFORM_LENGTH = 12;

export function rasterTransform({ mesh, pose }: Placed, grid: Grid): RasterTransform {
  const { axes, scale, offset } = rasterMap(grid);
  const rotation = toMatrix(pose.orientation);
  const shift = turn(rotation, times(centreOf(mesh.box), -pose.scale));
  const rows = axes.map((axis, row) => [
    ...[0, 1, 2].map((column) => scale[row] * pose.scale * rotation[(3 * axis + column) as keyof Mat3 & number]),
    scale[row] * (shift[axis] + pose.position[axis]) + offset[row],
  ]);
  return Float64Array.from(rows.flat());
}
