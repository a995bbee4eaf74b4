import type { Vec3 } from "../../core/geometry.ts";
import { type FacetTree, MAX_DEPTH } from "./facet-tree.ts";
import { segmentToFacet } from "./segment-to-facet.ts";

const stack = new Uint32Array(MAX_DEPTH);

/**
 * Least distance between a segment and the surface, mm, or `limitMm` where it is no nearer. As soon as one is found
 * that is less than `enoughMm` the search ends with it. Allocates nothing.
 */
export function segmentDistance(
  { boxes, links, corners }: FacetTree,
  [px, py, pz]: Vec3,
  [qx, qy, qz]: Vec3,
  limitMm: number,
  enoughMm = 0,
): number {
  const enough = enoughMm * enoughMm;
  let least = limitMm * limitMm;
  let reach = limitMm;
  let height = 1;
  stack[0] = 0;
  while (height > 0) {
    const node = stack[--height];
    if (misses(boxes, 6 * node, reach, px, py, pz, qx - px, qy - py, qz - pz)) continue;
    const count = links[2 * node + 1];
    if (count === 0) {
      stack[height++] = links[2 * node];
      stack[height++] = node + 1;
      continue;
    }
    const first = 9 * links[2 * node];
    for (let at = first; at < first + 9 * count; at += 9) {
      const squared = segmentToFacet(corners, at, px, py, pz, qx, qy, qz, least);
      if (squared >= least) continue;
      least = squared;
      if (least < enough) return Math.sqrt(least);
      reach = Math.sqrt(least);
    }
  }
  return reach;
}

/**
 * Whether the segment from p by d misses a box grown by `reach` on all sides, which holds all that is so near to the
 * box.
 */
function misses(
  boxes: Float32Array,
  at: number,
  reach: number,
  px: number,
  py: number,
  pz: number,
  dx: number,
  dy: number,
  dz: number,
): boolean {
  // The axes that part a segment from a box: those of the box, and their products with the segment's direction. Source:
  // Ericson, section 5.3.3. Everything is twice as long as it is there.
  const ex = boxes[at + 3] - boxes[at] + 2 * reach;
  const ey = boxes[at + 4] - boxes[at + 1] + 2 * reach;
  const ez = boxes[at + 5] - boxes[at + 2] + 2 * reach;
  const mx = 2 * px + dx - boxes[at] - boxes[at + 3];
  const my = 2 * py + dy - boxes[at + 1] - boxes[at + 4];
  const mz = 2 * pz + dz - boxes[at + 2] - boxes[at + 5];
  const ax = Math.abs(dx);
  const ay = Math.abs(dy);
  const az = Math.abs(dz);
  if (Math.abs(mx) > ex + ax || Math.abs(my) > ey + ay || Math.abs(mz) > ez + az) return true;
  return (
    Math.abs(my * dz - mz * dy) > ey * az + ez * ay ||
    Math.abs(mz * dx - mx * dz) > ex * az + ez * ax ||
    Math.abs(mx * dy - my * dx) > ex * ay + ey * ax
  );
}
