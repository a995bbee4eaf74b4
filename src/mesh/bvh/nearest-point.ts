import type { Vec3 } from "../../core/geometry.ts";
import { type FacetTree, MAX_DEPTH } from "./facet-tree.ts";
import { pointToFacet } from "./point-to-facet.ts";

/** The place of a surface nearest to a point. */
export interface NearestPoint {
  readonly point: Vec3;
  /** The surface's number of the facet that it lies on. */
  readonly facet: number;
  readonly distanceMm: number;
}

const stack = new Uint32Array(MAX_DEPTH);
const distances = new Float64Array(MAX_DEPTH);
const onFacet = { v: 0, w: 0 };
/** Of the last search: the place among the tree's facets, and where on that facet. */
const best = { place: -1, v: 0, w: 0 };

/** The nearest point of the surface that is nearer than `limitMm`, if there is one. */
export function nearestPoint(tree: FacetTree, point: Vec3, limitMm: number): NearestPoint | undefined {
  const distanceMm = distanceTo(tree, point, limitMm);
  if (best.place < 0) return undefined;
  const { corners } = tree;
  const at = 9 * best.place;
  const along = (axis: number): number => {
    const a = corners[at + axis];
    return a + best.v * (corners[at + 3 + axis] - a) + best.w * (corners[at + 6 + axis] - a);
  };
  return { point: [along(0), along(1), along(2)], facet: tree.facets[best.place], distanceMm };
}

/** Distance from a point to the surface, mm, or `limitMm` where it is no nearer. Allocates nothing. */
export function distanceTo({ boxes, links, corners }: FacetTree, [x, y, z]: Vec3, limitMm: number): number {
  let least = limitMm * limitMm;
  best.place = -1;
  let height = 1;
  stack[0] = 0;
  distances[0] = 0;
  while (height > 0) {
    height--;
    if (distances[height] >= least) continue;
    let node = stack[height];
    while (links[2 * node + 1] === 0) {
      let near = node + 1;
      let far = links[2 * node];
      let toNear = boxDistance(boxes, 6 * near, x, y, z);
      let toFar = boxDistance(boxes, 6 * far, x, y, z);
      if (toFar < toNear) {
        [near, far] = [far, near];
        [toNear, toFar] = [toFar, toNear];
      }
      if (toFar < least) {
        stack[height] = far;
        distances[height++] = toFar;
      }
      node = toNear < least ? near : -1;
      if (node < 0) break;
    }
    if (node < 0) continue;
    const first = links[2 * node];
    for (let place = first; place < first + links[2 * node + 1]; place++) {
      const squared = pointToFacet(corners, 9 * place, x, y, z, onFacet);
      if (squared < least) {
        least = squared;
        best.place = place;
        best.v = onFacet.v;
        best.w = onFacet.w;
      }
    }
  }
  return best.place < 0 ? limitMm : Math.sqrt(least);
}

/** Squared distance from a point to the box that starts at `at`. */
export function boxDistance(boxes: Float32Array, at: number, x: number, y: number, z: number): number {
  const dx = x < boxes[at] ? boxes[at] - x : x > boxes[at + 3] ? x - boxes[at + 3] : 0;
  const dy = y < boxes[at + 1] ? boxes[at + 1] - y : y > boxes[at + 4] ? y - boxes[at + 4] : 0;
  const dz = z < boxes[at + 2] ? boxes[at + 2] - z : z > boxes[at + 5] ? z - boxes[at + 5] : 0;
  return dx * dx + dy * dy + dz * dz;
}
