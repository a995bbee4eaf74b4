import type { Progress } from "../core/progress.ts";
import { upperBound } from "../geometry/binary-search.ts";
import type { SpanGrid, SpanLayer } from "../geometry/spans.ts";
import { OverhangDistance } from "../slice/overhang/overhang-distance.ts";
import { overhangPixelMm } from "../slice/overhang/overhang-pixel.ts";
import {
  type OverhangFaces,
  exposedOverhangs,
  facesOfLayer,
  findOverhangFaces,
  placedSolidSurface,
} from "../slice/overhang/overhangs.ts";
import { rasteriseChunkSpans } from "../slice/rasterise-chunk.ts";
import { packSpans, unpackSpans } from "../slice/packed-spans.ts";
import { stackOnGrid } from "../slice/span-layers.ts";
import { type Stack, layersOfChunk } from "../slice/stack.ts";
import { midHeightsMm } from "../slice/layer-heights.ts";
import { type BodyGroup, type GroupBody, bareBody, groupGrid } from "./body-group.ts";
import { type ChunkedCheck, checkWhole } from "./chunked-check.ts";
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

/** For each layer of a chunk the layer of each model in turn, then one of all supports together. */
type LayersOfBodies = readonly (readonly SpanLayer[])[];

/**
 * The overhangs of each model of a group, and how much of them is unsupported. Overhangs are the downward faces above the first layer
 * that are flatter than the self-supporting angle, and the regions that begin in mid-air. An overhang is unsupported where its
 * overhang distance ({@link OverhangDistance}) at its height exceeds the bridging distance. Supports and the platform are anchored;
 * other models support as far as they are supported themselves.
 */
export const supportednessCheck: ChunkedCheck<SupportednessRequest, LayersOfBodies, ModelOverhangs[]> = {
  prepare({ group }, progress) {
    const { models, supports } = bodiesOf(group);
    const together = [...models.map((model) => [model]), ...(supports.length > 0 ? [supports] : [])];
    const grid = gridOf(group);
    return together.map((bodies, i) => {
      const placed = bodies.map(bareBody);
      const part = progress.part(i / together.length, (i + 1) / together.length);
      return stackOnGrid({ placed, boundariesMm: group.boundariesMm, grid }, part);
    });
  },
  examine({ request: { group }, stacks }, chunk, poll) {
    const byStack = stacks.map((stack) => spansOfChunk(stack, chunk, drawnAs(group).minCoverage, poll));
    return layersOfChunk(stacks[0], chunk).map((_, i) => byStack.map((layers) => layers[i]));
  },
  pack: (part) => packSpans(part.flat()),
  unpack(packed, { stacks }, chunk) {
    const layers = layersOfChunk(stacks[0], chunk);
    const spans = unpackSpans(
      packed,
      layers.flatMap((layer) => stacks.map(() => layer)),
      stacks[0].grid.pixels[1],
    );
    return layers.map((_, i) => spans.slice(i * stacks.length, (i + 1) * stacks.length));
  },
  conclude({ request }, parts, progress) {
    const walk = new OverhangWalk(request, progress.part(0, OVERHANGS_SHARE));
    const checking = progress.silent();
    for (const part of parts(progress.part(OVERHANGS_SHARE, 1))) {
      for (const layers of part) {
        checking.report(1);
        walk.addLayer(layers);
      }
    }
    return walk.result();
  },
};

export const findUnsupported = (request: SupportednessRequest, progress: Progress): ModelOverhangs[] =>
  checkWhole(supportednessCheck, request, progress);

const gridOf = (group: BodyGroup): SpanGrid => groupGrid(group, overhangPixelMm(group.gridBox));

function bodiesOf({ bodies }: BodyGroup): {
  readonly models: readonly GroupBody[];
  readonly supports: readonly GroupBody[];
} {
  const { models = [], supports = [] } = Object.groupBy(bodies, ({ isSupport }) => (isSupport ? "supports" : "models"));
  return { models, supports };
}

const drawnAs = (group: BodyGroup) => (bodiesOf(group).supports.length === 0 ? DRAWN.half : DRAWN.touched);

/** The layers of a chunk of a stack, from the lowest up. */
function spansOfChunk(stack: Stack, chunk: number, minCoverage: number, poll: () => void): SpanLayer[] {
  const layers = layersOfChunk(stack, chunk);
  const faintEnd = upperBound(stack.boundariesMm, FAINT_UP_TO_MM) - 1;
  const faint = layers.filter((layer) => minCoverage > DRAWN.touched.minCoverage && layer < faintEnd);
  const touched =
    faint.length > 0 ? [...rasteriseChunkSpans(stack, chunk, DRAWN.touched.minCoverage, poll, faint)] : [];
  return Array.from(rasteriseChunkSpans(stack, chunk, minCoverage, poll), (layer, i) =>
    i < touched.length ? addFaintRegions(layer, touched[i]) : layer,
  );
}

/** Finds the overhangs of the models of a group while their layers are added from the lowest up. */
class OverhangWalk {
  readonly #group: BodyGroup;
  readonly #grid: SpanGrid;
  readonly #models: readonly GroupBody[];
  readonly #sampleHeightsMm: Float64Array;
  readonly #bridgedMm: number;
  readonly #overhangs: readonly OverhangFaces[];
  readonly #distances: OverhangDistance;
  /** 1 for each solid pixel that became solid as part of an island. */
  readonly #beganInAir: Uint8Array;
  readonly #tallies: readonly OverhangTally[];

  constructor({ group, selfSupportingAngleDeg, bridgingDistanceMm }: SupportednessRequest, progress: Progress) {
    const grid = gridOf(group);
    const { models } = bodiesOf(group);
    const sampleHeightsMm = midHeightsMm(group.boundariesMm);
    this.#group = group;
    this.#grid = grid;
    this.#models = models;
    this.#sampleHeightsMm = sampleHeightsMm;
    this.#bridgedMm = bridgingDistanceMm + DISTANCE_TOLERANCE * grid.pixelMm;
    this.#overhangs = models.map(({ placed }, i) => {
      const part = progress.part(i / models.length, (i + 1) / models.length);
      const surface = placedSolidSurface(placed, part.part(0, 0.5));
      return findOverhangFaces({ surface, sampleHeightsMm, grid, angleDeg: selfSupportingAngleDeg }, part.part(0.5, 1));
    });
    this.#distances = new OverhangDistance(grid, selfSupportingAngleDeg, { edgeShare: drawnAs(group).edgeShare });
    this.#beganInAir = new Uint8Array(grid.columns * grid.rows);
    this.#tallies = Array.from({ length: group.modelCount }, () => new OverhangTally(grid));
  }

  /** `layers`: an entry of {@link LayersOfBodies}. */
  addLayer(layers: readonly SpanLayer[]): void {
    const { index } = layers[0];
    this.#distances.addLayer(
      this.#sampleHeightsMm[index],
      layers.map((layer, i) => ({ layer, isAnchored: index === 0 || i === this.#models.length })),
      this.#overhangs.map((ofModel) => facesOfLayer(ofModel, index)),
    );
    if (index === 0) return;
    this.#addIslands(layers);
    this.#addOverhangs(index);
  }

  result(): ModelOverhangs[] {
    return this.#tallies.map((tally) => tally.result());
  }

  #addIslands(layers: readonly SpanLayer[]): void {
    const heightMm = this.#group.boundariesMm[layers[0].index];
    for (const pixel of this.#distances.newPixels) this.#beganInAir[pixel] = 0;
    for (const island of this.#distances.islands()) {
      for (const pixel of island) {
        const { model } = this.#models[layers.findIndex((layer) => isSolidIn(layer, pixel, this.#grid))];
        this.#tallies[model].add(pixel, heightMm, true);
        this.#beganInAir[pixel] = 1;
      }
    }
  }

  #addOverhangs(layer: number): void {
    const heightMm = this.#group.boundariesMm[layer];
    this.#overhangs.forEach((ofModel, i) => {
      const tally = this.#tallies[this.#models[i].model];
      for (const entry of exposedOverhangs(ofModel, layer, this.#sampleHeightsMm, this.#distances)) {
        const pixel = ofModel.pixels[entry];
        if (this.#beganInAir[pixel] === 1) continue;
        const isUnsupported = this.#distances.faceDistanceMm(pixel, ofModel.heightsMm[entry]) > this.#bridgedMm;
        tally.add(pixel, heightMm, isUnsupported);
      }
    });
  }
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

function isSolidIn({ rowStarts, starts, ends }: SpanLayer, pixel: number, { columns }: SpanGrid): boolean {
  const row = Math.floor(pixel / columns);
  const column = pixel - row * columns;
  for (let i = rowStarts[row]; i < rowStarts[row + 1]; i++) if (starts[i] <= column && column < ends[i]) return true;
  return false;
}
