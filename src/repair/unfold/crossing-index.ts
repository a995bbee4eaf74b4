import { BVH_MAX_DEPTH } from "../../mesh/bvh/box-tree.ts";
import type { Bvh } from "../../mesh/bvh/bvh.ts";
import { trianglesIntersect } from "../../mesh/bvh/triangles-intersect.ts";

const NONE = -1;

/**
 * The pairs of facets of a surface that cross each other ({@link trianglesIntersect}), kept up to date while facets are replaced.
 * Triangles are given by nine coordinates each.
 */
export class CrossingIndex {
  readonly #tree: EditableBvh;
  /** For each facet that crosses others: these others. */
  readonly #crossedBy = new Map<number, Set<number>>();
  #pairCount = 0;

  /** Takes the hierarchy of a surface, which it modifies, and all facets that cross, two indices per pair. */
  constructor(tree: Bvh, pairs: Uint32Array) {
    this.#tree = new EditableBvh(tree);
    for (let at = 0; at < pairs.length; at += 2) this.#addPair(pairs[at], pairs[at + 1]);
  }

  /** Number of pairs of facets that cross. */
  get pairCount(): number {
    return this.#pairCount;
  }

  /** The facets that cross others, sorted by decreasing number of these. */
  crossingFacets(): number[] {
    const countOf = (facet: number): number => this.#crossedBy.get(facet)?.size ?? 0;
    return [...this.#crossedBy.keys()].sort((a, b) => countOf(b) - countOf(a) || a - b);
  }

  /** Number of pairs with at least one of these facets. */
  pairsOf(facets: ReadonlySet<number>): number {
    let [outward, within] = [0, 0];
    for (const facet of facets) {
      for (const other of this.#crossedBy.get(facet) ?? []) {
        if (facets.has(other)) within++;
        else outward++;
      }
    }
    return outward + within / 2;
  }

  /** Number of pairs of the triangles with each other and with the facets other than `without`. Stops counting at `most`. */
  pairsWith(triangles: Float32Array, without: ReadonlySet<number>, most: number): number {
    let found = 0;
    for (let at = 0; at < triangles.length; at += 9) {
      for (let other = 0; other < at; other += 9) {
        if (trianglesIntersect(triangles, at, triangles, other) && ++found >= most) return found;
      }
      if (!this.#tree.visitCrossed(triangles, at, without, () => ++found < most)) return found;
    }
    return found;
  }

  /** Gives the first of the facets the corners of the triangles and removes the other facets. */
  replace(facets: readonly number[], triangles: Float32Array): void {
    for (const facet of facets) {
      this.#removePairsOf(facet);
      this.#tree.remove(facet);
    }
    for (let at = 0; at < triangles.length; at += 9) {
      const facet = facets[at / 9];
      this.#tree.visitCrossed(triangles, at, new Set([facet]), (other) => {
        this.#addPair(facet, other);
        return true;
      });
      this.#tree.place(facet, triangles, at);
    }
  }

  #addPair(one: number, other: number): void {
    this.#connect(one, other);
    this.#connect(other, one);
    this.#pairCount++;
  }

  #connect(facet: number, other: number): void {
    const known = this.#crossedBy.get(facet);
    if (known) known.add(other);
    else this.#crossedBy.set(facet, new Set([other]));
  }

  #removePairsOf(facet: number): void {
    for (const other of this.#crossedBy.get(facet) ?? []) {
      const others = this.#crossedBy.get(other);
      others?.delete(facet);
      if (others?.size === 0) this.#crossedBy.delete(other);
      this.#pairCount--;
    }
    this.#crossedBy.delete(facet);
  }
}

/** A hierarchy of facets that are removed and placed again with other corners. */
class EditableBvh {
  readonly #tree: Bvh;
  /** The slot of each facet in the order of the hierarchy. */
  readonly #slotOf: Uint32Array;
  readonly #isRemoved: Uint8Array;
  readonly #parentOf: Int32Array;
  readonly #leafOf: Int32Array;
  /** The nodes that a search must still visit. */
  readonly #stack = new Uint32Array(BVH_MAX_DEPTH + 1);
  readonly #box = new Float32Array(6);

  constructor(tree: Bvh) {
    this.#tree = tree;
    this.#slotOf = new Uint32Array(tree.facets.length);
    tree.facets.forEach((facet, slot) => (this.#slotOf[facet] = slot));
    this.#isRemoved = new Uint8Array(tree.facets.length);
    ({ parentOf: this.#parentOf, leafOf: this.#leafOf } = upwardLinks(tree.links, tree.facets.length));
  }

  /** Visits the facets that cross the triangle at an offset, until `visit` returns false. Returns whether it visited all. */
  visitCrossed(
    triangles: Float32Array,
    at: number,
    without: ReadonlySet<number>,
    visit: (facet: number) => boolean,
  ): boolean {
    const { boxes, links, facets, corners } = this.#tree;
    const isRemoved = this.#isRemoved;
    const stack = this.#stack;
    const box = this.#box;
    setBox(box, 0, triangles, at);
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
        if (trianglesIntersect(triangles, at, corners, 9 * slot) && !visit(facets[slot])) return false;
      }
    }
    return true;
  }

  remove(facet: number): void {
    this.#isRemoved[this.#slotOf[facet]] = 1;
  }

  /** Places a removed facet with the corners of the triangle at an offset. */
  place(facet: number, triangles: Float32Array, at: number): void {
    const slot = this.#slotOf[facet];
    this.#tree.corners.set(triangles.subarray(at, at + 9), 9 * slot);
    this.#isRemoved[slot] = 0;
    this.#enlargeBoxes(slot);
  }

  /** Enlarges the boxes from a leaf to the root by the triangle in one of its slots. */
  #enlargeBoxes(slot: number): void {
    const { boxes, corners } = this.#tree;
    const box = this.#box;
    setBox(box, 0, corners, 9 * slot);
    for (let node = this.#leafOf[slot]; node !== NONE; node = this.#parentOf[node]) {
      for (let axis = 6 * node; axis < 6 * node + 3; axis++) {
        boxes[axis] = Math.min(boxes[axis], box[axis - 6 * node]);
        boxes[axis + 3] = Math.max(boxes[axis + 3], box[axis + 3 - 6 * node]);
      }
    }
  }
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
