import type { SlabbedBody } from "../../mesh/slabs.ts";
import type { LayerMeasures } from "./layer-measures.ts";

/**
 * The measures of layers without slicing: each slab's volume and walls are spread evenly over the layers that it crosses.
 * Exact in their sums; bodies that overlap count twice. No layer is larger than `mostMm2`, the machine's platform.
 */
export function estimateMeasures(
  boundariesMm: Float64Array,
  bodies: readonly SlabbedBody[],
  mostMm2: number,
): LayerMeasures {
  const volumesMm3 = new Float64Array(boundariesMm.length - 1);
  const wallsMm2 = new Float64Array(boundariesMm.length - 1);
  for (const { slabs, bottomMm, topMm, scale, count } of bodies) {
    spread(boundariesMm, slabs.volumesMm3, bottomMm, topMm, count * scale ** 3, volumesMm3);
    spread(boundariesMm, slabs.wallAreasMm2, bottomMm, topMm, count * scale ** 2, wallsMm2);
  }
  const thicknessMm = (k: number): number => boundariesMm[k + 1] - boundariesMm[k];
  return {
    boundariesMm,
    areasMm2: volumesMm3.map((volume, k) => Math.min(mostMm2, Math.max(0, volume / thicknessMm(k)))),
    perimetersMm: wallsMm2.map((wall, k) => wall / thicknessMm(k)),
  };
}

/** Adds `factor` times amounts given by equal steps between two heights to the layers that those steps cross. */
function spread(
  boundariesMm: Float64Array,
  amounts: Float32Array,
  bottomMm: number,
  topMm: number,
  factor: number,
  layers: Float64Array,
): void {
  const stepMm = (topMm - bottomMm) / amounts.length;
  let layer = 0;
  for (let step = 0; step < amounts.length; step++) {
    const from = bottomMm + step * stepMm;
    const to = from + stepMm;
    while (layer < layers.length && boundariesMm[layer + 1] <= from) layer++;
    for (let k = layer; k < layers.length && boundariesMm[k] < to; k++) {
      const shared = Math.min(to, boundariesMm[k + 1]) - Math.max(from, boundariesMm[k]);
      if (shared > 0) layers[k] += (factor * amounts[step] * shared) / stepMm;
    }
  }
}
