import type { Watch } from "../../core/watch.ts";
import { facetDistance } from "../../mesh/bvh/facet-distance.ts";
import { facetsCross } from "../../mesh/bvh/facets-cross.ts";
import { visitNearFacets } from "../../mesh/bvh/near-facets.ts";
import { pierceDepth } from "./pierce-depth.ts";
import { reachesInto, SKIN_MM, type Solid } from "./solid.ts";

/**
 * Whether two solids are nearer to each other than `offsetMm`, or overlap, one inside the other included: by more than
 * {@link SKIN_MM}, so that what touches, or stands exactly so far apart, does not count. Surfaces with gaps have no inside
 * that could be told for certain; their facets count all the same.
 */
export function interfere(a: Solid, b: Solid, offsetMm: number, watch: Watch): boolean {
  if (reachesSomewhere(a, b) || reachesSomewhere(b, a)) return true;
  const limitMm = offsetMm - SKIN_MM;
  return limitMm > 0 ? areNearer(a, b, limitMm, watch) : overlapBySkin(a, b, watch);
}

/** Facets all over a solid that are asked first: most of those that overlap another tell so at once. */
const SAMPLES = 32;

/** Whether a solid is inside the other below a facet of any of its parts, or of some all over it. */
function reachesSomewhere(solid: Solid, other: Solid): boolean {
  const { length } = solid.tree.facets;
  for (let sample = 0; sample < SAMPLES; sample++) {
    if (reachesInto(solid, Math.floor((length * sample) / SAMPLES), other)) return true;
  }
  return solid.partFacets.some((facet) => reachesInto(solid, facet, other));
}

function areNearer(a: Solid, b: Solid, limitMm: number, watch: Watch): boolean {
  const limit = limitMm * limitMm;
  let isFound = false;
  visitNearFacets(a, b, limitMm, watch, (_placeA, _placeB, p, i, q, j) => {
    isFound = facetDistance(p, i, q, j, limit) < limit;
    return !isFound;
  });
  return isFound;
}

/**
 * Whether facets pass through each other deeper than the skin, or a place below the skin of one that touches the other solid
 * lies inside of that: so it is where surfaces coincide and face the same way, and where they cross along edges alone. Facets
 * that touch nothing are on the side of those that they hang together with.
 */
function overlapBySkin(a: Solid, b: Solid, watch: Watch): boolean {
  const limit = SKIN_MM * SKIN_MM;
  const seenA = new Set<number>();
  const seenB = new Set<number>();
  let isFound = false;
  visitNearFacets(a, b, SKIN_MM, watch, (placeA, placeB, p, i, q, j) => {
    if (pierceDepth(p, i, q, j) > SKIN_MM && facetsCross(p, i, q, j)) isFound = true;
    else if ((!seenA.has(placeA) || !seenB.has(placeB)) && facetDistance(p, i, q, j, limit) < limit) {
      isFound = reachesAnew(a, placeA, seenA, b) || reachesAnew(b, placeB, seenB, a);
    }
    return !isFound;
  });
  return isFound;
}

/** Each facet is asked once. */
function reachesAnew(solid: Solid, facet: number, seen: Set<number>, other: Solid): boolean {
  if (seen.has(facet)) return false;
  seen.add(facet);
  return reachesInto(solid, facet, other);
}
