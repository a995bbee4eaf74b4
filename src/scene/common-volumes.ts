import type { VolumeSlabs } from "../slice/print-time.ts";

/** Volume that several bodies of a scene take, counted once less than they take it, mm³. */
export interface CommonVolumes {
  /** Of the models alone. */
  readonly modelsMm3: number;
  /** Of models and supports. */
  readonly allMm3: number;
  /** Where models and supports have it, by height in the scene; without that of copies in one place. */
  readonly slabs: readonly VolumeSlabs[];
}

/** Of bodies that do not overlap. */
export const NO_COMMON_VOLUMES: CommonVolumes = { modelsMm3: 0, allMm3: 0, slabs: [] };
