import type { Watch } from "../../core/watch.ts";
import { canonicalMesh } from "../../mesh/canonical.ts";
import type { Mesh, Surface } from "../../mesh/mesh.ts";
import { dropCollapsed } from "../../mesh/repair/drop-collapsed.ts";
import { mend } from "../../mesh/repair/mend.ts";

/**
 * The mesh of what a boolean has cut. Edges shorter than singles can tell fall into a point, and facets beside them into a
 * line, which are dropped; walls that overlapping bodies have in common lie on each other, which is mended.
 */
export function cutMesh(surface: Surface, watch: Watch): Mesh {
  const mesh = canonicalMesh(surface, 1, watch.part(0, 0.4));
  const kept = dropCollapsed(mesh);
  return mend(kept === mesh ? mesh : canonicalMesh(kept, 1, watch.part(0.4, 0.7)), watch.part(0.7, 1));
}
