import type { Watch } from "../core/watch.ts";
import { canonicalMesh } from "./canonical.ts";
import type { Mesh } from "./mesh.ts";

/** The mesh grown by `factor` (> 0) about its coordinate origin, as when its file is read in another unit. */
export const rescale = (mesh: Mesh, factor: number, watch: Watch): Mesh =>
  factor === 1 ? mesh : canonicalMesh(mesh, factor, watch);
