import type { Watch } from "../../../core/watch.ts";
import { canonicalMesh } from "../../canonical.ts";
import { type Mesh, type Surface, triangleCount } from "../../mesh.ts";
import { type Survey, survey } from "../../survey.ts";
import { dropCollapsed } from "../drop-collapsed.ts";
import { dropDuplicates } from "../drop-duplicates.ts";
import { dropFlat } from "../drop-flat.ts";
import { dropFlatFins } from "../drop-flat-fins.ts";
import { fillHoles } from "../fill-holes.ts";
import { separateSheets } from "../separate-sheets.ts";
import { setApart } from "../set-apart.ts";
import { placeName, type Rim } from "./rim-of.ts";

/** What a pass leaves, the next may mend. */
const MOST_PASSES = 3;

const STEPS: readonly ((surface: Surface, watch: Watch, rim: Rim) => Surface)[] = [
  dropCollapsed,
  dropDuplicates,
  dropFlatFins,
  dropFlat,
  (surface) => separateSheets(surface, "edges"),
  (surface, watch, { places }) =>
    fillHoles(surface, watch, (loop) => !loop.every((v) => places.has(placeName(surface.vertices, v)))),
  dropDuplicates,
  setApart,
];

/**
 * A patch of a surface that was cut, its sheets parted at edges, what the cut left open filled, and without facets that have no
 * area. Its rim stays open. Undefined where something else does, or edges are left that are not of two facets.
 */
export function mendPatch(patch: Mesh, rim: Rim, watch: Watch): Mesh | undefined {
  const isWhole = (found: Survey): boolean =>
    found.nonManifoldEdges + found.misorientedEdges + found.duplicateFacets + found.collapsedFacets === 0 &&
    found.openEdges === rim.edges.size;
  let mended = patch;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    if (isWhole(survey(mended, watch))) return mended;
    const next = STEPS.reduce((surface: Surface, step) => step(surface, watch, rim), mended);
    if (next === mended || triangleCount(next) === 0) return undefined;
    mended = canonicalMesh(next, 1, watch);
  }
  return isWhole(survey(mended, watch)) ? mended : undefined;
}
