import type { Watch } from "../../core/watch.ts";
import { isSelfIntersecting } from "../../mesh/bvh/crossing-facets.ts";
import { facetTree } from "../../mesh/bvh/facet-tree.ts";
import type { Mesh, Surface } from "../../mesh/mesh.ts";
import { dropInner } from "../../mesh/repair/drop-inner.ts";
import { repair } from "../../mesh/repair/repair.ts";
import { solidOf } from "../../slice/solid.ts";

/** Shares of the progress at which the solid's facets face outward, and it is known whether they cross. */
const ORIENTED = 0.1;
const KNOWN = 0.4;

/** The surface of what a closed mesh takes: outward all over, and without what lies inside of it where bodies overlap. */
export function outerSurface(mesh: Mesh, watch: Watch): Surface {
  const solid = solidOf(mesh, watch.part(0, ORIENTED));
  const searching = watch.part(ORIENTED, KNOWN);
  if (isSelfIntersecting(facetTree(solid, searching.part(0, 0.5)), searching.part(0.5, 1))) {
    const repaired = repair(mesh, watch.part(KNOWN, 1));
    if (repaired.isSound) return repaired.mesh;
  }
  return dropInner(solid, watch.part(KNOWN, 1));
}
