import { type Surface, setFacetNormal } from "../../mesh/mesh.ts";
import type { LayerRange } from "../../slice/cut-layers.ts";
import type { CellGrid } from "./cell-grid.ts";

/** Consecutive layers of a grid, which one thread searches. */
export interface Slab extends LayerRange {
  /**
   * The layers that are classified: also those next to the slab, as far as the centres of balls that cover its cells. A ball there to
   * which only cells still farther away lead is missed. This changes the thin volume of real parts by less than 0.3 % in slabs of 12
   * layers.
   */
  readonly classified: LayerRange;
  /** The heights between which the surface is known; infinite if there is no surface beyond. */
  readonly lowMm: number;
  readonly highMm: number;
  /** About the number of facets between these heights. */
  readonly facets: number;
  /** The expected time ({@link LayerLoads}). */
  readonly work: number;
}

/**
 * The surface is known up to this many thresholds above and below the layers that are classified. Searches for balls end within one
 * threshold of their cell, but for those along blunt edges.
 */
const KNOWN_THRESHOLDS = 2;

/** The least slabs: 0.2 s of work, and 16 layers, since a slab classifies six more at four cells across the threshold. */
const LEAST = { work: 40_000, layers: 16 };

/**
 * The slabs of a grid over a surface, from the lowest up: as small as allowed, but the topmost one has what is left. They depend on the
 * surface and the grid alone, not on the number of threads.
 */
export function slabsOf(surface: Surface, grid: CellGrid, thresholdMm: number, least = LEAST): Slab[] {
  const loads = loadsByLayer(surface, grid, thresholdMm);
  const { layers } = grid;
  const total = sum(loads.work);
  // Otherwise some slabs would have few slow layers, and others next to no work.
  const enough = Math.max(least.work, (total / layers) * least.layers);
  const slabs: Slab[] = [];
  let from = 0;
  let work = 0;
  let left = total;
  for (let end = 1; end <= layers; end++) {
    work += loads.work[end - 1];
    const isFull = work >= enough && end - from >= least.layers;
    const hasNext = left - work >= enough / 2 && layers - end >= least.layers;
    if (end < layers && !(isFull && hasNext)) continue;
    slabs.push({ from, end, work, ...surroundings(from, end, grid, thresholdMm, loads) });
    left -= work;
    [from, work] = [end, 0];
  }
  return slabs;
}

/** What a slab looks at beyond its own layers. */
function surroundings(
  from: number,
  end: number,
  { cellMm, layers }: CellGrid,
  thresholdMm: number,
  loads: LayerLoads,
): Pick<Slab, "classified" | "lowMm" | "highMm" | "facets"> {
  const overlap = Math.ceil(thresholdMm / 2 / cellMm) + 1;
  const classified = { from: Math.max(0, from - overlap), end: Math.min(layers, end + overlap) };
  const knownMm = KNOWN_THRESHOLDS * thresholdMm;
  const knownLayers = Math.ceil(knownMm / cellMm);
  return {
    classified,
    lowMm: classified.from === 0 ? -Infinity : classified.from * cellMm - knownMm,
    highMm: classified.end === layers ? Infinity : classified.end * cellMm + knownMm,
    facets: sum(loads.facets.subarray(Math.max(0, classified.from - knownLayers), classified.end + knownLayers)),
  };
}

const sum = (numbers: Float64Array): number => numbers.reduce((total, number) => total + number, 0);

/** What to expect of each layer. */
interface LayerLoads {
  /** Time, in cells at the surface of a thick part: each takes about 5 µs. */
  readonly work: Float64Array;
  /** Number of facets whose centroids are in the layer. */
  readonly facets: Float64Array;
}

/** A cell at the surface of a thin wall takes about this many times as long as one of a thick part. */
const THIN_WORK = 8;

/**
 * The loads of layers, from the areas of the facets in them and the mean thickness of walls there: twice the area of the section by that
 * of the facets.
 */
function loadsByLayer(surface: Surface, { cellMm, layers }: CellGrid, thresholdMm: number): LayerLoads {
  const { vertices, triangles } = surface;
  const facets = new Float64Array(layers);
  const areas = new Float64Array(layers);
  /** The growth of the section in each layer: the area of facets seen from below less that of facets seen from above. */
  const growths = new Float64Array(layers);
  const normal = new Float64Array(3);
  const perMm2 = 1 / (2 * cellMm * cellMm);
  const perMm = 1 / (3 * cellMm);
  for (let at = 0; at < triangles.length; at += 3) {
    const heights =
      vertices[3 * triangles[at] + 2] + vertices[3 * triangles[at + 1] + 2] + vertices[3 * triangles[at + 2] + 2];
    const layer = Math.floor(heights * perMm);
    setFacetNormal(normal, vertices, triangles, at / 3);
    const [x, y, z] = normal;
    facets[layer]++;
    areas[layer] += Math.sqrt(x * x + y * y + z * z) * perMm2;
    growths[layer] -= z * perMm2;
  }
  let section = 0;
  const work = areas.map((area, layer) => {
    section += growths[layer];
    return 2 * section * cellMm < area * thresholdMm ? THIN_WORK * area : area;
  });
  return { work, facets };
}
