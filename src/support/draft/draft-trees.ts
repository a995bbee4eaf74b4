import { createHash } from "node:crypto";
import { toSharedMemory } from "../../core/typed-arrays.ts";
import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import type { SupportTree } from "../tree/support-tree.ts";
import { STRUT_KINDS, STRUT_STRIDE } from "./draft-numbers.ts";

/** The trees of a draft, in shared memory. A pillar that only braces join to others is a tree without points. */
export interface DraftTrees {
  /** A whole number of 48 bits for each tree: the same for the same struts, whatever the other trees are. */
  readonly ids: Float64Array;
  /** The first strut of each tree, and the number of all struts. */
  readonly starts: Uint32Array;
  /** {@link STRUT_STRIDE} numbers of each strut, tree by tree. */
  readonly struts: Float64Array;
  /** The tree of each touchpoint; −1 for those that no support reaches. */
  readonly treeOfPoint: Float64Array;
}

/** Divides the struts of a model into trees. Braces belong to the tree of their upper end. */
export function draftTrees(tree: SupportTree): DraftTrees {
  const owner = treesOfNodes(tree);
  const trees = new Map<number, number[]>();
  for (const foot of tree.touches) if (foot >= 0 && !trees.has(owner[foot])) trees.set(owner[foot], []);
  tree.struts.forEach(({ from, to, kind }) => {
    const numbers = trees.get(owner[from]) ?? [];
    trees.set(owner[from], numbers);
    for (const node of [from, to]) numbers.push(...tree.nodes.subarray(4 * node, 4 * node + 4));
    numbers.push(STRUT_KINDS.indexOf(kind));
  });
  const order = new Map([...trees.keys()].map((root, i) => [root, i]));
  const starts = [0];
  for (const numbers of trees.values()) starts.push(starts.at(-1)! + numbers.length / STRUT_STRIDE);
  return {
    ids: toSharedMemory(Float64Array.from(trees.values(), idOf)),
    starts: toSharedMemory(Uint32Array.from(starts)),
    struts: toSharedMemory(Float64Array.from([...trees.values()].flat())),
    treeOfPoint: toSharedMemory(Float64Array.from(tree.touches, (node) => (node < 0 ? -1 : order.get(owner[node])!))),
  };
}

const ID_BYTES = 6;

/** A whole number that JSON carries exactly. */
const idOf = (numbers: readonly number[]): number =>
  createHash("sha256").update(Float64Array.from(numbers)).digest().readUIntBE(0, ID_BYTES);

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
