import type { Mesh } from "../mesh/mesh.ts";
import type { Hole } from "./drill/hole.ts";

/** What a hollowed model was before, so that it can be hollowed anew. */
export interface Hollowed {
  /** The raw mesh without its hollow and without the holes drilled since. */
  readonly solid: Mesh;
  /** Drilled since, in the order in which they were. */
  readonly holes: readonly Hole[];
}
