import { upperBound } from "../../geometry/binary-search.ts";
import type { SpanGrid } from "../../geometry/spans.ts";
import type { Vec3 } from "../../geometry/vector.ts";

/** A point that is there before others are chosen, waiting for the layer whose material it holds. */
interface WaitingPoint {
  readonly index: number;
  readonly pixel: number;
  readonly layer: number;
}

/** Layers above a point in which its pixel may become solid: the middle of a pixel on a slope is higher or lower than the point. */
const WAITED_LAYERS = 5;

/** The points that stay while the others are chosen, at the layers of a part from the lowest up. */
export class KeptTouchpoints {
  readonly #columns: number;
  readonly #byLayer: ReadonlyMap<number, readonly WaitingPoint[]>;
  #waiting: readonly WaitingPoint[] = [];

  /** `positions`: of the points, at the centre of the platform. */
  constructor(positions: readonly Vec3[], sampleHeightsMm: Float64Array, grid: SpanGrid) {
    this.#columns = grid.columns;
    const points = positions.map(([x, y, z], index): WaitingPoint => {
      const column = Math.floor((x - grid.leftMm) / grid.pixelMm);
      const row = Math.floor((grid.backMm - y) / grid.pixelMm);
      return { index, pixel: row * grid.columns + column, layer: upperBound(sampleHeightsMm, z) };
    });
    this.#byLayer = Map.groupBy(points, ({ layer }) => layer);
  }

  /** The points that hold the last layer; `isSolid` tells whether it has a pixel. */
  heldIn(layer: number, isSolid: (pixel: number) => boolean): readonly WaitingPoint[] {
    const waiting = [...this.#waiting, ...(this.#byLayer.get(layer) ?? [])];
    const held = waiting.filter(({ pixel }) => this.#around(pixel).some(isSolid));
    this.#waiting = waiting.filter((point) => !held.includes(point) && layer < point.layer + WAITED_LAYERS);
    return held;
  }

  /** The pixels of an island that a point holds: its own, or those beside it. */
  pixelsOf({ pixel }: WaitingPoint, island: ReadonlySet<number>): number[] {
    return this.#around(pixel).filter((near) => island.has(near));
  }

  /** A pixel and those around it. */
  #around(pixel: number): number[] {
    const rows = [pixel, pixel - this.#columns, pixel + this.#columns];
    return rows.flatMap((middle) => [middle, middle - 1, middle + 1]);
  }
}
