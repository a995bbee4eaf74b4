import type { Watch } from "../../core/watch.ts";
import { isSelfIntersecting } from "../../mesh/bvh/crossing-facets.ts";
import { facetTree } from "../../mesh/bvh/facet-tree.ts";
import { canonicalMesh } from "../../mesh/canonical.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { crossingPairs } from "../../mesh/repair/crossing-pairs.ts";
import { finestMm } from "../../mesh/repair/finest.ts";
import { mend } from "../../mesh/repair/mend.ts";
import { resolveCrossings } from "../../mesh/repair/resolve-crossings.ts";
import { surveyFor } from "../../mesh/repair/survey-for.ts";
import { faultsOf } from "../../mesh/survey.ts";

/** What is cut may cross anew. */
const MOST_ROUNDS = 3;

/** Rounding leaves a few; to cut more of them may take a minute, and slices are right without. */
const MOST_CROSSINGS = 64;

/**
 * A mesh that was made of another one, cut anew where facets, rounded to single precision, pass through each other. The same
 * object where none do or many, where the other mesh passes through itself already, and where cutting does not help.
 */
export function uncrossed(mesh: Mesh, before: Mesh, watch: Watch): Mesh {
  const crossings = crossingPairs(facetTree(mesh, watch.part(0, 0)), watch.part(0, 0));
  if (!crossings || crossings.length > 2 * MOST_CROSSINGS) return mesh;
  let cut = mesh;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const part = watch.part(1 - 0.5 ** round, 1 - 0.5 ** (round + 1));
    const finest = finestMm(mesh.box, round);
    const next = resolveCrossings(cut, finest, finest, part.part(0, 0.6));
    if (!next) return mesh;
    if (next.surface === cut) return cut;
    if (round === 0 && isSelfIntersecting(facetTree(before, part.part(0.6, 0.7)), part.part(0.7, 0.8))) return mesh;
    cut = mend(canonicalMesh(next.surface, 1, part.part(0.8, 0.9)), part.part(0.9, 1), "edges");
    if (faultsOf(surveyFor(cut, part.part(1, 1))).length > 0) return mesh;
  }
  return mesh;
}
