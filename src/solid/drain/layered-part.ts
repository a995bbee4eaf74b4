import type { Progress } from "../../core/progress.ts";
import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import { type EmptyLayer, emptyLayer, emptyRegionsOf } from "../../geometry/pockets.ts";
import type { SpanGrid } from "../../geometry/spans.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { type BodiesOnGrid, spanLayers } from "../../slice/span-layers.ts";
import type { VentStart } from "../vent/ways-out.ts";
import { type LayeredSpace, type Sealing, type SpaceRegion, regionNumbers } from "./sealed-spaces.ts";

/** The empty space of the layers of a part with its supports. */
export interface LayeredPart {
  readonly space: LayeredSpace;
  /** The spans of the regions of `space`. */
  readonly layers: readonly EmptyLayer[];
  readonly grid: SpanGrid;
  /** A number that the regions of one connected space share. */
  readonly cavityOf: (region: SpaceRegion) => number;
}

/** Coverage, of 255, from which a pixel is solid, as for cups: walls keep their thickness. */
const HALF_COVERED = 128;

export function layeredPart(bodies: BodiesOnGrid, progress: Progress): LayeredPart {
  const { boundariesMm, grid } = bodies;
  const solid = spanLayers({ ...bodies, minCoverage: HALF_COVERED }, progress);
  const layers = Array.from(solid, (layer) => emptyLayer(layer, grid.columns));
  const space = { layers: [...emptyRegionsOf(layers, grid.columns)], boundariesMm, pixelMm: grid.pixelMm };
  return { space, layers, grid, cavityOf: cavitiesOf(space) };
}

/** The connected spaces of the regions of all layers. */
function cavitiesOf(space: LayeredSpace): (region: SpaceRegion) => number {
  const { firsts, count } = regionNumbers(space);
  const sets = newDisjointSets(count);
  space.layers.forEach(({ links }, layer) => {
    for (let i = 0; i < links.length; i += 2) sets.join(firsts[layer - 1] + links[i], firsts[layer] + links[i + 1]);
  });
  return ({ layer, region }) => sets.find(firsts[layer] + region);
}

/** Enough points that one is near each part of the rim of a region. */
const MOST_POINTS = 1024;

/** Points of a region of a sealed space, from which ways out of it start. */
export function endAt(
  { space, layers, grid }: LayeredPart,
  { layer, region }: SpaceRegion,
  sealing: Sealing,
): VentStart {
  const {
    empty: { rowStarts, starts, ends },
    regions: { regionOf },
  } = layers[layer];
  const [low, high] = [space.boundariesMm[layer], space.boundariesMm[layer + 1]];
  const step = Math.ceil(space.layers[layer].pixels[region] / MOST_POINTS);
  const points: Vec3[] = [];
  let next = 0;
  for (let row = 0; row + 1 < rowStarts.length; row++) {
    const y = grid.backMm - (row + 0.5) * grid.pixelMm;
    for (let span = rowStarts[row]; span < rowStarts[row + 1]; span++) {
      if (regionOf[span] !== region) continue;
      for (let column = starts[span]; column < ends[span]; column++) {
        if (next++ % step === 0) points.push([grid.leftMm + (column + 0.5) * grid.pixelMm, y, (low + high) / 2]);
      }
    }
  }
  return sealing === "CUP" ? { heightMm: low, points } : { heightMm: high, points, isUpper: true };
}
