import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import type { SupportTree } from "../tree/support-tree.ts";

/** How the supports of a model hold it. */
export interface RoutedSupports {
  /** In the coordinates of the mesh of the supports. */
  readonly tree: SupportTree;
  /** The largest force on each touchpoint, N. */
  readonly touchLoadsN: Float64Array;
  /** The {@link treesOfTouches}. */
  readonly trees: Int32Array;
}

/**
 * The tree of each touchpoint, numbered in the order of their first touchpoints; −1 for those that no support reaches. Braces stiffen trees,
 * they do not join them.
 */
export function treesOfTouches({ nodes, struts, touches }: SupportTree): Int32Array {
  const sets = newDisjointSets(nodes.length / 4);
  for (const { from, to, kind } of struts) if (kind !== "BRACE") sets.join(from, to);
  const numbers = new Map<number, number>();
  return touches.map((node) => {
    if (node < 0) return -1;
    const root = sets.find(node);
    const number = numbers.get(root) ?? numbers.size;
    numbers.set(root, number);
    return number;
  });
}
