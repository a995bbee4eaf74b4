import type { Progress } from "../core/progress.ts";
import { canonicalMesh } from "../mesh/canonical-mesh.ts";
import { describeDefects, meshReport } from "../mesh/mesh-report.ts";
import type { Mesh, Surface } from "../mesh/mesh.ts";
import { orientBodies, orientPatches } from "./orientation.ts";
import { removeCollapsedFacets } from "./remove-facets.ts";
import { splitTJunctions } from "./split-t-junctions.ts";
import { stitchSeams } from "./stitch-seams.ts";

/** One step of joining. Returns the same object where it has nothing to change. */
type Step = (surface: Surface, progress: Progress) => Surface;

const STEPS: readonly Step[] = [
  removeCollapsedFacets,
  stitchSeams,
  splitTJunctions,
  removeCollapsedFacets,
  orientPatches,
  orientBodies,
];

/**
 * Joins faces that were meshed one by one, as the display meshes in CAD files: welds their borders, gives both sides of a border the same
 * vertices, and turns all facets outward. It closes no hole and removes no facet with an area: that is the work of a repair, which a file
 * may ask for. The same object comes back for a mesh without defects.
 */
export function joinFaces(mesh: Mesh, progress: Progress): Mesh {
  if (describeDefects(meshReport(mesh, progress.part(0, 0.1))).length === 0) return mesh;
  const steps = progress.part(0.1, 0.9);
  const joined = STEPS.reduce<Surface>(
    (surface, step, i) => step(surface, steps.part(i / STEPS.length, (i + 1) / STEPS.length)),
    mesh,
  );
  return joined === mesh ? mesh : canonicalMesh(joined, 1, progress.part(0.9, 1));
}
