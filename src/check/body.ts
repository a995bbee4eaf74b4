import type { Box, BuildVolume } from "../core/geometry.ts";
import type { Placed } from "../slice/placed.ts";

/** A model of a scene, or the supports of one. */
export interface Body {
  readonly placed: Placed;
  /** Around the body where it stands. */
  readonly box: Box;
  /** Number of the model that it is, or that it supports. */
  readonly model: number;
  readonly isSupport: boolean;
}

/** What the checks look at: all that stands in a scene, and the layers that it is printed in. */
export interface CheckRequest {
  readonly bodies: readonly Body[];
  readonly modelCount: number;
  /** Layer k reaches from entry k to entry k + 1; ascending, from 0. */
  readonly boundariesMm: Float64Array;
  /** What stands outside is not printed, and not looked at. */
  readonly volume: BuildVolume;
}
