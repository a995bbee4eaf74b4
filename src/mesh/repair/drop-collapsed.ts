import { hasRepeatedCorner } from "../edges.ts";
import type { Surface } from "../mesh.ts";
import { keepFacets } from "./keep-facets.ts";

/** Drops facets with a repeated corner. */
export const dropCollapsed = (surface: Surface): Surface =>
  keepFacets(surface, (facet) => !hasRepeatedCorner(surface.triangles, facet));
