import { lowerBound } from "../geometry/binary-search.ts";
import { type SpanGrid, type SpanLayer, connectedRegions, forTouchingRegions } from "../geometry/spans.ts";
import type { Vec3 } from "../geometry/vector.ts";

/**
 * The connected regions of all layers of a part, numbered from the lowest layer up. Coordinates are those of the scene, mm.
 */
export interface Sections {
  /** The middle of each layer, mm. */
  readonly heightsMm: Float64Array;
  /** Regions of layer k have the numbers from entry k to before entry k + 1. */
  readonly starts: Int32Array;
  readonly areasMm2: Float64Array;
  /** Centroid. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Second moments per area about the centroid, mm². */
  readonly xx: Float64Array;
  readonly xy: Float64Array;
  readonly yy: Float64Array;
  /**
   * The regions of the layer below that region r touches, corners included: entries `belowStarts[r]` to before `belowStarts[r + 1]` in
   * `below`.
   */
  readonly belowStarts: Int32Array;
  readonly below: Int32Array;
}

/** The nearest region, in widths of the region, of the highest layer below a place; −1 if there is none. */
export function regionBelow(sections: Sections, [placeX, placeY, placeZ]: Vec3): number {
  const { heightsMm, starts, x, y, xx, xy, yy } = sections;
  const layer = lowerBound(heightsMm, placeZ) - 1;
  let [nearest, least] = [-1, Infinity];
  if (layer < 0) return nearest;
  for (let region = starts[layer]; region < starts[layer + 1]; region++) {
    const [u, v] = [placeX - x[region], placeY - y[region]];
    const determinant = xx[region] * yy[region] - xy[region] * xy[region];
    const widths = (yy[region] * u * u - 2 * xy[region] * u * v + xx[region] * v * v) / determinant;
    if (widths < least) [nearest, least] = [region, widths];
  }
  return nearest;
}

/** Largest distance, in pixels, between a place and the pixel found for it: surfaces are next to the pixels that they bound. */
const SEARCH_PIXELS = 3;

/** Regions of a layer, counted from 0 in this layer. */
export interface LastIslands {
  readonly regions: readonly number[];
  /** The region of each span of the layer. */
  readonly regionOf: Uint32Array;
}

/** Measures the regions of layers, from the platform up, and finds the region of each of some points on the surface. */
export class SectionRecorder {
  /** For each point, the region in the first layer whose middle is not below the point; −1 where there is none. */
  readonly regions: Int32Array;
  readonly #grid: SpanGrid;
  readonly #heightsMm: Float64Array;
  readonly #points: readonly Vec3[];
  /** Indices of the points, the lowest first. */
  readonly #ascending: readonly number[];
  #located = 0;
  readonly #starts = [0];
  readonly #areas: number[] = [];
  readonly #x: number[] = [];
  readonly #y: number[] = [];
  readonly #xx: number[] = [];
  readonly #xy: number[] = [];
  readonly #yy: number[] = [];
  readonly #belowStarts = [0];
  readonly #below: number[] = [];
  #layer: SpanLayer | undefined;
  #regionOf: Uint32Array = new Uint32Array(0);

  /** `heightsMm`: the middles of the layers that follow. */
  constructor(grid: SpanGrid, heightsMm: Float64Array, points: readonly Vec3[]) {
    this.#grid = grid;
    this.#heightsMm = heightsMm;
    this.#points = points;
    this.#ascending = points.map((_, i) => i).sort((a, b) => points[a][2] - points[b][2] || a - b);
    this.regions = new Int32Array(points.length).fill(-1);
  }

  addLayer(layer: SpanLayer): void {
    const first = this.#areas.length;
    const { count, regionOf } = connectedRegions(layer, "CORNERS");
    this.#measure(layer, count, regionOf);
    const belows: number[][] = Array.from({ length: count }, () => []);
    const before = this.#layer;
    if (before && count === 1 && this.#isOneBelow() && doOverlap(layer, before)) {
      belows[0].push(this.#starts[this.#starts.length - 2]);
    } else if (before) {
      const firstBelow = this.#starts[this.#starts.length - 2];
      forTouchingRegions({ layer, regionOf }, { layer: before, regionOf: this.#regionOf }, (region, other) => {
        const found = belows[region];
        if (!found.includes(firstBelow + other)) found.push(firstBelow + other);
      });
    }
    for (const found of belows) {
      this.#below.push(...found);
      this.#belowStarts.push(this.#below.length);
    }
    this.#starts.push(first + count);
    this.#layer = layer;
    this.#regionOf = regionOf;
    this.#locate();
  }

  /** The regions of the last layer that touch nothing of the layer below, not even at a corner; none in the lowest layer. */
  lastIslands(): LastIslands {
    const regions: number[] = [];
    const layer = this.#starts.length - 2;
    const first = this.#starts[layer];
    const end = layer > 0 ? this.#areas.length : first;
    for (let region = first; region < end; region++) {
      if (this.#belowStarts[region] === this.#belowStarts[region + 1]) regions.push(region - first);
    }
    return { regions, regionOf: this.#regionOf };
  }

  /** Whether the last layer has exactly one region. */
  #isOneBelow(): boolean {
    const [from, to] = this.#starts.slice(-2);
    return to === from + 1;
  }

  #locate(): void {
    const layer = this.#starts.length - 2;
    const isLast = layer === this.#heightsMm.length - 1;
    for (; this.#located < this.#ascending.length; this.#located++) {
      const point = this.#ascending[this.#located];
      const [x, y, z] = this.#points[point];
      if (z > this.#heightsMm[layer] && !isLast) return;
      this.regions[point] = this.regionAt(x, y);
    }
  }

  /** The region of the last layer at a place, or the nearest region within {@link SEARCH_PIXELS}; −1 where there is none. */
  regionAt(xMm: number, yMm: number): number {
    const { leftMm, backMm, pixelMm, rows } = this.#grid;
    if (!this.#layer) return -1;
    const { rowStarts, starts, ends } = this.#layer;
    const column = Math.floor((xMm - leftMm) / pixelMm);
    const row = Math.floor((backMm - yMm) / pixelMm);
    let [nearest, least] = [-1, Infinity];
    for (let r = Math.max(0, row - SEARCH_PIXELS); r <= Math.min(rows - 1, row + SEARCH_PIXELS); r++) {
      for (let span = rowStarts[r]; span < rowStarts[r + 1]; span++) {
        const aside = Math.max(starts[span] - column, column - ends[span] + 1, 0);
        const square = aside * aside + (r - row) * (r - row);
        if (aside <= SEARCH_PIXELS && square < least) [nearest, least] = [span, square];
      }
    }
    return nearest < 0 ? -1 : this.#starts[this.#starts.length - 2] + this.#regionOf[nearest];
  }

  /** The sections so far, moved by an offset. */
  build([dx, dy]: readonly [x: number, y: number]): Sections {
    return {
      heightsMm: this.#heightsMm.slice(0, this.#starts.length - 1),
      starts: Int32Array.from(this.#starts),
      areasMm2: Float64Array.from(this.#areas),
      x: Float64Array.from(this.#x, (x) => x + dx),
      y: Float64Array.from(this.#y, (y) => y + dy),
      xx: Float64Array.from(this.#xx),
      xy: Float64Array.from(this.#xy),
      yy: Float64Array.from(this.#yy),
      belowStarts: Int32Array.from(this.#belowStarts),
      below: Int32Array.from(this.#below),
    };
  }

  /** Sums each region's pixels and their coordinates, a span at a time. */
  #measure({ rowStarts, starts, ends }: SpanLayer, count: number, regionOf: Uint32Array): void {
    const { leftMm, backMm, pixelMm } = this.#grid;
    const sums = new Float64Array(6 * count);
    for (let row = 0; row + 1 < rowStarts.length; row++) {
      const y = row + 0.5;
      for (let span = rowStarts[row]; span < rowStarts[row + 1]; span++) {
        const n = ends[span] - starts[span];
        const middle = (starts[span] + ends[span]) / 2;
        const at = 6 * regionOf[span];
        sums[at] += n;
        sums[at + 1] += n * middle;
        sums[at + 2] += n * y;
        sums[at + 3] += n * (middle * middle + (n * n) / 12);
        sums[at + 4] += n * middle * y;
        sums[at + 5] += n * (y * y + 1 / 12);
      }
    }
    const pixelMm2 = pixelMm * pixelMm;
    for (let at = 0; at < sums.length; at += 6) {
      const n = sums[at];
      const [x, y] = [sums[at + 1] / n, sums[at + 2] / n];
      this.#areas.push(n * pixelMm2);
      this.#x.push(leftMm + x * pixelMm);
      this.#y.push(backMm - y * pixelMm);
      this.#xx.push(Math.max(0, sums[at + 3] / n - x * x) * pixelMm2);
      // Rows run from the back to the front.
      this.#xy.push(-(sums[at + 4] / n - x * y) * pixelMm2);
      this.#yy.push(Math.max(0, sums[at + 5] / n - y * y) * pixelMm2);
    }
  }
}

/** Whether two layers share a pixel; quick where they do. */
function doOverlap(a: SpanLayer, b: SpanLayer): boolean {
  for (let row = 0; row + 1 < a.rowStarts.length; row++) {
    for (let i = a.rowStarts[row], j = b.rowStarts[row]; i < a.rowStarts[row + 1] && j < b.rowStarts[row + 1];) {
      if (Math.min(a.ends[i], b.ends[j]) > Math.max(a.starts[i], b.starts[j])) return true;
      if (a.ends[i] < b.ends[j]) i++;
      else j++;
    }
  }
  return false;
}
