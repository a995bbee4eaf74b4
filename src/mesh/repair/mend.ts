import type { Watch } from "../../core/watch.ts";
import { canonicalMesh } from "../canonical.ts";
import type { Mesh, Surface } from "../mesh.ts";
import { triangleCount } from "../mesh.ts";
import { faultsOf } from "../survey.ts";
import { dropBacks } from "./drop-backs.ts";
import { dropCollapsed } from "./drop-collapsed.ts";
import { dropDuplicates } from "./drop-duplicates.ts";
import { dropFlat } from "./drop-flat.ts";
import { dropFlatFins } from "./drop-flat-fins.ts";
import { dropLoose } from "./drop-loose.ts";
import { fillHoles } from "./fill-holes.ts";
import { orientBodies } from "./orient-bodies.ts";
import { orientPatches } from "./orient-patches.ts";
import { separateSheets, type SheetsAt } from "./separate-sheets.ts";
import { setApart } from "./set-apart.ts";
import { splitTJunctions } from "./split-t-junctions.ts";
import { stitch } from "./stitch.ts";
import { surveyFor } from "./survey-for.ts";

/** One pass over a surface. What it has nothing to do with it returns as the same object. */
type Step = (surface: Surface, watch: Watch, at: SheetsAt) => Surface;

const STEPS: readonly Step[] = [
  dropCollapsed,
  dropBacks,
  dropDuplicates,
  dropFlatFins,
  dropFlat,
  stitch,
  splitTJunctions,
  dropCollapsed,
  dropDuplicates,
  orientPatches,
  (surface) => separateSheets(surface, "edges"),
  orientPatches,
  (surface) => separateSheets(surface, "edges"),
  dropLoose,
  (surface, watch) => fillHoles(surface, watch),
  dropDuplicates,
  orientBodies,
  (surface, _, at) => separateSheets(surface, at),
  setApart,
];

/** Where the steps begin and end in the share of a pass: a survey before them, the canonical form after them. */
const STEPS_FROM = 0.15;
const STEPS_TO = 0.85;

/** What a pass leaves, the next may mend. */
const MOST_PASSES = 3;

/**
 * The mesh with its faults mended by what its facets and edges tell, whether or not they pass through each other; sound
 * parts keep their triangles. A mesh without faults and facets without area comes back as the same object, and so does one of
 * which nothing would be left. Vertices that sheets share harm nothing by themselves: if `at` tells so, they are parted with
 * what else is mended. What is left undone, a survey of the result tells.
 */
export function mend(mesh: Mesh, watch: Watch, at: SheetsAt = "vertices"): Mesh {
  let mended = mesh;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = mendOnce(mended, watch.part(pass / MOST_PASSES, (pass + 1) / MOST_PASSES), at);
    if (next === mended) break;
    mended = next;
  }
  return mended;
}

function mendOnce(mesh: Mesh, watch: Watch, at: SheetsAt): Mesh {
  const found = surveyFor(mesh, watch.part(0, STEPS_FROM));
  watch.report(STEPS_FROM);
  if (faultsOf(found).length === 0 && found.degenerateFacets === 0) return mesh;
  let surface: Surface = mesh;
  STEPS.forEach((step, i) => {
    const shareAt = (done: number): number => STEPS_FROM + ((STEPS_TO - STEPS_FROM) * done) / STEPS.length;
    watch.report(shareAt(i));
    surface = step(surface, watch.part(shareAt(i), shareAt(i + 1)), at);
  });
  if (surface === mesh || triangleCount(surface) === 0) return mesh;
  return canonicalMesh(surface, 1, watch.part(STEPS_TO, 1));
}
