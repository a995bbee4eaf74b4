import { createHash } from "node:crypto";
import { getOrInsert } from "../../core/memoize.ts";
import { toSharedMemory } from "../../core/typed-arrays.ts";
import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import type { Strut, StrutKind, SupportTree } from "../tree/support-tree.ts";

/** Numbers of a strut. */
const STRIDE = 8;

/** The trees of a draft, in shared memory. A pillar that only braces join to others is a tree without points. */
export interface DraftTrees {
  /** A whole number of 48 bits for each tree: the same for the same struts, whatever the other trees are. */
  readonly ids: Float64Array;
  /** The first strut of each tree, and the number of all struts. */
  readonly starts: Uint32Array;
  /** x, y, z and radius of both ends of each strut, tree by tree. */
  readonly struts: Float64Array;
  readonly kinds: readonly StrutKind[];
  /** The tree of each touchpoint; −1 for those that no support reaches. */
  readonly treeOfPoint: Float64Array;
}

/** Divides the struts of a model into trees. Braces belong to the tree of their upper end. */
export function draftTrees(tree: SupportTree): DraftTrees {
  const owner = treesOfNodes(tree);
  const trees = new Map<number, Strut[]>();
  for (const touch of tree.touches) if (touch >= 0) trees.set(owner[touch], []);
  for (const strut of tree.struts) getOrInsert(trees, owner[strut.from], (): Strut[] => []).push(strut);
  const all = new Float64Array(STRIDE * tree.struts.length);
  let filled = 0;
  const numbers = trees
    .values()
    .toArray()
    .map((struts) => {
      const own = all.subarray(filled, (filled += STRIDE * struts.length));
      writeStruts(own, tree, struts);
      return own;
    });
  const order = new Map([...trees.keys()].map((root, i) => [root, i]));
  const starts = [0];
  for (const struts of trees.values()) starts.push(starts.at(-1)! + struts.length);
  return {
    ids: toSharedMemory(Float64Array.from(numbers, idOf)),
    starts: toSharedMemory(Uint32Array.from(starts)),
    struts: toSharedMemory(all),
    kinds: [...trees.values()].flat().map(({ kind }) => kind),
    treeOfPoint: toSharedMemory(Float64Array.from(tree.touches, (node) => (node < 0 ? -1 : order.get(owner[node])!))),
  };
}

function writeStruts(numbers: Float64Array, { nodes }: SupportTree, struts: readonly Strut[]): void {
  let at = 0;
  for (const { from, to } of struts) {
    for (const node of [from, to]) for (let i = 0; i < STRIDE / 2; i++) numbers[at++] = nodes[4 * node + i];
  }
}

const ID_BYTES = 6;

/** A whole number that JSON carries exactly. */
const idOf = (numbers: Float64Array): number => createHash("sha256").update(numbers).digest().readUIntBE(0, ID_BYTES);

/** A node of the tree to which each node belongs. */
function treesOfNodes({ nodes, struts }: SupportTree): Int32Array {
  const sets = newDisjointSets(nodes.length / 4);
  const isInPillar = new Uint8Array(nodes.length / 4);
  for (const { from, to, kind } of struts) {
    if (kind === "BRACE") continue;
    sets.join(from, to);
    isInPillar[from] = isInPillar[to] = 1;
  }
  // Bars between pillars: their inner nodes first, then what is above them.
  const bars = struts.filter(({ kind }) => kind === "BRACE");
  for (const { from, to } of bars) if (isInPillar[from] === 0 && isInPillar[to] === 0) sets.join(from, to);
  const owner = Int32Array.from(isInPillar, (_, node) => sets.find(node));
  const above = new Map<number, number>();
  for (const { from, to } of bars)
    if (isInPillar[from] === 1 && isInPillar[to] === 0) above.set(owner[to], owner[from]);
  return owner.map((root, node) => (isInPillar[node] === 1 ? root : (above.get(root) ?? root)));
}
