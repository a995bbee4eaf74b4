import type { Watch } from "../../core/watch.ts";
import { visitCrossings } from "../bvh/crossing-facets.ts";
import type { FacetTree } from "../bvh/facet-tree.ts";

/** Beyond so many crossings a surface is no solid with faults, and cutting it would take minutes. */
const MOST_CROSSINGS = 200_000;

/** The facets that cross each other, two numbers for each two of them; undefined where too many do. */
export function crossingPairs(tree: FacetTree, watch: Watch): Uint32Array | undefined {
  const pairs: number[] = [];
  visitCrossings(tree, watch, (facet, other) => pairs.push(facet, other) < 2 * MOST_CROSSINGS);
  return pairs.length < 2 * MOST_CROSSINGS ? Uint32Array.from(pairs) : undefined;
}
