import type { Watch } from "../../../core/watch.ts";
import { newDisjointSets } from "../../disjoint-sets.ts";
import { type Surface, vertexCount } from "../../mesh.ts";
import { dropCaps } from "../drop-caps.ts";
import { dropCollapsed } from "../drop-collapsed.ts";
import { dropDuplicates } from "../drop-duplicates.ts";
import { visitNearPairs } from "../near-pairs.ts";

const MOST_PASSES = 4;

/**
 * Takes out of a surface that was cut what is too fine to keep: vertices from number `firstNew` on that lie within
 * `reach` of others or of edges. Closed stays closed; older vertices stay where they are.
 */
export function tidy(surface: Surface, firstNew: number, reach: number, watch: Watch): Surface {
  let tidied = surface;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const welded = weldNew(tidied, firstNew, reach, watch);
    const { triangles } = welded;
    const isNew = (facet: number): boolean =>
      triangles[3 * facet] >= firstNew || triangles[3 * facet + 1] >= firstNew || triangles[3 * facet + 2] >= firstNew;
    const next = dropDuplicates(dropCollapsed(dropCaps(welded, reach, isNew)), watch);
    if (next === tidied) break;
    tidied = next;
  }
  return tidied;
}

/** Welds vertices that lie within `reach`, of which one at least is new. */
function weldNew(surface: Surface, firstNew: number, reach: number, watch: Watch): Surface {
  const { vertices, triangles } = surface;
  const isNear = new Uint8Array(vertexCount(surface));
  for (let at = 0; at < triangles.length; at += 3) {
    const facet = triangles.subarray(at, at + 3);
    if (facet.some((v) => v >= firstNew)) for (const v of facet) isNear[v] = 1;
  }
  const near = Uint32Array.from(isNear.keys().filter((v) => isNear[v] === 1));
  const sets = newDisjointSets(vertexCount(surface));
  visitNearPairs(surface, near, reach, watch, (a, b) => {
    if (Math.max(a, b) >= firstNew) sets.join(a, b);
  });
  const welded = triangles.map((v) => sets.find(v));
  return welded.every((v, at) => v === triangles[at]) ? surface : { vertices, triangles: welded };
}
