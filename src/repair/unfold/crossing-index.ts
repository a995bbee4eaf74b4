import { BVH_MAX_DEPTH } from "../../mesh/bvh/box-tree.ts";
import type { Bvh } from "../../mesh/bvh/bvh.ts";
import { trianglesIntersect } from "../../mesh/bvh/triangles-intersect.ts";

/** Which facets of a surface cross one another ({@link trianglesIntersect}), while single facets of it are replaced. */
export interface CrossingIndex {
  /** Number of pairs of facets that cross. */
  pairCount(): number;
  /** The facets that cross others, those with the most first. */
  crossingFacets(): number[];
  /** Number of pairs with at least one of these facets. */
  pairsOf(facets: ReadonlySet<number>): number;
  /**
   * Number of pairs of the triangles, nine coordinates each, with one another and with the facets other than `without`; counts no
   * further than `most`.
   */
  pairsWith(corners: Float32Array, without: ReadonlySet<number>, most: number): number;
  /** Gives the first of the facets the corners of the triangles, nine coordinates each, and removes the others. */
  replace(facets: readonly number[], corners: Float32Array): void;
}

const NONE = -1;

/** The index of a surface in a hierarchy, which is changed with it. `pairs` are all facets that cross, two for each pair. */
export function newCrossingIndex({ boxes, links, facets, corners }: Bvh, pairs: Uint32Array): CrossingIndex {
  const slotOf = new Uint32Array(facets.length);
  facets.forEach((facet, slot) => (slotOf[facet] = slot));
  const isRemoved = new Uint8Array(facets.length);
  const { parentOf, leafOf } = upwardLinks(links, facets.length);
  const crossedBy = new Map<number, Set<number>>();
  let pairCount = 0;
  const stack = new Uint32Array(BVH_MAX_DEPTH + 1);
  const box = new Float32Array(6);

  const connect = (facet: number, other: number): void => {
    const known = crossedBy.get(facet);
    if (known) known.add(other);
    else crossedBy.set(facet, new Set([other]));
  };
  for (let at = 0; at < pairs.length; at += 2) {
    connect(pairs[at], pairs[at + 1]);
    connect(pairs[at + 1], pairs[at]);
    pairCount++;
  }

  /** Visits the facets that a triangle crosses, until `visit` returns false. */
  const visitCrossed = (
    triangle: Float32Array,
    at: number,
    without: ReadonlySet<number>,
    visit: (facet: number) => boolean,
  ): boolean => {
    setBox(box, 0, triangle, at);
    let height = 1;
    stack[0] = 0;
    while (height > 0) {
      const node = stack[--height];
      if (areApart(boxes, 6 * node, box)) continue;
      const count = links[2 * node + 1];
      if (count === 0) {
        stack[height++] = links[2 * node];
        stack[height++] = node + 1;
        continue;
      }
      for (let slot = links[2 * node]; slot < links[2 * node] + count; slot++) {
        if (isRemoved[slot] === 1 || without.has(facets[slot])) continue;
        if (trianglesIntersect(triangle, at, corners, 9 * slot) && !visit(facets[slot])) return false;
      }
    }
    return true;
  };

  /** Enlarges the boxes from a leaf to the root by the triangle in one of its slots. */
  const grow = (slot: number): void => {
    setBox(box, 0, corners, 9 * slot);
    for (let node = leafOf[slot]; node !== NONE; node = parentOf[node]) {
      for (let axis = 6 * node; axis < 6 * node + 3; axis++) {
        boxes[axis] = Math.min(boxes[axis], box[axis - 6 * node]);
        boxes[axis + 3] = Math.max(boxes[axis + 3], box[axis + 3 - 6 * node]);
      }
    }
  };

  const disconnect = (facet: number): void => {
    for (const other of crossedBy.get(facet) ?? []) {
      const others = crossedBy.get(other);
      others?.delete(facet);
      if (others?.size === 0) crossedBy.delete(other);
      pairCount--;
    }
    crossedBy.delete(facet);
    isRemoved[slotOf[facet]] = 1;
  };

  const add = (facet: number, triangle: Float32Array, at: number): void => {
    const slot = slotOf[facet];
    visitCrossed(triangle, at, new Set([facet]), (other) => {
      connect(facet, other);
      connect(other, facet);
      pairCount++;
      return true;
    });
    corners.set(triangle.subarray(at, at + 9), 9 * slot);
    isRemoved[slot] = 0;
    grow(slot);
  };

  const sizeOf = (facet: number): number => crossedBy.get(facet)?.size ?? 0;
  return {
    pairCount: () => pairCount,
    crossingFacets: () => [...crossedBy.keys()].sort((a, b) => sizeOf(b) - sizeOf(a) || a - b),
    pairsOf(some) {
      let [outward, within] = [0, 0];
      for (const facet of some) {
        for (const other of crossedBy.get(facet) ?? []) {
          if (some.has(other)) within++;
          else outward++;
        }
      }
      return outward + within / 2;
    },
    pairsWith(triangles, without, most) {
      let found = 0;
      for (let at = 0; at < triangles.length; at += 9) {
        for (let other = 0; other < at; other += 9) {
          if (trianglesIntersect(triangles, at, triangles, other) && ++found >= most) return found;
        }
        if (!visitCrossed(triangles, at, without, () => ++found < most)) return found;
      }
      return found;
    },
    replace(some, triangles) {
      some.forEach(disconnect);
      for (let at = 0; at < triangles.length; at += 9) add(some[at / 9], triangles, at);
    },
  };
}

/** The parent of each node, {@link NONE} of the root, and the leaf of each slot. */
function upwardLinks(
  links: Uint32Array,
  slots: number,
): { readonly parentOf: Int32Array; readonly leafOf: Int32Array } {
  const parentOf = new Int32Array(links.length / 2).fill(NONE);
  const leafOf = new Int32Array(slots);
  const nodes = [0];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const [first, count] = [links[2 * node], links[2 * node + 1]];
    if (count > 0) {
      leafOf.fill(node, first, first + count);
      continue;
    }
    parentOf[node + 1] = parentOf[first] = node;
    nodes.push(first, node + 1);
  }
  return { parentOf, leafOf };
}

/** Writes the box of the triangle that starts at `from`. */
function setBox(box: Float32Array, to: number, corners: Float32Array, from: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const [p, q, r] = [corners[from + axis], corners[from + 3 + axis], corners[from + 6 + axis]];
    box[to + axis] = Math.min(p, q, r);
    box[to + 3 + axis] = Math.max(p, q, r);
  }
}

const areApart = (boxes: Float32Array, at: number, box: Float32Array): boolean =>
  boxes[at] > box[3] ||
  boxes[at + 1] > box[4] ||
  boxes[at + 2] > box[5] ||
  boxes[at + 3] < box[0] ||
  boxes[at + 4] < box[1] ||
  boxes[at + 5] < box[2];
