import type { VolumeSlabs } from "../slice/print-time.ts";

/** Overlap of bodies of a scene, mm³: the sum of their volumes less the volume of their union. */
export interface CommonVolumes {
  /** Common volume of the models, without supports. */
  readonly modelsMm3: number;
  /** Common volume of models and supports. */
  readonly allMm3: number;
  /** Overlap of models and supports, by height in the scene, without the overlap of copies in the same place. */
  readonly slabs: readonly VolumeSlabs[];
}

/** The result for bodies that do not overlap. */
export const NO_COMMON_VOLUMES: CommonVolumes = { modelsMm3: 0, allMm3: 0, slabs: [] };
