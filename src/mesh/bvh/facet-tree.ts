import type { Watch } from "../../core/watch.ts";
import { type Surface, triangleCount } from "../mesh.ts";
import { growBox } from "./grow-box.ts";
import { splitFacets } from "./split-facets.ts";

/**
 * Facets in a binary tree of boxes, for questions about what is near. Node 0 is the root; an inner node's first child
 * follows it at once. Single precision: a point of a facet lies in the boxes of its nodes to the bit.
 */
export interface FacetTree {
  /** Least x, y, z and greatest x, y, z of each node. */
  readonly boxes: Float32Array;
  /** Two numbers for each node. Inner: its second child, 0. Leaf: its first place among the facets, how many it has. */
  readonly links: Uint32Array;
  /** The surface's number of the facet at each place. */
  readonly facets: Uint32Array;
  /** The three corners of the facet at each place, x, y, z of each. */
  readonly corners: Float32Array;
}

/** A leaf holds no more; deeper trees are larger and no faster. */
const LEAF_FACETS = 4;
/** From this depth on nodes are split in halves, so no tree is deeper than {@link MAX_DEPTH}. */
const SAH_DEPTH = 48;
/** 48 levels, and as many as halve 2³² facets. A traversal's stack holds as many nodes at most. */
export const MAX_DEPTH = SAH_DEPTH + 32;

const FACETS_PER_REPORT = 8192;

/** The tree of a surface's facets, of which there is at least one. Reports by facets that have found their leaf. */
export function facetTree(surface: Surface, watch: Watch): FacetTree {
  const count = triangleCount(surface);
  const bounds = facetBounds(surface);
  const facets = new Uint32Array(count);
  for (let i = 0; i < count; i++) facets[i] = i;
  const boxes = new Float32Array(12 * count);
  const links = new Uint32Array(4 * count);
  let nodes = 0;
  let placed = 0;
  let reported = 0;

  const build = (from: number, to: number, depth: number): void => {
    const node = nodes++;
    const middle = to - from > LEAF_FACETS ? splitFacets(bounds, facets, from, to, depth < SAH_DEPTH) : from;
    if (middle === from) {
      boxes.set(bounds.subarray(6 * from, 6 * from + 6), 6 * node);
      for (let place = from + 1; place < to; place++) growBox(boxes, 6 * node, bounds, 6 * place);
      links[2 * node] = from;
      links[2 * node + 1] = to - from;
      placed += to - from;
      if (placed - reported >= FACETS_PER_REPORT) watch.report((reported = placed) / count);
      return;
    }
    build(from, middle, depth + 1);
    const second = nodes;
    links[2 * node] = second;
    build(middle, to, depth + 1);
    boxes.copyWithin(6 * node, 6 * node + 6, 6 * node + 12);
    growBox(boxes, 6 * node, boxes, 6 * second);
  };
  build(0, count, 0);
  watch.report(1);
  return {
    boxes: boxes.slice(0, 6 * nodes),
    links: links.slice(0, 2 * nodes),
    facets,
    corners: cornersInOrder(surface, facets),
  };
}

/** The box of each facet: least x, y, z and greatest x, y, z. */
function facetBounds({ vertices, triangles }: Surface): Float32Array {
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

function cornersInOrder({ vertices, triangles }: Surface, facets: Uint32Array): Float32Array {
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
