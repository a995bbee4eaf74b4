import type { SpanGrid } from "../../geometry/spans.ts";
import { type Vec3, dot, times } from "../../geometry/vector.ts";
import { type Surface, facetNormal, vertexAt } from "../../mesh/mesh.ts";
import type { OverhangDistance } from "../../slice/overhang/overhang-distance.ts";
import { type Overhangs, exposedOverhangs } from "../../slice/overhang/overhangs.ts";

/** A point of a surface and the outward unit normal there. */
export interface SurfacePoint {
  readonly position: Vec3;
  readonly normal: Vec3;
}

export interface UndersideRequest {
  readonly surface: Surface;
  readonly grid: SpanGrid;
  readonly overhangs: Overhangs;
  /** Height at which each layer is sampled; ascending. */
  readonly sampleHeightsMm: Float64Array;
  readonly distances: OverhangDistance;
}

/** A pixel moved away from edges. */
interface Inset {
  readonly pixel: number;
  /** Fraction of the disc around the original pixel that is solid. */
  readonly solidShare: number;
}

const NONE = -1;

/** The overhanging facet at which the solid of each pixel begins, if any, in the layers that have been added so far. */
export class Underside {
  readonly grid: SpanGrid;
  readonly #surface: Surface;
  readonly #overhangs: Overhangs;
  readonly #sampleHeightsMm: Float64Array;
  readonly #distances: OverhangDistance;
  readonly #facets: Int32Array;

  constructor({ surface, grid, overhangs, sampleHeightsMm, distances }: UndersideRequest) {
    this.grid = grid;
    this.#surface = surface;
    this.#overhangs = overhangs;
    this.#sampleHeightsMm = sampleHeightsMm;
    this.#distances = distances;
    this.#facets = new Int32Array(grid.columns * grid.rows).fill(NONE);
  }

  /**
   * Adds the layer that was added to `distances` last; returns the pixels at whose centres an overhanging facet begins
   * in it.
   */
  addLayer(layer: number): number[] {
    const { pixels, facets } = this.#overhangs;
    for (const pixel of this.#distances.newPixels) this.#facets[pixel] = NONE;
    return exposedOverhangs(this.#overhangs, layer, this.#sampleHeightsMm, this.#distances).map((entry) => {
      this.#facets[pixels[entry]] = facets[entry];
      return pixels[entry];
    });
  }

  hasFacet(pixel: number): boolean {
    return this.#facets[pixel] !== NONE;
  }

  /** The facet above the centre of a pixel that has one. */
  facetAt(pixel: number): number {
    return this.#facets[pixel];
  }

  /** The point above the centre of a pixel on its facet. */
  pointAt(pixel: number): SurfacePoint {
    const [x, y] = this.pixelCentre(pixel);
    const facet = this.#facets[pixel];
    const normal = facetNormal(this.#surface, facet);
    const [ax, ay, az] = vertexAt(this.#surface, this.#surface.triangles[3 * facet]);
    const z = az - (normal[0] * (x - ax) + normal[1] * (y - ay)) / normal[2];
    return { position: [x, y, z], normal: unitNormal(normal) };
  }

  /** Scene coordinates, mm. */
  pixelCentre(pixel: number): readonly [x: number, y: number] {
    const { columns, pixelMm, leftMm, backMm } = this.grid;
    const row = Math.floor(pixel / columns);
    return [leftMm + (pixel - row * columns + 0.5) * pixelMm, backMm - (row + 0.5) * pixelMm];
  }

  /**
   * Moves a pixel that has a facet away from edges: to the pixel with a facet nearest to the centroid of the solid pixels within
   * `radiusMm` of it. At a straight edge the centroid is 4/(3π) of the radius inside. Only pixels that `accepts` allows, or the given
   * one, are returned.
   */
  insetFromEdges(pixel: number, radiusMm: number, accepts: (pixel: number) => boolean = () => true): Inset {
    const { columns, rows, pixelMm } = this.grid;
    const row = Math.floor(pixel / columns);
    const column = pixel - row * columns;
    const reach = Math.floor(radiusMm / pixelMm);
    const solid: [number, number][] = [];
    let [sumX, sumY, discSize] = [0, 0, 0];
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) {
        if (x * x + y * y > reach * reach) continue;
        discSize++;
        if (column + x < 0 || column + x >= columns || row + y < 0 || row + y >= rows) continue;
        if (!this.#distances.isSolid(pixel + y * columns + x)) continue;
        sumX += x;
        sumY += y;
        solid.push([x, y]);
      }
    }
    const [centreX, centreY] = [sumX / solid.length, sumY / solid.length];
    let [nearest, leastSquare] = [pixel, centreX * centreX + centreY * centreY];
    for (const [x, y] of solid) {
      const square = (x - centreX) ** 2 + (y - centreY) ** 2;
      const candidate = pixel + y * columns + x;
      if (square >= leastSquare || !this.hasFacet(candidate) || !accepts(candidate)) continue;
      [nearest, leastSquare] = [candidate, square];
    }
    return { pixel: nearest, solidShare: solid.length / discSize };
  }
}

export const DOWN: Vec3 = [0, 0, -1];

/** A normal scaled to length 1; straight down where it is zero. */
export function unitNormal(normal: Vec3): Vec3 {
  const size = Math.sqrt(dot(normal, normal));
  return size > 0 ? times(normal, 1 / size) : DOWN;
}
