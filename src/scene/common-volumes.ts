/** Volume that several bodies of a scene take, counted once less than they take it, mm³. */
export interface CommonVolumes {
  /** Of the models alone. */
  readonly modelsMm3: number;
  /** Of models and supports. */
  readonly allMm3: number;
  /** Where models and supports have it, but for copies in one place. */
  readonly slabs: readonly CommonSlabs[];
}

/** What a group of bodies has in common, by slabs of equal height. */
export interface CommonSlabs {
  /** Heights in the scene. */
  readonly bottomMm: number;
  readonly topMm: number;
  /** From the lowest slab up. */
  readonly volumesMm3: Float32Array;
}

/** Of bodies that do not overlap. */
export const NO_COMMON_VOLUMES: CommonVolumes = { modelsMm3: 0, allMm3: 0, slabs: [] };
