import type { Watch } from "../../core/watch.ts";
import { visitCrossings } from "../bvh/crossing-facets.ts";
import { facetTree } from "../bvh/facet-tree.ts";
import { type Surface, vertexCount } from "../mesh.ts";
import { arrange } from "./arrange/arrange.ts";
import { outerPieces } from "./arrange/outer-pieces.ts";
import { tidy } from "./arrange/tidy.ts";
import { solidAnglesOf } from "./solid-angles.ts";

/** Beyond so many crossings a surface is no solid with faults, and cutting it would take minutes. */
const MOST_CROSSINGS = 200_000;

/**
 * Cuts off what lies inside of a surface that passes through itself: shells that overlap become one, parts that run into
 * each other are joined. What is cut finer than `finestMm` is left out. The same object where nothing crosses, undefined where
 * too much does.
 */
export function resolveCrossings(surface: Surface, finestMm: number, watch: Watch): Surface | undefined {
  const tree = facetTree(surface, watch.part(0, 0.15));
  const pairs: number[] = [];
  visitCrossings(tree, watch.part(0.15, 0.3), (facet, other) => pairs.push(facet, other) < 2 * MOST_CROSSINGS);
  if (pairs.length === 0) return surface;
  if (pairs.length >= 2 * MOST_CROSSINGS) return undefined;
  const arrangement = arrange(surface, Uint32Array.from(pairs), watch.part(0.3, 0.8));
  if (!arrangement) return undefined;
  const outer = outerPieces(surface, arrangement, solidAnglesOf(tree), watch.part(0.8, 0.95));
  return tidy(outer, vertexCount(surface), finestMm, watch.part(0.95, 1));
}
