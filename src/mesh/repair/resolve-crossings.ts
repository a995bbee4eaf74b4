import type { Watch } from "../../core/watch.ts";
import { facetTree } from "../bvh/facet-tree.ts";
import { type Mesh, triangleCount } from "../mesh.ts";
import { crossingPairs } from "./crossing-pairs.ts";
import { cutCrossings } from "./cut-crossings.ts";
import { isOutside } from "./near/is-outside.ts";
import { regionAbout } from "./near/region-about.ts";
import { resolveNear } from "./near/resolve-near.ts";
import type { Resolved } from "./resolved.ts";
import { solidAnglesOf } from "./solid-angles.ts";

/** Of the facets: with more of them near crossings, the whole mesh is cut as fast. */
const LARGEST_SHARE = 0.5;

/**
 * Cuts off what lies inside of a surface that passes through itself: shells that overlap become one, parts that run into
 * each other are joined. What is cut finer than `finestMm` is left out, and what is cut again, up to `coarsestMm`. The same
 * surface where nothing crosses, undefined where too much does.
 */
export function resolveCrossings(mesh: Mesh, finestMm: number, coarsestMm: number, watch: Watch): Resolved | undefined {
  const tree = facetTree(mesh, watch.part(0, 0.15));
  const pairs = crossingPairs(tree, watch.part(0.15, 0.3));
  if (pairs?.length === 0) return { surface: mesh, isUncrossed: true };
  if (!pairs) return undefined;
  const angles = solidAnglesOf(tree);
  const isNear = regionAbout(mesh, pairs);
  const isPart = isNear.reduce((sum, one) => sum + one, 0) < LARGEST_SHARE * triangleCount(mesh);
  if (isPart && isOutside(mesh, isNear, pairs, angles)) {
    const near = resolveNear({ mesh, tree, angles, pairs }, isNear, finestMm, coarsestMm, watch.part(0.3, 0.8));
    if (near) return near;
  }
  const surface = cutCrossings(mesh, pairs, angles, finestMm, coarsestMm, watch.part(0.3, 1));
  return surface && { surface, isUncrossed: false };
}
