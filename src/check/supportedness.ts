import type { Progress } from "../core/progress.ts";
import type { SpanGrid, SpanLayer } from "../geometry/spans.ts";
import { OverhangDistance, overhangPixelMm } from "../slice/overhang-distance.ts";
import { exposedOverhangs, findOverhangs, placedSolidSurface } from "../slice/overhangs.ts";
import { spanGridOver, spanLayers } from "../slice/span-layers.ts";
import { midHeightsMm } from "../slice/stack.ts";
import { type CheckRequest, type Cluster, type SceneBody, forEachCluster } from "./cluster.ts";

export interface SupportednessRequest extends CheckRequest {
  /** Between a downward face and the horizontal; flatter faces overhang. */
  readonly selfSupportingAngleDeg: number;
  /** Overhangs with a larger overhang distance are unsupported. */
  readonly bridgingDistanceMm: number;
}

/** Bodies nearer to each other touch: they share pixels. */
const REACH_MM = 0.1;

/**
 * For each model, how much of its overhangs is unsupported, in percent of their area seen from above; 0 without
 * overhangs. Overhangs are the downward faces flatter than the self-supporting angle, above the first layer, and the
 * regions that begin in the air. They are unsupported where their overhang distance ({@link OverhangDistance}) exceeds
 * the bridging distance. Supports and the platform are anchored; other models support as far as they are supported
 * themselves.
 */
export function percentUnsupported(request: SupportednessRequest, progress: Progress): number[] {
  const percents = Array.from({ length: request.modelCount }, () => 0);
  const measure = (cluster: Cluster, modelsOfEach: readonly (readonly number[])[], part: Progress): void =>
    countOverhangs(cluster, request, part).forEach(({ pixels, unsupported }, own) => {
      for (const models of modelsOfEach) percents[models[own]] = pixels === 0 ? 0 : (100 * unsupported) / pixels;
    });
  forEachCluster(request, REACH_MM, measure, progress);
  return percents;
}

/** Pixels of a model's overhangs. */
interface OverhangCount {
  pixels: number;
  unsupported: number;
}

/** Share of the progress at which the overhangs are found. */
const OVERHANGS_SHARE = 0.2;

/** The overhangs of each model of a cluster. */
function countOverhangs(cluster: Cluster, request: SupportednessRequest, progress: Progress): OverhangCount[] {
  const { bodies, boundariesMm, box } = cluster;
  const { selfSupportingAngleDeg, bridgingDistanceMm } = request;
  const grid = spanGridOver(box, overhangPixelMm(box));
  const sampleHeightsMm = midHeightsMm(boundariesMm);
  const models = bodies.filter(({ isSupport }) => !isSupport);
  const overhangs = models.map(({ placed }, i) => {
    const part = progress.part((OVERHANGS_SHARE * i) / models.length, (OVERHANGS_SHARE * (i + 1)) / models.length);
    const surface = placedSolidSurface(placed, part.part(0, 0.5));
    return findOverhangs(surface, sampleHeightsMm, grid, selfSupportingAngleDeg, part.part(0.5, 1));
  });
  const distances = new OverhangDistance(grid, selfSupportingAngleDeg);
  /** The layer at which each pixel became solid as part of an island; −1 for others. */
  const islandSince = new Int32Array(grid.columns * grid.rows).fill(-1);
  const counts = cluster.models.map((): OverhangCount => ({ pixels: 0, unsupported: 0 }));
  for (const layers of layersOfBodies(bodies, boundariesMm, grid, progress.part(OVERHANGS_SHARE, 1))) {
    const { index } = layers[0];
    distances.addLayer(
      sampleHeightsMm[index],
      layers.map((layer, i) => ({ layer, isAnchored: index === 0 || i === models.length })),
    );
    if (index === 0) continue;
    for (const island of distances.islands()) {
      for (const pixel of island) {
        const count = counts[models[layers.findIndex((layer) => isSolidIn(layer, pixel, grid))].model];
        count.pixels++;
        count.unsupported++;
        islandSince[pixel] = index;
      }
    }
    overhangs.forEach((ofModel, i) => {
      const count = counts[models[i].model];
      for (const entry of exposedOverhangs(ofModel, index, sampleHeightsMm, distances)) {
        const pixel = ofModel.pixels[entry];
        if (islandSince[pixel] === distances.solidSince(pixel)) continue;
        count.pixels++;
        if (distances.distanceMm(pixel) > bridgingDistanceMm) count.unsupported++;
      }
    });
  }
  return counts;
}

/** From the lowest up, for each layer: that of each model in turn, then that of all supports together. */
function* layersOfBodies(
  bodies: readonly SceneBody[],
  boundariesMm: Float64Array,
  grid: SpanGrid,
  progress: Progress,
): Generator<SpanLayer[]> {
  const { models = [], supports = [] } = Object.groupBy(bodies, ({ isSupport }) => (isSupport ? "supports" : "models"));
  const groups = [...models.map((model) => [model]), ...(supports.length > 0 ? [supports] : [])];
  const generators = groups.map((group, i) => {
    const placed = group.map((body) => body.placed);
    const part = i === 0 ? progress : progress.silent();
    return spanLayers({ placed, boundariesMm, grid, minCoverage: 1 }, part);
  });
  for (let layer = 0; layer + 1 < boundariesMm.length; layer++) {
    // Each generator yields as many layers as there are.
    yield generators.map((layers) => layers.next().value as SpanLayer);
  }
}

function isSolidIn({ rowStarts, starts, ends }: SpanLayer, pixel: number, { columns }: SpanGrid): boolean {
  const row = Math.floor(pixel / columns);
  const column = pixel - row * columns;
  for (let i = rowStarts[row]; i < rowStarts[row + 1]; i++) if (starts[i] <= column && column < ends[i]) return true;
  return false;
}
