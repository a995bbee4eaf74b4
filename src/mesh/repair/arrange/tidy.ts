import type { Watch } from "../../../core/watch.ts";
import { newDisjointSets } from "../../disjoint-sets.ts";
import { type Surface, vertexCount } from "../../mesh.ts";
import { dropCaps } from "../drop-caps.ts";
import { dropCollapsed } from "../drop-collapsed.ts";
import { dropDuplicates } from "../drop-duplicates.ts";
import { keepFacets } from "../keep-facets.ts";
import { visitNearPairs } from "../near-pairs.ts";

const MOST_PASSES = 4;

/**
 * Takes out of a surface that was cut what is too fine to keep: vertices from number `firstNew` on that lie within
 * `reach` of others or of edges. Closed stays closed; older vertices stay where they are.
 */
export function tidy(surface: Surface, firstNew: number, reach: number, watch: Watch): Surface {
  const isNear = nearNew(surface, firstNew);
  const { triangles } = surface;
  const isAside = (facet: number): boolean =>
    isNear[triangles[3 * facet]] + isNear[triangles[3 * facet + 1]] + isNear[triangles[3 * facet + 2]] === 0;
  const aside = keepFacets(surface, isAside);
  let tidied = keepFacets(surface, (facet) => !isAside(facet));
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    watch.report(pass / MOST_PASSES);
    const welded = weldNew(tidied, firstNew, reach, watch.part(0, 0));
    const isNew = (facet: number): boolean =>
      welded.triangles[3 * facet] >= firstNew ||
      welded.triangles[3 * facet + 1] >= firstNew ||
      welded.triangles[3 * facet + 2] >= firstNew;
    const next = dropDuplicates(dropCollapsed(dropCaps(welded, reach, isNew)), watch.part(0, 0));
    if (next === tidied) break;
    tidied = next;
  }
  const all = new Uint32Array(aside.triangles.length + tidied.triangles.length);
  all.set(aside.triangles);
  all.set(tidied.triangles, aside.triangles.length);
  return { vertices: surface.vertices, triangles: all };
}

/** For each vertex, 1 when a facet has both it and a new one. */
function nearNew({ vertices, triangles }: Surface, firstNew: number): Uint8Array {
  const isNear = new Uint8Array(vertices.length / 3);
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [triangles[at], triangles[at + 1], triangles[at + 2]];
    if (a >= firstNew || b >= firstNew || c >= firstNew) isNear[a] = isNear[b] = isNear[c] = 1;
  }
  return isNear;
}

/** Welds vertices that lie within `reach`, of which one at least is new. */
function weldNew(surface: Surface, firstNew: number, reach: number, watch: Watch): Surface {
  const { vertices, triangles } = surface;
  const isNear = nearNew(surface, firstNew);
  const near = Uint32Array.from(isNear.keys().filter((v) => isNear[v] === 1));
  const sets = newDisjointSets(vertexCount(surface));
  visitNearPairs(surface, near, reach, watch, (a, b) => {
    if (Math.max(a, b) >= firstNew) sets.join(a, b);
  });
  const welded = triangles.map((v) => sets.find(v));
  return welded.every((v, at) => v === triangles[at]) ? surface : { vertices, triangles: welded };
}
