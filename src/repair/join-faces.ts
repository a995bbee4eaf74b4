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

/** One step of joining. Returns the same object where it has nothing to change. */
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
 * Deviation of faces of which nobody tells one, and the least that is taken where somebody does, since the faces of CAD models meet within
 * tolerances too: this share of the diagonal, and no more millimetres, so that gaps are below what printers resolve.
 */
const LEAST_DEVIATION_SHARE = 1e-3;
const LEAST_DEVIATION_MM = 0.05;
/** A file that tells more than this share of the diagonal does not mean this part of it: holes of parts are not much wider. */
const MOST_DEVIATION_SHARE = 5e-3;

export interface JoinedFaces {
  /** The same object for a mesh without defects. */
  readonly mesh: Mesh;
  /** What was closed between faces. */
  readonly slivers: Slivers;
}

/**
 * Joins faces that were meshed one by one, as the display meshes in CAD files: welds their borders, gives both sides of a border the same
 * vertices, closes what is left open between borders that are at most `deviationMm` from the same curve, and turns all facets outward. It
 * closes no other hole and removes no facet that bounds anything: that is the work of a repair, which a file may ask for.
 */
export function joinFaces(mesh: Mesh, deviationMm = 0, progress: Progress): JoinedFaces {
  const none: Slivers = { count: 0, widestMm: 0 };
  if (describeDefects(meshReport(mesh, progress.part(0, 0.1))).length === 0) return { mesh, slivers: none };
  const welded = apply(WELDING, mesh, progress.part(0.1, 0.5));
  const diagonalMm = exactLength(boxSize(mesh.box));
  const leastMm = Math.min(LEAST_DEVIATION_SHARE * diagonalMm, LEAST_DEVIATION_MM);
  const offMm = Math.max(leastMm, Math.min(deviationMm, MOST_DEVIATION_SHARE * diagonalMm));
  // Either border may be off the curve.
  const { surface, ...slivers } = closeSlivers(welded, 2 * offMm, progress.part(0.5, 0.7));
  const joined = apply(ORIENTING, surface, progress.part(0.7, 0.9));
  return { mesh: joined === mesh ? mesh : canonicalMesh(joined, 1, progress.part(0.9, 1)), slivers };
}

/** Removes facets that lie back to back on others, as CAD kernels leave them where a face ends in a cusp. A sheet with two sides stays. */
function removeFlaps(surface: Surface, progress: Progress): Surface {
  const without = removeDuplicateFacets(surface, progress);
  const openEdges = (one: Surface): number => boundaryHalfedges(cachedEdges(one)).length;
  return without.triangles.length > 0 && openEdges(without) <= openEdges(surface) ? without : surface;
}

const apply = (steps: readonly JoinStep[], surface: Surface, progress: Progress): Surface =>
  steps.reduce((result, step, i) => step(result, progress.part(i / steps.length, (i + 1) / steps.length)), surface);
