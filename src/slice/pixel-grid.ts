import { boxCentre } from "../geometry/box.ts";
import { type PlacedBox, rotateVector, rotationMatrix } from "../geometry/pose.ts";
import { type Mat3, type Vec3, times } from "../geometry/vector.ts";

/** The pixels of a printer's layers, seen from above. Their middle is the middle of the platform. */
export interface PixelGrid {
  /** Number of pixels along x and y. */
  readonly pixels: readonly [x: number, y: number];
  /** Size of a pixel. */
  readonly pixelMm: readonly [x: number, y: number];
  /** Layer images are mirrored left to right. */
  readonly mirrorX: boolean;
  /** They are mirrored top to bottom. */
  readonly mirrorY?: boolean | undefined;
  /** Layer images are rotated by a quarter to the left: columns are parallel to y, rows to x. */
  readonly portrait: boolean;
  /** Factors along x, y and z by which layers are larger than the scene, about the middle of the platform; 1 if absent. */
  readonly enlarged?: Vec3 | undefined;
}

/** Width and height of a layer image in pixels, and the size of a pixel across and down. */
export interface LayerImageSize {
  readonly pixels: readonly [columns: number, rows: number];
  readonly pixelMm: readonly [across: number, down: number];
}

export const layerImageSize = ({ pixels: [x, y], pixelMm: [width, depth], portrait }: PixelGrid): LayerImageSize =>
  portrait ? { pixels: [y, x], pixelMm: [depth, width] } : { pixels: [x, y], pixelMm: [width, depth] };

/**
 * A grid of the same area with pixels of about `pixelMm`, for measures only: the areas of layers are exact on any grid, and fewer
 * pixels take less time. The same grid if its pixels are not smaller.
 */
export function coarserGrid(grid: PixelGrid, pixelMm: number): PixelGrid {
  const sizesMm = grid.pixels.map((count, axis) => count * grid.pixelMm[axis]);
  const [x, y] = sizesMm.map((sizeMm, axis) => Math.min(grid.pixels[axis], Math.ceil(sizeMm / pixelMm)));
  return { ...grid, pixels: [x, y], pixelMm: [sizesMm[0] / x, sizesMm[1] / y] };
}

/** Pixel size of layers that are only measured: larger pixels take as long. */
const MEASURING_PIXEL_MM = 0.4;

/** The grid on which areas take the least time. */
export const measuringGrid = (grid: PixelGrid): PixelGrid => coarserGrid(grid, MEASURING_PIXEL_MM);

/** Whether layer images show the layers as seen from below, so that the outlines of solids run the other way round. */
export const isMirrored = ({ mirrorX, mirrorY = false }: PixelGrid): boolean => mirrorX !== mirrorY;

/**
 * The map from scene coordinates, mm, to raster coordinates: pixels across and down, and z in mm of the layers. Raster coordinate i is
 * `scale[i]` times scene coordinate `axes[i]`, plus `offset[i]`. The top of a landscape image is the back of the platform,
 * the top of a portrait image is its right side.
 */
export function worldToRaster(grid: PixelGrid) {
  const { pixels, pixelMm } = layerImageSize(grid);
  const across = (grid.mirrorX ? -1 : 1) * (grid.portrait ? -1 : 1);
  const axes = grid.portrait ? ([1, 0, 2] as const) : ([0, 1, 2] as const);
  const { enlarged = [1, 1, 1] } = grid;
  return {
    axes,
    scale: [
      (across * enlarged[axes[0]]) / pixelMm[0],
      ((grid.mirrorY ? 1 : -1) * enlarged[axes[1]]) / pixelMm[1],
      enlarged[2],
    ] as Vec3,
    offset: [pixels[0] / 2, pixels[1] / 2, 0] as Vec3,
  };
}

/** Row-major 3×4 matrix from the mesh's own coordinates to raster coordinates. */
export type RasterTransform = Float64Array;
export const TRANSFORM_LENGTH = 12;

export function meshToRaster({ mesh, pose }: PlacedBox, grid: PixelGrid): RasterTransform {
  const { axes, scale, offset } = worldToRaster(grid);
  const rotation = rotationMatrix(pose.orientation);
  const shift = rotateVector(rotation, times(boxCentre(mesh.box), -pose.scale));
  const rows = axes.map((axis, row) => [
    ...[0, 1, 2].map((column) => scale[row] * pose.scale * rotation[(3 * axis + column) as keyof Mat3 & number]),
    scale[row] * (shift[axis] + pose.position[axis]) + offset[row],
  ]);
  return Float64Array.from(rows.flat());
}
