import type { Watch } from "../../core/watch.ts";
import { canonicalMesh } from "../canonical.ts";
import type { Mesh, Surface } from "../mesh.ts";
import { faultsOf, survey } from "../survey.ts";
import { dropCollapsed } from "./drop-collapsed.ts";
import { dropDuplicates } from "./drop-duplicates.ts";
import { dropFlatFins } from "./drop-flat-fins.ts";
import { fillHoles } from "./fill-holes.ts";
import { orientBodies } from "./orient-bodies.ts";
import { orientPatches } from "./orient-patches.ts";
import { stitch } from "./stitch.ts";

/** One pass over a surface. What it has nothing to do with it returns as the same object. */
type Step = (surface: Surface, watch: Watch) => Surface;

const STEPS: readonly Step[] = [
  dropCollapsed,
  dropDuplicates,
  dropFlatFins,
  stitch,
  dropCollapsed,
  dropDuplicates,
  orientPatches,
  fillHoles,
  orientBodies,
];

/** Where the steps begin and end in the share of the work: a survey before them, the canonical form after them. */
const STEPS_FROM = 0.15;
const STEPS_TO = 0.85;

/**
 * The mesh with its faults mended as far as the steps can; sound parts keep their triangles. A mesh without faults and
 * without facets that collapsed comes back as the same object. What is left undone, a survey of the result tells.
 */
export function repair(mesh: Mesh, watch: Watch): Mesh {
  const found = survey(mesh, watch.part(0, STEPS_FROM));
  if (faultsOf(found).length === 0 && found.collapsedFacets === 0) return mesh;
  let surface: Surface = mesh;
  STEPS.forEach((step, i) => {
    const shareAt = (done: number): number => STEPS_FROM + ((STEPS_TO - STEPS_FROM) * done) / STEPS.length;
    watch.report(shareAt(i));
    surface = step(surface, watch.part(shareAt(i), shareAt(i + 1)));
  });
  return surface === mesh ? mesh : canonicalMesh(surface, 1, watch.part(STEPS_TO, 1));
}
