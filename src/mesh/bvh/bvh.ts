import type { Progress } from "../../core/progress.ts";
import { moveToSharedMemory, releaseArrays } from "../../core/typed-arrays.ts";
import type { Surface } from "../mesh.ts";
import { buildBoxTree } from "./box-tree.ts";

/**
 * A bounding volume hierarchy: the facets of a surface in a {@link BoxTree}, whose items are the facets. The box of a node
 * contains its facets exactly.
 */
export interface Bvh {
  /** Least x, y, z and greatest x, y, z of each node. */
  readonly boxes: Float32Array;
  /** Two numbers for each node. Inner node: its second child, 0. Leaf: its first slot, its number of facets. */
  readonly links: Uint32Array;
  /** The index in the surface of the facet in each slot. */
  readonly facets: Uint32Array;
  /** The three corners of the facet in each slot, x, y, z of each. */
  readonly corners: Float32Array;
}

/** Nodes with more facets are split; smaller leaves make the tree larger and no faster. */
const LEAF_TRIANGLES = 4;

/** The hierarchy of a surface with at least one facet. Reports the share of facets that are in a leaf. */
export function buildBvh(surface: Surface, progress: Progress): Bvh {
  const bounds = triangleBounds(surface);
  progress.report(0);
  const { boxes, links, items } = buildBoxTree(bounds, LEAF_TRIANGLES, progress);
  releaseArrays(bounds);
  return { boxes, links, facets: items, corners: cornersInOrder(surface, items) };
}

/** {@link buildBvh} in shared memory, for several tasks. */
export function buildSharedBvh(surface: Surface, progress: Progress): Bvh {
  const { boxes, links, facets, corners } = buildBvh(surface, progress);
  return {
    boxes: moveToSharedMemory(boxes),
    links: moveToSharedMemory(links),
    facets: moveToSharedMemory(facets),
    corners: moveToSharedMemory(corners),
  };
}

/** The bounding box of each facet: least x, y, z and greatest x, y, z. */
function triangleBounds({ vertices, triangles }: Surface): Float32Array {
  const bounds = new Float32Array(2 * triangles.length);
  for (let at = 0; at < triangles.length; at += 3) {
    const a = 3 * triangles[at];
    const b = 3 * triangles[at + 1];
    const c = 3 * triangles[at + 2];
    for (let axis = 0; axis < 3; axis++) {
      const p = vertices[a + axis];
      const q = vertices[b + axis];
      const r = vertices[c + axis];
      bounds[2 * at + axis] = p < q ? (p < r ? p : r) : q < r ? q : r;
      bounds[2 * at + 3 + axis] = p > q ? (p > r ? p : r) : q > r ? q : r;
    }
  }
  return bounds;
}

export function cornersInOrder({ vertices, triangles }: Surface, facets: Uint32Array): Float32Array {
  const corners = new Float32Array(9 * facets.length);
  for (let i = 0; i < facets.length; i++) {
    for (let corner = 0; corner < 3; corner++) {
      const v = 3 * triangles[3 * facets[i] + corner];
      const at = 9 * i + 3 * corner;
      corners[at] = vertices[v];
      corners[at + 1] = vertices[v + 1];
      corners[at + 2] = vertices[v + 2];
    }
  }
  return corners;
}
