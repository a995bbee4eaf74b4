import type { Progress } from "../../core/progress.ts";
import { lowerBound } from "../../geometry/binary-search.ts";
import { type Box, boxOf } from "../../geometry/box.ts";
import type { SpanGrid } from "../../geometry/spans.ts";
import { PEEL_STRESS, TEARING_STRESS, touchAreaMm2 } from "../../hold/strengths.ts";
import { overhangPixelMm } from "../../slice/overhang-distance.ts";
import { placedSolidSurface } from "../../slice/overhangs.ts";
import { spanGridOver, spanLayers } from "../../slice/span-layers.ts";
import { midHeightsMm } from "../../slice/stack.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { coveredAreaMm2 } from "./peel-force.ts";

/** The layers of a model, from the platform up. */
export interface LayerAreas {
  /** Height in the middle of each layer. */
  readonly heightsMm: Float64Array;
  readonly areasMm2: Float64Array;
}

/**
 * The largest force on each of the touches of a model, N, from their heights: all that hold a layer bear equal shares of
 * its pull, less what the platform holds, and none more than tears it off. The press of a layer onto the film, before it
 * is exposed, is as large as the pull: resin is squeezed out of the gap through which it is drawn in. It loads pillars
 * along their axes.
 */
export function touchLoads(
  { heightsMm, areasMm2 }: LayerAreas,
  touchHeightsMm: Float64Array,
  touchMm: number,
): Float64Array {
  const ascending = touchHeightsMm.toSorted();
  // The largest share of a touch in this layer and those above.
  const shares = new Float64Array(heightsMm.length + 1);
  for (let layer = heightsMm.length - 1; layer >= 0; layer--) {
    const holding = Math.max(1, lowerBound(ascending, heightsMm[layer]));
    shares[layer] = Math.max(shares[layer + 1], (PEEL_STRESS * (areasMm2[layer] - areasMm2[0])) / holding);
  }
  const mostN = TEARING_STRESS * touchAreaMm2(touchMm);
  return touchHeightsMm.map((height) => Math.min(mostN, shares[lowerBound(heightsMm, height)]));
}

/** Share of the progress at which the solid is known; the walk over the layers is the rest. */
const SOLID_SHARE = 0.3;

/** The layers of a model as `placeTouchpoints` sees them, where its touchpoints are given. */
export function layerAreas({ mesh, pose }: PlacedMesh, boundariesMm: Float64Array, progress: Progress): LayerAreas {
  const placed = { mesh, pose: { ...pose, position: [0, 0, pose.position[2]] as const } };
  const grid = islandGrid(overhangGrid(boxOf(placedSolidSurface(placed, progress.part(0, SOLID_SHARE)).vertices)));
  const request = { placed: [placed], boundariesMm, grid, minCoverage: 1 };
  const areas = Array.from(spanLayers(request, progress.part(SOLID_SHARE, 1)), (layer) =>
    coveredAreaMm2(layer, grid.pixelMm),
  );
  return { heightsMm: midHeightsMm(boundariesMm), areasMm2: Float64Array.from(areas) };
}

/** The grid of overhang distances over a model. */
export const overhangGrid = (box: Box): SpanGrid => spanGridOver(box, overhangPixelMm(box));

/** Islands and areas are found at twice the resolution of the distances. */
export const islandGrid = (grid: SpanGrid): SpanGrid => ({
  ...grid,
  columns: 2 * grid.columns,
  rows: 2 * grid.rows,
  pixelMm: grid.pixelMm / 2,
});
