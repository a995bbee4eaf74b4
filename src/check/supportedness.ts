import type { Progress } from "../core/progress.ts";
import { upperBound } from "../geometry/binary-search.ts";
import type { SpanGrid, SpanLayer } from "../geometry/spans.ts";
import { OverhangDistance } from "../slice/overhang-distance.ts";
import { overhangPixelMm } from "../slice/overhang-pixel.ts";
import { exposedOverhangs, facesOfLayer, findOverhangs, placedSolidSurface } from "../slice/overhangs.ts";
import { type SpanRequest, spanLayers } from "../slice/span-layers.ts";
import { midHeightsMm } from "../slice/layer-heights.ts";
import { type BodyGroup, type GroupBody, groupGrid } from "./body-group.ts";
import { addFaintRegions } from "./faint-regions.ts";
import { type FindingPlace, newPlaceFinder } from "./finding-place.ts";

export interface SupportednessRequest {
  readonly group: BodyGroup;
  /** Between a downward face and the horizontal; flatter faces overhang. */
  readonly selfSupportingAngleDeg: number;
  /** Overhangs with a larger overhang distance are unsupported. */
  readonly bridgingDistanceMm: number;
}

/** The overhangs of a model. */
export interface ModelOverhangs {
  /** Pixels of them, seen from above. */
  readonly overhangs: number;
  readonly unsupported: number;
  /** Where they are unsupported, with the area in mm² as the size. */
  readonly places: readonly FindingPlace[];
}

/** Share of the progress at which the overhangs are found. */
const OVERHANGS_SHARE = 0.2;

/**
 * How solid below is drawn, and how far its edge is from the middle of its last pixel, in pixels. Of the thin round tips of supports every
 * pixel that they touch counts: the middles of the last ones lie at the edge on average. Without supports a pixel counts where half of it is
 * solid: edges are half a pixel beyond the last middles on average, and just so at the sides of round sizes, since the grid begins there.
 */
const DRAWN = {
  touched: { minCoverage: 1, edgeShare: 0 },
  half: { minCoverage: 128, edgeShare: 0.5 },
} as const;

/** Up to this height, regions that cover no pixel by half are drawn: those that stand on an edge or a corner grow from there. */
const FAINT_UP_TO_MM = 1;

/** Share of a pixel by which rounded distances may differ. */
const DISTANCE_TOLERANCE = 0.01;

/** Unsupported pixels nearer to each other are one place. */
const PLACE_CELL_MM = 0.5;

/**
 * The overhangs of each model of a group, and how much of them is unsupported. Overhangs are the downward faces flatter
 * than the self-supporting angle, above the first layer, and the regions that begin in the air. They are unsupported
 * where their overhang distance ({@link OverhangDistance}) at their height exceeds the bridging distance. Supports and the platform are
 * anchored; other models support as far as they are supported themselves.
 */
export function findUnsupported(
  { group, selfSupportingAngleDeg, bridgingDistanceMm }: SupportednessRequest,
  progress: Progress,
): ModelOverhangs[] {
  const { bodies, modelCount, boundariesMm, gridBox } = group;
  const grid = groupGrid(group, overhangPixelMm(gridBox));
  const sampleHeightsMm = midHeightsMm(boundariesMm);
  const models = bodies.filter(({ isSupport }) => !isSupport);
  const overhangs = models.map(({ placed }, i) => {
    const part = progress.part((OVERHANGS_SHARE * i) / models.length, (OVERHANGS_SHARE * (i + 1)) / models.length);
    const surface = placedSolidSurface(placed, part.part(0, 0.5));
    return findOverhangs(surface, sampleHeightsMm, grid, selfSupportingAngleDeg, part.part(0.5, 1));
  });
  const { minCoverage, edgeShare } = models.length === bodies.length ? DRAWN.half : DRAWN.touched;
  const bridgedMm = bridgingDistanceMm + DISTANCE_TOLERANCE * grid.pixelMm;
  const distances = new OverhangDistance(grid, selfSupportingAngleDeg, { edgeShare });
  /** Whether each solid pixel became so as part of an island. */
  const beganInAir = new Uint8Array(grid.columns * grid.rows);
  const counts = Array.from({ length: modelCount }, () => ({ overhangs: 0, unsupported: 0 }));
  const finders = counts.map(() => newPlaceFinder(PLACE_CELL_MM));
  const addUnsupported = (model: number, pixel: number, heightMm: number): void => {
    counts[model].unsupported++;
    const row = Math.floor(pixel / grid.columns);
    const x = grid.leftMm + (pixel - row * grid.columns + 0.5) * grid.pixelMm;
    finders[model].add(x, grid.backMm - (row + 0.5) * grid.pixelMm, heightMm, grid.pixelMm * grid.pixelMm);
  };
  for (const layers of layersOfBodies(bodies, { boundariesMm, grid, minCoverage }, progress.part(OVERHANGS_SHARE, 1))) {
    const { index } = layers[0];
    distances.addLayer(
      sampleHeightsMm[index],
      layers.map((layer, i) => ({ layer, isAnchored: index === 0 || i === models.length })),
      overhangs.map((ofModel) => facesOfLayer(ofModel, index)),
    );
    if (index === 0) continue;
    for (const pixel of distances.newPixels) beganInAir[pixel] = 0;
    for (const island of distances.islands()) {
      for (const pixel of island) {
        const { model } = models[layers.findIndex((layer) => isSolidIn(layer, pixel, grid))];
        counts[model].overhangs++;
        addUnsupported(model, pixel, boundariesMm[index]);
        beganInAir[pixel] = 1;
      }
    }
    overhangs.forEach((ofModel, i) => {
      const { model } = models[i];
      for (const entry of exposedOverhangs(ofModel, index, sampleHeightsMm, distances)) {
        const pixel = ofModel.pixels[entry];
        if (beganInAir[pixel] === 1) continue;
        counts[model].overhangs++;
        if (distances.faceDistanceMm(pixel, ofModel.heightsMm[entry]) > bridgedMm)
          addUnsupported(model, pixel, boundariesMm[index]);
      }
    });
  }
  return counts.map((count, model) => ({ ...count, places: finders[model].parts() }));
}

/** From the lowest up, for each layer: that of each model in turn, then that of all supports together. */
function* layersOfBodies(
  bodies: readonly GroupBody[],
  drawn: Pick<SpanRequest, "boundariesMm" | "grid" | "minCoverage">,
  progress: Progress,
): Generator<SpanLayer[]> {
  const { models = [], supports = [] } = Object.groupBy(bodies, ({ isSupport }) => (isSupport ? "supports" : "models"));
  const groups = [...models.map((model) => [model]), ...(supports.length > 0 ? [supports] : [])];
  const generators = groups.map((group, i) => {
    const placed = group.map((body) => body.placed);
    const part = i === 0 ? progress : progress.silent();
    return layersOfGroup({ placed, ...drawn }, part);
  });
  for (let layer = 0; layer + 1 < drawn.boundariesMm.length; layer++) {
    // Each generator yields as many layers as there are.
    yield generators.map((layers) => layers.next().value as SpanLayer);
  }
}

function* layersOfGroup(request: SpanRequest, progress: Progress): Generator<SpanLayer> {
  const faintEnd = upperBound(request.boundariesMm, FAINT_UP_TO_MM);
  const boundariesMm = request.boundariesMm.subarray(0, faintEnd);
  const touched =
    request.minCoverage > DRAWN.touched.minCoverage
      ? spanLayers({ ...request, boundariesMm, minCoverage: DRAWN.touched.minCoverage }, progress.silent())
      : undefined;
  for (const layer of spanLayers(request, progress)) {
    const faint = touched?.next().value as SpanLayer | undefined;
    yield faint ? addFaintRegions(layer, faint) : layer;
  }
}

function isSolidIn({ rowStarts, starts, ends }: SpanLayer, pixel: number, { columns }: SpanGrid): boolean {
  const row = Math.floor(pixel / columns);
  const column = pixel - row * columns;
  for (let i = rowStarts[row]; i < rowStarts[row + 1]; i++) if (starts[i] <= column && column < ends[i]) return true;
  return false;
}
