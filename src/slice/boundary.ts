import { type BuildVolume, rimOf } from "../core/geometry.ts";
import { push, type Segments } from "./raster/segments.ts";
import { type Grid, rasterMap } from "./raster-map.ts";

/** How far the polygon of a rounded corner may lie inside its arc. */
const SAGITTA_MM = 1e-4;

/** Adds the outline of the build volume with its rounded corners, running like that of something solid. */
export function addBoundary(segments: Segments, volume: BuildVolume, grid: Grid, model: number): void {
  const { axes, scale, offset } = rasterMap(grid);
  const corners = rimOf(volume, piecesOf(volume.filletRadiusMm)).map((corner) => [
    scale[0] * corner[axes[0]] + offset[0],
    scale[1] * corner[axes[1]] + offset[1],
  ]);
  corners.forEach(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    if (grid.mirrorX) push(segments, nextX, nextY, x, y, model);
    else push(segments, x, y, nextX, nextY, model);
  });
}

/** Into how many pieces a quarter of a circle falls, so that none lies farther inside than the sagitta. */
const piecesOf = (radiusMm: number): number =>
  radiusMm <= SAGITTA_MM ? 1 : Math.ceil(Math.PI / 4 / Math.acos(1 - SAGITTA_MM / radiusMm));
