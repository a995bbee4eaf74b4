import type { Progress } from "../core/progress.ts";
import { type Box, boxOf } from "../geometry/box.ts";
import type { SpanGrid } from "../geometry/spans.ts";
import type { Vec3 } from "../geometry/vector.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { overhangPixelMm } from "../slice/overhang-pixel.ts";
import { placedSolidSurface } from "../slice/overhangs.ts";
import { spanGridOver, spanLayers } from "../slice/span-layers.ts";
import { midHeightsMm } from "../slice/layer-heights.ts";
import { SectionRecorder, type Sections } from "./sections.ts";

export interface PartSections {
  readonly sections: Sections;
  /** The region of each point; −1 where a point has none. */
  readonly regions: Int32Array;
}

/** Share of the progress at which the solid is known; the rest is the walk over the layers. */
const SOLID_SHARE = 0.3;

/** The sections of a part in its layers, and the regions that points on its surface touch. */
export function partSections(
  { mesh, pose }: PlacedMesh,
  boundariesMm: Float64Array,
  points: readonly Vec3[],
  progress: Progress,
): PartSections {
  const [x, y, z] = pose.position;
  // At the centre of the platform, so that rounding does not depend on the place of the part.
  const placed = { mesh, pose: { ...pose, position: [0, 0, z] as const } };
  const grid = sectionGrid(overhangGrid(boxOf(placedSolidSurface(placed, progress.part(0, SOLID_SHARE)).vertices)));
  const centred = points.map((point): Vec3 => [point[0] - x, point[1] - y, point[2]]);
  const recorder = new SectionRecorder(grid, midHeightsMm(boundariesMm), centred);
  const request = { placed: [placed], boundariesMm, grid, minCoverage: 1 };
  for (const layer of spanLayers(request, progress.part(SOLID_SHARE, 1))) recorder.addLayer(layer);
  return { sections: recorder.build([x, y]), regions: recorder.regions };
}

/** The grid of overhang distances over a part. */
export const overhangGrid = (box: Box): SpanGrid => spanGridOver(box, overhangPixelMm(box));

/** Islands and sections are found at twice the resolution of overhang distances. */
export const sectionGrid = (grid: SpanGrid): SpanGrid => ({
  ...grid,
  columns: 2 * grid.columns,
  rows: 2 * grid.rows,
  pixelMm: grid.pixelMm / 2,
});
