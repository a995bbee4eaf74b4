import { hasRepeatedCorner } from "./edges.ts";
import type { Surface } from "./mesh.ts";
import { triangleCount } from "./mesh.ts";

/** Whether the facet's corners lie on one line: exact but for differences that single precision lets double round. */
export function isFlat({ vertices, triangles }: Surface, facet: number): boolean {
  const a = 3 * triangles[3 * facet];
  const b = 3 * triangles[3 * facet + 1];
  const c = 3 * triangles[3 * facet + 2];
  const ux = vertices[b] - vertices[a];
  const uy = vertices[b + 1] - vertices[a + 1];
  const uz = vertices[b + 2] - vertices[a + 2];
  const vx = vertices[c] - vertices[a];
  const vy = vertices[c + 1] - vertices[a + 1];
  const vz = vertices[c + 2] - vertices[a + 2];
  return uy * vz === uz * vy && uz * vx === ux * vz && ux * vy === uy * vx;
}

export interface DegenerateCounts {
  /** Facets without area, those with a repeated corner included. */
  readonly degenerateFacets: number;
  readonly collapsedFacets: number;
}

export function countDegenerate(surface: Surface): DegenerateCounts {
  let degenerateFacets = 0;
  let collapsedFacets = 0;
  for (let facet = 0; facet < triangleCount(surface); facet++) {
    if (!isFlat(surface, facet)) continue;
    degenerateFacets++;
    if (hasRepeatedCorner(surface.triangles, facet)) collapsedFacets++;
  }
  return { degenerateFacets, collapsedFacets };
}
