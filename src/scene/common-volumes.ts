import type { VolumeSlabs } from "../slice/print-time.ts";

/** Volume that several bodies of a scene take, counted once less than they take it, mm³. */
export interface CommonVolumes {
  /** Common volume of the models, without supports. */
  readonly modelsMm3: number;
  /** Common volume of models and supports. */
  readonly allMm3: number;
  /** Where models and supports have it, by height in the scene; without that of copies in one place. */
  readonly slabs: readonly VolumeSlabs[];
}

/** The result for bodies that do not overlap. */
export const NO_COMMON_VOLUMES: CommonVolumes = { modelsMm3: 0, allMm3: 0, slabs: [] };
