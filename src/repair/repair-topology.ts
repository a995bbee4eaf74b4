import { memoize } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { canonicalMesh } from "../mesh/canonical-mesh.ts";
import { cachedMeshReport, describeDefects } from "../mesh/mesh-report.ts";
import { type Mesh, type Surface, triangleCount } from "../mesh/mesh.ts";
import { removeFlatFacets } from "./collapse-cap-triangles.ts";
import { fillHoles } from "./fill-holes.ts";
import { orientBodies, orientPatches } from "./orientation.ts";
import {
  removeBackToBackFacets,
  removeCollapsedFacets,
  removeDuplicateFacets,
  removeFlatFins,
  removeIsolatedFacets,
} from "./remove-facets.ts";
import { separateCoincidentVertices } from "./separate-coincident-vertices.ts";
import { type SplitScope, splitNonManifoldVertices } from "./split-non-manifold-vertices.ts";
import { splitTJunctions } from "./split-t-junctions.ts";
import { stitchSeams } from "./stitch-seams.ts";

/** One repair step. Returns the same object if it has nothing to change. */
type RepairStep = (surface: Surface, progress: Progress, scope: SplitScope) => Surface;

const STEPS: readonly RepairStep[] = [
  removeCollapsedFacets,
  removeBackToBackFacets,
  removeDuplicateFacets,
  removeFlatFins,
  removeFlatFacets,
  stitchSeams,
  splitTJunctions,
  removeCollapsedFacets,
  removeDuplicateFacets,
  orientPatches,
  (surface) => splitNonManifoldVertices(surface, "edges"),
  orientPatches,
  (surface) => splitNonManifoldVertices(surface, "edges"),
  removeIsolatedFacets,
  (surface, progress) => fillHoles(surface, progress),
  removeDuplicateFacets,
  orientBodies,
  (surface, _, scope) => splitNonManifoldVertices(surface, scope),
  separateCoincidentVertices,
];

/** Shares of the progress of a pass: the steps start after the report and end before the canonical form. */
const STEPS_START = 0.15;
const STEPS_END = 0.85;

/** 7 µs for each facet in a pass of 19 steps, measured on lattices of ten to a hundred thousand facets. */
const WORK_PER_FACET = 24;

/** A later pass may repair a defect that an earlier pass could not. */
const MAX_PASSES = 3;

/**
 * Repairs the defects of facets and edges (duplicates, degenerate facets, seams, T-junctions, non-manifold edges and vertices,
 * orientation, holes), whether or not the mesh intersects itself. Bodies without defects keep their triangles. Returns the same object
 * for a mesh without defects and degenerate facets, and if no facet would remain. Shared vertices alone are no defect: with `scope`
 * "vertices" they are split only together with other repairs. {@link cachedMeshReport} of the result has the defects that remain.
 */
export function repairTopology(mesh: Mesh, progress: Progress, scope: SplitScope = "vertices"): Mesh {
  let repaired = mesh;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const next = runSteps(repaired, progress.part(pass / MAX_PASSES, (pass + 1) / MAX_PASSES), scope);
    if (next === repaired) break;
    repaired = next;
  }
  return repaired;
}

/** {@link repairTopology} with `scope` "vertices", computed once per mesh object: a repair that failed continues with it. */
export const cachedRepairTopology = memoize((mesh: Mesh, progress: Progress): Mesh => repairTopology(mesh, progress));

function runSteps(mesh: Mesh, progress: Progress, scope: SplitScope): Mesh {
  const report = cachedMeshReport(mesh, progress.part(0, STEPS_START));
  progress.report(STEPS_START);
  if (describeDefects(report).length === 0 && report.degenerateFacets === 0) return mesh;
  const steps = progress.part(STEPS_START, STEPS_END);
  let surface: Surface = mesh;
  STEPS.forEach((step, i) => {
    steps.report(i / STEPS.length, WORK_PER_FACET * triangleCount(surface));
    surface = step(surface, steps.part(i / STEPS.length, (i + 1) / STEPS.length), scope);
  });
  if (surface === mesh || triangleCount(surface) === 0) return mesh;
  return canonicalMesh(surface, 1, progress.part(STEPS_END, 1));
}
