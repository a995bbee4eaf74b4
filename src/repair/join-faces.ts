import type { Progress } from "../core/progress.ts";
import { boxSize } from "../geometry/box.ts";
import { exactLength } from "../geometry/vector.ts";
import { canonicalMesh } from "../mesh/canonical-mesh.ts";
import { boundaryHalfedges, cachedEdges } from "../mesh/edges.ts";
import { describeDefects, meshReport } from "../mesh/mesh-report.ts";
import type { Mesh, Surface } from "../mesh/mesh.ts";
import { type Slivers, closeSlivers } from "./close-slivers.ts";
import { orientBodies, orientPatches } from "./orientation.ts";
import { removeCollapsedFacets, removeDuplicateFacets } from "./remove-facets.ts";
import { splitTJunctions } from "./split-t-junctions.ts";
import { stitchSeams } from "./stitch-seams.ts";

/** One step of joining. Returns the same object if it has nothing to change. */
type JoinStep = (surface: Surface, progress: Progress) => Surface;

const WELDING: readonly JoinStep[] = [
  removeCollapsedFacets,
  stitchSeams,
  splitTJunctions,
  removeCollapsedFacets,
  removeFlaps,
];
const ORIENTING: readonly JoinStep[] = [orientPatches, orientBodies];

/**
 * Least deviation of faces from their curves: this share of the diagonal, at most these millimetres. It applies if a file states no
 * deviation or a smaller one, since the faces of CAD models meet within tolerances. Gaps of this size are below the resolution of
 * printers.
 */
const MIN_DEVIATION_SHARE = 1e-3;
const MIN_DEVIATION_MM = 0.05;
/** Most of the deviation that a file states, as a share of the diagonal. Holes of parts are not much wider than that. */
const MAX_DEVIATION_SHARE = 5e-3;

/** Shares of the progress at which the steps end; the last makes the canonical mesh. Estimates. */
const SHARES = { examined: 0.1, welded: 0.5, closed: 0.7, oriented: 0.9 };

export interface JoinedFaces {
  /** The same object for a mesh without defects. */
  readonly mesh: Mesh;
  /** The gaps between faces that were closed. */
  readonly slivers: Slivers;
}

/**
 * Joins faces that were meshed separately, as the display meshes in CAD files are: welds their borders, gives both sides of a border
 * the same vertices, closes gaps between borders that are at most `deviationMm` from the same curve, and turns all facets outward. It
 * closes no other hole and removes no facet that bounds anything: that is the work of a repair.
 */
export function joinFaces(mesh: Mesh, deviationMm = 0, progress: Progress): JoinedFaces {
  const none: Slivers = { count: 0, widestMm: 0 };
  if (describeDefects(meshReport(mesh, progress.part(0, SHARES.examined))).length === 0) return { mesh, slivers: none };
  const welded = apply(WELDING, mesh, progress.part(SHARES.examined, SHARES.welded));
  const diagonalMm = exactLength(boxSize(mesh.box));
  const minMm = Math.min(MIN_DEVIATION_SHARE * diagonalMm, MIN_DEVIATION_MM);
  const toleranceMm = Math.max(minMm, Math.min(deviationMm, MAX_DEVIATION_SHARE * diagonalMm));
  // Each of the two borders may deviate from the curve.
  const { surface, ...slivers } = closeSlivers(welded, 2 * toleranceMm, progress.part(SHARES.welded, SHARES.closed));
  const joined = apply(ORIENTING, surface, progress.part(SHARES.closed, SHARES.oriented));
  return { mesh: joined === mesh ? mesh : canonicalMesh(joined, 1, progress.part(SHARES.oriented, 1)), slivers };
}

/**
 * Removes pairs of facets that are back to back. CAD kernels leave such pairs where a face ends in a cusp. A sheet with two sides
 * stays.
 */
function removeFlaps(surface: Surface, progress: Progress): Surface {
  const without = removeDuplicateFacets(surface, progress);
  const openEdges = (one: Surface): number => boundaryHalfedges(cachedEdges(one)).length;
  return without.triangles.length > 0 && openEdges(without) <= openEdges(surface) ? without : surface;
}

const apply = (steps: readonly JoinStep[], surface: Surface, progress: Progress): Surface =>
  steps.reduce((result, step, i) => step(result, progress.part(i / steps.length, (i + 1) / steps.length)), surface);
