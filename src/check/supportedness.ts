import type { Watch } from "../core/watch.ts";
import { type SpanGrid, spanGridOver, type SpanLayer, spanLayers } from "../slice/span-layers.ts";
import { middlesOf } from "../slice/stack.ts";
import { Anchorage } from "../support/anchorage/anchorage.ts";
import { exposedOverhangs } from "../support/anchorage/exposed-overhangs.ts";
import { type Overhangs, overhangsOf } from "../support/anchorage/overhangs.ts";
import { pixelMmOver } from "../support/anchorage/pixel-size.ts";
import { standingSolid } from "../support/anchorage/standing-solid.ts";
import type { Body, CheckRequest } from "./body.ts";
import type { Cluster } from "./cluster.ts";
import { eachCluster } from "./each-cluster.ts";

export interface SupportednessRequest extends CheckRequest {
  /** Between a face that looks down and the level; flatter faces overhang. */
  readonly selfSupportingAngleDeg: number;
  /** How far an overhang may lie from what carries it. */
  readonly bridgingDistanceMm: number;
}

/** Bodies this near to one another count as touching: theirs are the same pixels. */
const REACH_MM = 0.1;

/**
 * How much of each model's overhangs is not held, percent of their area seen from above. Overhangs are the faces that look
 * down and lie flatter than the self-supporting angle, above the first layer, and the regions that begin in the air. What
 * lies farther from all that carries it than the bridging distance is not held; {@link Anchorage} tells how far. Supports
 * and the platform carry; other models carry as far as they are carried. 0 where nothing overhangs.
 */
export function percentUnsupported(request: SupportednessRequest, watch: Watch): number[] {
  const percents = Array.from({ length: request.modelCount }, () => 0);
  const look = (cluster: Cluster, modelsOfEach: readonly (readonly number[])[], part: Watch): void =>
    overhangOf(cluster, request, part).forEach(({ pixels, unheld }, own) => {
      for (const models of modelsOfEach) percents[models[own]] = pixels === 0 ? 0 : (100 * unheld) / pixels;
    });
  eachCluster(request, REACH_MM, look, watch);
  return percents;
}

interface Overhang {
  pixels: number;
  unheld: number;
}

/** Share of the progress at which is known what overhangs. */
const FOUND = 0.2;

/** Of each model of a cluster. */
function overhangOf(cluster: Cluster, request: SupportednessRequest, watch: Watch): Overhang[] {
  const { bodies, boundariesMm, box } = cluster;
  const { selfSupportingAngleDeg, bridgingDistanceMm } = request;
  const grid = spanGridOver(box, pixelMmOver(box));
  const middlesMm = middlesOf(boundariesMm);
  const models = bodies.filter(({ isSupport }) => !isSupport);
  const overhangs = models.map(({ placed }, i) => {
    const part = watch.part((FOUND * i) / models.length, (FOUND * (i + 1)) / models.length);
    return overhangsUnder(placed, middlesMm, grid, selfSupportingAngleDeg, part);
  });
  const anchorage = new Anchorage(grid, selfSupportingAngleDeg);
  /** The layer in which each pixel began as part of an island. */
  const islandSince = new Int32Array(grid.columns * grid.rows).fill(-1);
  const found = cluster.models.map((): Overhang => ({ pixels: 0, unheld: 0 }));
  for (const layers of risingLayers(bodies, boundariesMm, grid, watch.part(FOUND, 1))) {
    const { index } = layers[0];
    anchorage.rise(
      middlesMm[index],
      layers.map((layer, i) => ({ layer, isCarried: index === 0 || i === models.length })),
    );
    if (index === 0) continue;
    for (const island of anchorage.islands()) {
      for (const pixel of island) {
        const own = found[models[layers.findIndex((layer) => isSolidIn(layer, pixel, grid))].model];
        own.pixels++;
        own.unheld++;
        islandSince[pixel] = index;
      }
    }
    overhangs.forEach((faces, i) => {
      const own = found[models[i].model];
      for (const entry of exposedOverhangs(faces, index, middlesMm, anchorage)) {
        const pixel = faces.pixels[entry];
        if (islandSince[pixel] === anchorage.since(pixel)) continue;
        own.pixels++;
        if (anchorage.distanceMm(pixel) > bridgingDistanceMm) own.unheld++;
      }
    });
  }
  return found;
}

const overhangsUnder = (
  placed: Body["placed"],
  middlesMm: Float64Array,
  grid: SpanGrid,
  angleDeg: number,
  watch: Watch,
): Overhangs => overhangsOf(standingSolid(placed, watch.part(0, 0.5)), middlesMm, grid, angleDeg, watch.part(0.5, 1));

/** From the lowest up, the layers of each model in turn, then those of all supports together. */
function* risingLayers(
  bodies: readonly Body[],
  boundariesMm: Float64Array,
  grid: SpanGrid,
  watch: Watch,
): Generator<SpanLayer[]> {
  const { models = [], supports = [] } = Object.groupBy(bodies, ({ isSupport }) => (isSupport ? "supports" : "models"));
  const groups = [...models.map((model) => [model]), ...(supports.length > 0 ? [supports] : [])];
  const rising = groups.map((group, i) => {
    const placed = group.map((body) => body.placed);
    const part = i === 0 ? watch : watch.part(0, 0);
    return spanLayers({ placed, boundariesMm, grid, least: 1 }, part);
  });
  for (let layer = 0; layer + 1 < boundariesMm.length; layer++)
    yield rising.map((one) => one.next().value as SpanLayer);
}

function isSolidIn({ rowStarts, starts, ends }: SpanLayer, pixel: number, { columns }: SpanGrid): boolean {
  const row = Math.floor(pixel / columns);
  const column = pixel - row * columns;
  for (let i = rowStarts[row]; i < rowStarts[row + 1]; i++) if (starts[i] <= column && column < ends[i]) return true;
  return false;
}
