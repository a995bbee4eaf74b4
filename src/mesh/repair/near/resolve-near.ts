import type { Watch } from "../../../core/watch.ts";
import { type FacetTree, facetTree } from "../../bvh/facet-tree.ts";
import { canonicalMesh } from "../../canonical.ts";
import { combine } from "../../combine.ts";
import { type Mesh, triangleCount } from "../../mesh.ts";
import { crossingPairs } from "../crossing-pairs.ts";
import { cutCrossings } from "../cut-crossings.ts";
import { keepFacets } from "../keep-facets.ts";
import type { Resolved } from "../resolved.ts";
import { type SolidAngles, solidAnglesOf } from "../solid-angles.ts";
import { crossesOutside } from "./crosses-outside.ts";
import { mendPatch } from "./mend-patch.ts";
import { regionAbout } from "./region-about.ts";
import { rimOf } from "./rim-of.ts";

/** What is cut is rounded, and may cross anew by the last digits; where cutting that again does not help, it is cut less fine. */
const COARSENING = 4;

/** A surface that crosses itself, closed or a patch of one that is. */
export interface Crossing {
  readonly mesh: Mesh;
  readonly tree: FacetTree;
  /** Of all of the closed surface, with the numbers of the mesh for facets that are left out. */
  readonly angles: SolidAngles;
  /** The facets that cross, two numbers for each two of them. */
  readonly pairs: Uint32Array;
}

/**
 * Cuts a surface about its crossings alone, and then about those that are left, as long as they get fewer. What is finer
 * than `finestMm` is left out, and where that does not do, what is finer than up to `coarsestMm`. The rim of a patch stays as
 * it is. Undefined where more lies inside than what is near the crossings, or none of this does.
 */
export function resolveNear(
  { mesh, tree, angles, pairs }: Crossing,
  isNear: Uint8Array,
  finestMm: number,
  coarsestMm: number,
  watch: Watch,
): Resolved | undefined {
  const quiet = watch.part(0, 0);
  const region = keepFacets(mesh, (facet) => isNear[facet] === 1);
  const before = canonicalMesh(region, 1, quiet);
  const numbers = numbersAmong(isNear);
  const pairsBefore = pairs.map((facet) => numbers[facet]!);
  const anglesBefore: SolidAngles = (point, isLeftOut) =>
    angles(point, isLeftOut && ((facet) => isNear[facet] === 1 && isLeftOut(numbers[facet]!)));
  for (let finest = finestMm; ; finest *= COARSENING) {
    const patch = cutPatch(before, pairsBefore, anglesBefore, finest, coarsestMm, watch);
    const treeNow = patch && facetTree(patch, quiet);
    const pairsNow = treeNow && crossingPairs(treeNow, quiet);
    if (pairsNow && pairsNow.length < pairs.length) {
      const [were, are] = [solidAnglesOf(facetTree(before, quiet)), solidAnglesOf(treeNow)];
      const anglesNow: SolidAngles = (point, isLeftOut) =>
        Math.fround(angles(point) - were(point) + are(point, isLeftOut));
      const next = { mesh: patch, tree: treeNow, angles: anglesNow, pairs: pairsNow };
      const isLeft = pairsNow.length > 0;
      const further = isLeft ? resolveNear(next, regionAbout(patch, pairsNow), finestMm, coarsestMm, quiet) : undefined;
      const last = further ? canonicalMesh(further.surface, 1, quiet) : patch;
      const aside = keepFacets(mesh, (facet) => isNear[facet] === 0);
      return {
        surface: triangleCount(aside) > 0 ? combine([aside, last]) : last,
        isUncrossed: (further?.isUncrossed ?? !isLeft) && !crossesOutside(last, before, tree, isNear, quiet),
      };
    }
    if (finest >= coarsestMm) return undefined;
  }
}

/** The numbers that the facets of a region have among themselves, whose order the canonical form keeps. */
function numbersAmong(isNear: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(isNear.length);
  let count = 0;
  for (let facet = 0; facet < isNear.length; facet++) if (isNear[facet] === 1) numbers[facet] = count++;
  return numbers;
}

/** The patch cut along its crossings and mended, if it can be with its rim as it is. */
function cutPatch(
  mesh: Mesh,
  pairs: Uint32Array,
  angles: SolidAngles,
  finestMm: number,
  coarsestMm: number,
  watch: Watch,
): Mesh | undefined {
  const cut = cutCrossings(mesh, pairs, angles, finestMm, coarsestMm, watch);
  if (!cut || triangleCount(cut) === 0) return undefined;
  const rim = rimOf(mesh);
  const patch = mendPatch(canonicalMesh(cut, 1, watch.part(1, 1)), rim, watch.part(1, 1));
  return patch && rimOf(patch).edges.isSubsetOf(rim.edges) ? patch : undefined;
}
