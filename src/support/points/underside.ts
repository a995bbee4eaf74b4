import type { Surface } from "../../mesh/mesh.ts";
import type { SpanGrid } from "../../slice/span-layers.ts";
import type { Anchorage } from "../anchorage/anchorage.ts";
import { exposedOverhangs } from "../anchorage/exposed-overhangs.ts";
import type { Overhangs } from "../anchorage/overhangs.ts";
import { pointOn, type SurfacePoint } from "./surface-point.ts";

const NONE = -1;

/** The faces that overhang, as far as layers have risen: over each solid pixel the one that its solid begins with, if any. */
export class Underside {
  readonly grid: SpanGrid;
  readonly #surface: Surface;
  readonly #overhangs: Overhangs;
  readonly #faces: Int32Array;
  /** How often each pixel became solid; 2 stands for more. */
  readonly #begun: Uint8Array;

  constructor(surface: Surface, grid: SpanGrid, overhangs: Overhangs) {
    this.grid = grid;
    this.#surface = surface;
    this.#overhangs = overhangs;
    this.#faces = new Int32Array(grid.columns * grid.rows).fill(NONE);
    this.#begun = new Uint8Array(grid.columns * grid.rows);
  }

  /** Follows `anchorage` to its present layer; gives the pixels at whose middles an overhanging face begins there. */
  rise(layer: number, middlesMm: Float64Array, anchorage: Anchorage): number[] {
    const { pixels, facets } = this.#overhangs;
    for (const pixel of anchorage.exposed) {
      this.#faces[pixel] = NONE;
      if (this.#begun[pixel] < 2) this.#begun[pixel]++;
    }
    return exposedOverhangs(this.#overhangs, layer, middlesMm, anchorage).map((entry) => {
      this.#faces[pixels[entry]] = facets[entry];
      return pixels[entry];
    });
  }

  hasFace(pixel: number): boolean {
    return this.#faces[pixel] !== NONE;
  }

  /** Whether nothing of the model lies below the face over a pixel. */
  isOpenBelow(pixel: number): boolean {
    return this.#begun[pixel] === 1;
  }

  /** The facet over the middle of a pixel that has a face. */
  facetOver(pixel: number): number {
    return this.#faces[pixel];
  }

  /** Where the face over a pixel has its middle. */
  pointOver(pixel: number): SurfacePoint {
    const [x, y] = this.middleOf(pixel);
    return pointOn(this.#surface, this.#faces[pixel], x, y);
  }

  /** Scene coordinates. */
  middleOf(pixel: number): readonly [x: number, y: number] {
    const { columns, pixelMm, leftMm, backMm } = this.grid;
    const row = Math.floor(pixel / columns);
    return [leftMm + (pixel - row * columns + 0.5) * pixelMm, backMm - (row + 0.5) * pixelMm];
  }
}
