import type { ErrorFactory } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import type { Pose } from "../geometry/pose.ts";
import type { Mesh } from "../mesh/mesh.ts";

/** What a body of a scene is: a part to print, what supports one, or the lattice of a cage. */
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
   * The bytes of a file of these bodies, which are at least one, where they stand in the scene. The memory of a chunk may be that of the
   * next. Throws what `refuse` makes, before the first chunk, where the format cannot hold them.
   */
  chunks(bodies: readonly WrittenBody[], refuse: ErrorFactory, progress: Progress): Iterable<Uint8Array>;
}
