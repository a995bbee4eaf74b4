import type { Watch } from "../core/watch.ts";
import { canonicalMesh } from "./canonical.ts";
import type { Mesh } from "./mesh.ts";

/** The mesh grown by `factor` (> 0) about its coordinate origin, as when its file is read in another unit. */
export function rescale(mesh: Mesh, factor: number, watch: Watch): Mesh {
  if (factor === 1) return mesh;
  const grown = canonicalMesh(mesh, factor, watch);
  const { solidVolumeMm3 } = mesh;
  return solidVolumeMm3 === undefined ? grown : { ...grown, solidVolumeMm3: solidVolumeMm3 * factor ** 3 };
}
