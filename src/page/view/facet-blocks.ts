import { memoize } from "../../core/memoize.ts";
import { type Box, boxOf } from "../../geometry/box.ts";

/** Number of consecutive facets that share a bounding box. Neighbours in a file are mostly neighbours on the surface. */
export const FACETS_OF_BLOCK = 128;

/** The bounding boxes of the blocks of a mesh: x, y, z of both corners. */
export const facetBlocks = memoize((triangles: Uint32Array, positions: Float32Array): Float32Array => {
  const boxes = new Float32Array(6 * Math.ceil(triangles.length / (3 * FACETS_OF_BLOCK)));
  const corners = new Float32Array(9 * FACETS_OF_BLOCK);
  for (let block = 0; 6 * block < boxes.length; block++) {
    const used = triangles.subarray(3 * FACETS_OF_BLOCK * block, 3 * FACETS_OF_BLOCK * (block + 1));
    for (let i = 0; i < used.length; i++) {
      for (let axis = 0; axis < 3; axis++) corners[3 * i + axis] = positions[3 * used[i]! + axis]!;
    }
    const { min, max }: Box = boxOf(corners.subarray(0, 3 * used.length));
    boxes.set([...min, ...max], 6 * block);
  }
  return boxes;
});
