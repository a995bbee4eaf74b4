import { type BuildVolume, volumeRim } from "../../geometry/build-volume.ts";
import { type Segments, pushSegment } from "../outline-segments.ts";
import { type PixelGrid, isMirrored, worldToRaster } from "../pixel-grid.ts";

/** Largest distance of a rounded corner's polygon from its arc. */
const MAX_SAGITTA_MM = 1e-4;

/** Adds the outline of the build volume with its rounded corners, directed like that of a solid. */
export function addVolumeOutline(segments: Segments, volume: BuildVolume, grid: PixelGrid, model: number): void {
  const { axes, scale, offset } = worldToRaster({ ...grid, enlarged: undefined });
  const corners = volumeRim(volume, arcPieces(volume.filletRadiusMm)).map((corner) => [
    scale[0] * corner[axes[0]] + offset[0],
    scale[1] * corner[axes[1]] + offset[1],
  ]);
  corners.forEach(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    if (isMirrored(grid)) pushSegment(segments, nextX, nextY, x, y, model);
    else pushSegment(segments, x, y, nextX, nextY, model);
  });
}

/** Number of chords of a quarter circle whose sagitta is at most {@link MAX_SAGITTA_MM}. */
const arcPieces = (radiusMm: number): number =>
  radiusMm <= MAX_SAGITTA_MM ? 1 : Math.ceil(Math.PI / 4 / Math.acos(1 - MAX_SAGITTA_MM / radiusMm));
