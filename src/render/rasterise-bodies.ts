import type { Watch } from "../core/watch.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { type Affine, after, mapPoints } from "./affine.ts";
import { rasterise } from "./rasterise.ts";
import { type Samples, toSamples } from "./samples.ts";

export interface OnScreen {
  readonly mesh: Mesh;
  readonly toScreen: Affine;
  readonly firstFacet: number;
}

/** Draws bodies into samples; those that lie beside the samples cost nothing. */
export function rasteriseBodies(bodies: readonly OnScreen[], samples: Samples, watch: Watch): void {
  const largest = bodies.reduce((most, { mesh }) => Math.max(most, mesh.vertices.length), 0);
  const inSamples = toSamples(samples);
  const points = new Float32Array(largest);
  bodies.forEach((body, i) => {
    const part = watch.part(i / bodies.length, (i + 1) / bodies.length);
    part.report(0);
    if (!meets(body, samples)) return;
    mapPoints(body.mesh.vertices, after(body.toScreen, inSamples), points);
    rasterise(points, body.mesh.triangles, body.firstFacet, samples, part);
  });
}

/** Whether the screen rectangle around a body's box meets the samples. */
function meets({ mesh: { box }, toScreen: { linear, offset } }: OnScreen, { width, top, rows }: Samples): boolean {
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
