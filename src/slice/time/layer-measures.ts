/** What the time of a stack of layers depends on. Layer k lies between boundary k and the next. */
export interface LayerMeasures {
  /** From the platform upward, mm; one more than there are layers. */
  readonly boundariesMm: Float64Array;
  readonly areasMm2: Float64Array;
  /** Length of all outlines, those of holes included. */
  readonly perimetersMm: Float64Array;
}

/** The same of one layer. */
export interface LayerMeasure {
  readonly thicknessMm: number;
  readonly areaMm2: number;
  readonly perimeterMm: number;
}

export const layerCountOf = ({ areasMm2 }: LayerMeasures): number => areasMm2.length;

export const measureOfLayer = ({ boundariesMm, areasMm2, perimetersMm }: LayerMeasures, k: number): LayerMeasure => ({
  thicknessMm: boundariesMm[k + 1] - boundariesMm[k],
  areaMm2: areasMm2[k],
  perimeterMm: perimetersMm[k],
});
