import { centreOf, type Mat3, times, type Vec3 } from "../core/geometry.ts";
import { toMatrix, turn } from "../mesh/pose.ts";
import type { Placed } from "./placed.ts";

/** The pixels of a printer's layers. They lie about the middle of the platform; row 0 is at the back. */
export interface Grid {
  readonly pixels: readonly [columns: number, rows: number];
  readonly pixelMm: readonly [x: number, y: number];
  /** Columns count from the right. */
  readonly mirrorX: boolean;
}

/** Takes a place in scene coordinates, mm, to raster coordinates: pixels, x right and y down; z stays in mm. */
export function rasterMap({ pixels: [columns, rows], pixelMm: [width, depth], mirrorX }: Grid) {
  const side = mirrorX ? -1 : 1;
  return {
    scale: [side / width, -1 / depth, 1] as Vec3,
    offset: [columns / 2, rows / 2, 0] as Vec3,
  };
}

/** Row-major 3×4: raster coordinates of the raw points of a mesh. */
export type RasterTransform = Float64Array;
export const TRANSFORM_LENGTH = 12;

export function rasterTransform({ mesh, pose }: Placed, grid: Grid): RasterTransform {
  const { scale, offset } = rasterMap(grid);
  const rotation = toMatrix(pose.orientation);
  const shift = turn(rotation, times(centreOf(mesh.box), -pose.scale));
  const rows = [0, 1, 2].map((row) => [
    ...[0, 1, 2].map((column) => scale[row] * pose.scale * rotation[(3 * row + column) as keyof Mat3 & number]),
    scale[row] * (shift[row] + pose.position[row]) + offset[row],
  ]);
  return Float64Array.from(rows.flat());
}
