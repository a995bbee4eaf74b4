import type { Surface } from "../mesh.ts";

/** A surface that was cut where it crossed itself. */
export interface Resolved {
  readonly surface: Surface;
  /** Whether it is known to cross itself nowhere, once it is rounded to single precision. */
  readonly isUncrossed: boolean;
}
