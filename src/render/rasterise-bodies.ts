import type { Watch } from "../core/watch.ts";
import { facetCount, type OnScreen, type Placed } from "./place-on-screen.ts";
import { rasterise } from "./rasterise.ts";
import type { Samples } from "./samples.ts";

/** Draws bodies into samples; those that lie beside the samples cost nothing. */
export function rasteriseBodies(bodies: readonly OnScreen<Placed>[], samples: Samples, watch: Watch): void {
  const count = facetCount(bodies);
  for (const body of bodies) {
    const end = body.firstFacet + body.triangles.length / 3;
    if (meets(body, samples)) rasterise(body, samples, watch.part(body.firstFacet / count, end / count));
  }
}

/** Whether the screen rectangle around a body's box meets the samples. */
function meets(
  { mesh: { box }, toScreen: { linear, offset } }: OnScreen<Placed>,
  { width, top, rows }: Samples,
): boolean {
  const reaches = (row: 0 | 1, from: number, to: number): boolean => {
    let [least, most] = [offset[row], offset[row]];
    for (let axis = 0; axis < 3; axis++) {
      const [p, q] = [linear[3 * row + axis] * box.min[axis], linear[3 * row + axis] * box.max[axis]];
      least += Math.min(p, q);
      most += Math.max(p, q);
    }
    // A pixel to spare for the rounding of points to single precision.
    return most >= from - 1 && least <= to + 1;
  };
  return reaches(0, 0, width) && reaches(1, top, top + rows);
}
