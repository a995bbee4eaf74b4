import type { Progress } from "../core/progress.ts";
import { upperBound } from "../geometry/binary-search.ts";
import type { SpanGrid, SpanLayer } from "../geometry/spans.ts";
import { OverhangDistance } from "../slice/overhang-distance.ts";
import { overhangPixelMm } from "../slice/overhang-pixel.ts";
import { exposedOverhangs, facesOfLayer, findOverhangFaces, placedSolidSurface } from "../slice/overhangs.ts";
import { type SpanRequest, spanLayers } from "../slice/span-layers.ts";
import { midHeightsMm } from "../slice/layer-heights.ts";
import { type BodyGroup, type GroupBody, groupGrid } from "./body-group.ts";
import { addFaintRegions } from "./faint-regions.ts";
import { type FindingPlace, newPlaceFinder } from "./finding-place.ts";

export interface SupportednessRequest {
  readonly group: BodyGroup;
  /** Largest angle between a downward face and the horizontal at which the face overhangs. */
  readonly selfSupportingAngleDeg: number;
  /** Overhangs with a larger overhang distance are unsupported. */
  readonly bridgingDistanceMm: number;
}

/** The overhangs of a model. */
export interface ModelOverhangs {
  /** Overhanging pixels, seen from above. */
  readonly overhangs: number;
  readonly unsupported: number;
  /** Places of unsupported overhangs, with the area in mm² as the size. */
  readonly places: readonly FindingPlace[];
}

/** Share of the progress at which the overhangs are found. */
const OVERHANGS_SHARE = 0.2;

/**
 * How the solid below is rasterised, and the mean distance of its edge beyond the middle of its last pixel, in pixels. With supports,
 * every pixel that they touch counts, since their tips are round and thin: then the middle of the last pixel is at the edge on
 * average. Without supports, a pixel counts where half of it is solid: then the edge is half a pixel further out on average, and
 * exactly so at the sides of round sizes, since the grid begins there.
 */
const DRAWN = {
  touched: { minCoverage: 1, edgeShare: 0 },
  half: { minCoverage: 128, edgeShare: 0.5 },
} as const;

/** Up to this height, regions that cover no pixel by half are added: parts on an edge or a corner grow from there. */
const FAINT_UP_TO_MM = 1;

/** Share of a pixel by which distances may differ due to rounding. */
const DISTANCE_TOLERANCE = 0.01;

/** Unsupported pixels nearer to each other than this are one place. */
const PLACE_CELL_MM = 0.5;

/**
 * The overhangs of each model of a group, and how much of them is unsupported. Overhangs are the downward faces above the first layer
 * that are flatter than the self-supporting angle, and the regions that begin in mid-air. An overhang is unsupported where its
 * overhang distance ({@link OverhangDistance}) at its height exceeds the bridging distance. Supports and the platform are anchored;
 * other models support as far as they are supported themselves.
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
    return findOverhangFaces({ surface, sampleHeightsMm, grid, angleDeg: selfSupportingAngleDeg }, part.part(0.5, 1));
  });
  const { minCoverage, edgeShare } = models.length === bodies.length ? DRAWN.half : DRAWN.touched;
  const bridgedMm = bridgingDistanceMm + DISTANCE_TOLERANCE * grid.pixelMm;
  const distances = new OverhangDistance(grid, selfSupportingAngleDeg, { edgeShare });
  /** 1 for each solid pixel that became solid as part of an island. */
  const beganInAir = new Uint8Array(grid.columns * grid.rows);
  const tallies = Array.from({ length: modelCount }, () => new OverhangTally(grid));
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
        tallies[model].add(pixel, boundariesMm[index], true);
        beganInAir[pixel] = 1;
      }
    }
    overhangs.forEach((ofModel, i) => {
      const tally = tallies[models[i].model];
      for (const entry of exposedOverhangs(ofModel, index, sampleHeightsMm, distances)) {
        const pixel = ofModel.pixels[entry];
        if (beganInAir[pixel] === 1) continue;
        const isUnsupported = distances.faceDistanceMm(pixel, ofModel.heightsMm[entry]) > bridgedMm;
        tally.add(pixel, boundariesMm[index], isUnsupported);
      }
    });
  }
  return tallies.map((tally) => tally.result());
}

/** Counts the overhangs of a model pixel by pixel, and collects the places of unsupported ones. */
class OverhangTally {
  readonly #grid: SpanGrid;
  readonly #finder = newPlaceFinder(PLACE_CELL_MM);
  #overhangs = 0;
  #unsupported = 0;

  constructor(grid: SpanGrid) {
    this.#grid = grid;
  }

  /** Adds an overhanging pixel of the layer that begins at a height. */
  add(pixel: number, heightMm: number, isUnsupported: boolean): void {
    this.#overhangs++;
    if (!isUnsupported) return;
    this.#unsupported++;
    const { columns, leftMm, backMm, pixelMm } = this.#grid;
    const row = Math.floor(pixel / columns);
    const x = leftMm + (pixel - row * columns + 0.5) * pixelMm;
    this.#finder.add(x, backMm - (row + 0.5) * pixelMm, heightMm, pixelMm * pixelMm);
  }

  result(): ModelOverhangs {
    return { overhangs: this.#overhangs, unsupported: this.#unsupported, places: this.#finder.parts() };
  }
}

/** The layers of the bodies, from the lowest up: for each height the layer of each model in turn, then one of all supports together. */
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
    // Each generator yields one layer per height.
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
