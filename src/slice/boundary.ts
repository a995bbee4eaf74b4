import type { BuildVolume } from "../core/geometry.ts";
import { push, type Segments } from "./raster/segments.ts";
import { type Grid, rasterMap } from "./raster-map.ts";

/** How far the polygon of a rounded corner may lie inside its arc. */
const SAGITTA_MM = 1e-4;

/** Adds the outline of the build volume with its rounded corners, running like that of something solid. */
export function addBoundary(
  segments: Segments,
  { dimensionsMm, filletRadiusMm }: BuildVolume,
  grid: Grid,
  model: number,
): void {
  const { axes, scale, offset } = rasterMap(grid);
  const corners = roundedRectangle(dimensionsMm[0] / 2, dimensionsMm[1] / 2, filletRadiusMm).map((corner) => [
    scale[0] * corner[axes[0]] + offset[0],
    scale[1] * corner[axes[1]] + offset[1],
  ]);
  corners.forEach(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    if (grid.mirrorX) push(segments, nextX, nextY, x, y, model);
    else push(segments, x, y, nextX, nextY, model);
  });
}

/** Counter-clockwise from the front right corner. */
function roundedRectangle(halfX: number, halfY: number, radius: number): [x: number, y: number][] {
  const steps = radius <= SAGITTA_MM ? 0 : Math.ceil(Math.PI / 4 / Math.acos(1 - SAGITTA_MM / radius));
  const centres = [
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
  ] as const;
  return centres.flatMap(([sideX, sideY], corner) =>
    Array.from({ length: steps + 1 }, (_, step): [number, number] => {
      const angle = (Math.PI / 2) * (corner - 1 + (steps === 0 ? 0.5 : step / steps));
      if (steps === 0) return [sideX * halfX, sideY * halfY];
      return [sideX * (halfX - radius) + radius * Math.cos(angle), sideY * (halfY - radius) + radius * Math.sin(angle)];
    }),
  );
}
