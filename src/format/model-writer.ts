import type { ErrorFactory } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import type { Pose } from "../geometry/pose.ts";
import type { Mesh } from "../mesh/mesh.ts";

/** Kind of a body in a scene: a part to print, the supports of a part, or the lattice of a cage. */
export type BodyKind = "part" | "support" | "lattice";

/** A body to write. Copies have the same mesh. */
export interface WrittenBody {
  readonly name: string;
  readonly kind: BodyKind;
  readonly mesh: Mesh;
  readonly pose: Pose;
}

/** Writes the files of one format. */
export interface ModelWriter {
  /**
   * The bytes of a file with these bodies (at least one), at their positions in the scene. A chunk may reuse the memory of the
   * previous one. Throws the error of `refuse`, before the first chunk, if the format cannot hold them.
   */
  chunks(bodies: readonly WrittenBody[], refuse: ErrorFactory, progress: Progress): Iterable<Uint8Array>;
}
