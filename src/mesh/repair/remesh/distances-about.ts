import type { Vec3 } from "../../../core/geometry.ts";
import type { FacetTree } from "../../bvh/facet-tree.ts";
import { boxDistance, distanceTo } from "../../bvh/nearest-point.ts";
import { type Barycentric, pointToFacet } from "../../bvh/point-to-facet.ts";

/** Where more facets are near, the tree finds the nearest sooner than a look at all of them. */
const MOST_FACETS = 24;

const onFacet: Barycentric = { v: 0, w: 0 };

/**
 * What {@link distanceTo} tells of points, for many that lie near each other: whatever is nearer to one of them than the
 * limit lies within `reachMm` of the middle.
 */
export function distancesAbout(
  tree: FacetTree,
  middle: Vec3,
  reachMm: number,
): (point: Vec3, limitMm: number) => number {
  const places = placesAbout(tree, middle, reachMm);
  if (places.length > MOST_FACETS) return (point, limitMm) => distanceTo(tree, point, limitMm);
  return ([x, y, z], limitMm) => {
    let least = limitMm * limitMm;
    for (const place of places) least = Math.min(least, pointToFacet(tree.corners, 9 * place, x, y, z, onFacet));
    return least < limitMm * limitMm ? Math.sqrt(least) : limitMm;
  };
}

/** The places among a tree's facets of those within reach of a point; not all where they are more than a few. */
function placesAbout({ boxes, links, corners }: FacetTree, [x, y, z]: Vec3, reachMm: number): number[] {
  const squaredReach = reachMm * reachMm;
  const found: number[] = [];
  const waiting = [0];
  for (let node = waiting.pop(); node !== undefined && found.length <= MOST_FACETS; node = waiting.pop()) {
    if (boxDistance(boxes, 6 * node, x, y, z) > squaredReach) continue;
    const [link, count] = [links[2 * node], links[2 * node + 1]];
    if (count === 0) waiting.push(link, node + 1);
    for (let place = link; place < link + count; place++) {
      if (pointToFacet(corners, 9 * place, x, y, z, onFacet) <= squaredReach) found.push(place);
    }
  }
  return found;
}
