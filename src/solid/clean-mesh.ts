import type { Watch } from "../core/watch.ts";
import { canonicalMesh } from "../mesh/canonical.ts";
import type { Mesh, Surface } from "../mesh/mesh.ts";
import { dropCollapsed } from "../mesh/repair/drop-collapsed.ts";

/** The mesh of a surface that was made, without the facets whose corners rounding to singles puts into one place. */
export function cleanMesh(surface: Surface, watch: Watch): Mesh {
  const mesh = canonicalMesh(surface, 1, watch.part(0, 0.6));
  const kept = dropCollapsed(mesh);
  return kept === mesh ? mesh : canonicalMesh(kept, 1, watch.part(0.6, 1));
}
