/** Areas of the layers of a part, gathered facet by facet: by how much the cross-section grows where. */
export interface LayerSums {
  /** What the mean cross-section of each slab gains from facets within it, mm². */
  readonly within: Float64Array;
  /** What the cross-section of each slab and all above it gains, mm². */
  readonly onward: Float64Array;
}

/** Slabs of a way to stand: thinner than any that shows in a peak, few enough that a tall facet is in few. */
export const SLABS = 64;

export const newLayerSums = (): LayerSums => ({
  within: new Float64Array(SLABS),
  onward: new Float64Array(SLABS + 1),
});

/** The largest layer, and that of a random point of the solid. Where a mesh is open, areas below nothing are nothing. */
export function layersOf({ within, onward }: LayerSums): { peakMm2: number; meanLayerMm2: number } {
  let area = 0;
  let peak = 0;
  let sum = 0;
  let squares = 0;
  for (let slab = 0; slab < within.length; slab++) {
    area += onward[slab];
    const layer = Math.max(0, area + within[slab]);
    if (layer > peak) peak = layer;
    sum += layer;
    squares += layer * layer;
  }
  return { peakMm2: peak, meanLayerMm2: sum > 0 ? squares / sum : 0 };
}
