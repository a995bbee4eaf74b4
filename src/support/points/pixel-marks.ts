import type { SpanGrid } from "../../geometry/spans.ts";
import type { MarkedSurface } from "../plan/marked-surface.ts";
import type { Underside } from "./underside.ts";

/** The areas of the underside of a part, by the pixels of the last layer that have a facet. */
export class PixelMarks {
  readonly #marks: MarkedSurface | undefined;
  readonly #underside: Underside;
  readonly #barred = new Map<number, boolean>();
  readonly #dense = new Map<number, boolean>();

  constructor(marks: MarkedSurface | undefined, underside: Underside) {
    this.#marks = marks;
    this.#underside = underside;
  }

  /** Called for each new layer, in which other facets may be above the pixels. */
  nextLayer(): void {
    this.#barred.clear();
    this.#dense.clear();
  }

  /** Whether no touchpoint may be at a pixel that has a facet. */
  isBarred(pixel: number): boolean {
    return this.#test(pixel, this.#barred, this.#marks?.isBarred);
  }

  /** Whether touchpoints are half as far apart at a pixel that has a facet. */
  isDense(pixel: number): boolean {
    return this.#test(pixel, this.#dense, this.#marks?.isDense);
  }

  #test(pixel: number, known: Map<number, boolean>, test: MarkedSurface["isBarred"] | undefined): boolean {
    if (!test) return false;
    const before = known.get(pixel);
    if (before !== undefined) return before;
    const isMarked = test(this.#underside.pointAt(pixel));
    known.set(pixel, isMarked);
    return isMarked;
  }
}

/**
 * The pixel outside of a barred region that is nearest to each of its pixels, by steps through the region: the rim of the same overhang. Pixels from
 * which no step leads out are absent.
 */
export function rimPixels(
  barred: readonly number[],
  isOpen: (pixel: number) => boolean,
  { columns }: SpanGrid,
): ReadonlyMap<number, number> {
  const inside = new Set(barred);
  const steps = [-columns, -1, 1, columns, -columns - 1, 1 - columns, columns - 1, columns + 1];
  const rims = new Map<number, number>();
  for (const pixel of barred) {
    const open = steps.map((step) => pixel + step).find(isOpen);
    if (open !== undefined) rims.set(pixel, open);
  }
  // The map grows while it is walked through, so it is a breadth-first search.
  for (const [pixel, rim] of rims) {
    for (const step of steps) {
      const next = pixel + step;
      if (inside.has(next) && !rims.has(next)) rims.set(next, rim);
    }
  }
  return rims;
}
