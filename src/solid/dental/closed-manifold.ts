import { operationFailed } from "../../core/api-error.ts";
import { type Progress, noProgress } from "../../core/progress.ts";
import { bodiesOf, bodyVolumes, closedBodies, splitByLabel } from "../../mesh/bodies.ts";
import { difference, union } from "../../mesh/boolean.ts";
import { buildBvh } from "../../mesh/bvh/bvh.ts";
import { intersectingPairs } from "../../mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import { edgesOf } from "../../mesh/edges.ts";
import { selfIntersectionFact } from "../../mesh/mesh-facts.ts";
import { cachedMeshReport, describeDefects, meshReport } from "../../mesh/mesh-report.ts";
import { type Mesh, type Surface, flipFacets, vertexCount } from "../../mesh/mesh.ts";
import { orientBodies } from "../../repair/orientation.ts";
import { repairTopology } from "../../repair/repair-topology.ts";
import { repair } from "../../repair/repair.ts";
import { resolveSelfIntersections, weldToleranceMm } from "../../repair/resolve-self-intersections.ts";
import { cleanMesh } from "../boolean-mesh.ts";

/**
 * The surface facing outward, with overlapping bodies united, such as teeth inserted into a jaw: each solid is then one connected
 * surface. A surface with gaps is returned unchanged.
 */
export async function uniteBodies(surface: Surface, progress: Progress): Promise<Surface> {
  const edges = edgesOf(surface.triangles, vertexCount(surface));
  const bodies = bodiesOf(surface, edges);
  if (closedBodies(surface, edges, bodies).includes(0)) return surface;
  const outward = orientBodies(surface, progress.part(0, 0.3));
  if (bodies.count === 1) return outward;
  const volumes = bodyVolumes(outward, bodies);
  const parts = splitByLabel(outward, bodies.bodyOf, bodies.count);
  const solid = await union(
    parts.filter((_, body) => volumes[body] >= 0),
    progress.part(0.3, 0.8),
  );
  const cavities = parts.filter((_, body) => volumes[body] < 0).map((cavity) => flipFacets(cavity, () => true));
  return cavities.length === 0 ? solid : difference(solid, cavities, progress.part(0.8, 1));
}

/** The mesh of a surface, repaired if it has defects. Throws OPERATION_FAILED if the repair fails. */
export async function toClosedManifold(surface: Surface, progress: Progress): Promise<Mesh> {
  const clean = cleanMesh(surface, progress.part(0, 0.5));
  if (describeDefects(meshReport(clean, progress.part(0.5, 0.7))).length === 0) return clean;
  const { mesh: repaired, isClosedManifold } = await repair(clean, progress.part(0.7, 1));
  if (isClosedManifold) return repaired;
  const defects = describeDefects(meshReport(repaired, noProgress)).join(", ");
  throw operationFailed(
    `above the cut its surface has faults (${defects}). Repair it first with /v1/scene/model/repair/.`,
  );
}

/** Rounding of the cuts may create new intersections. */
const MAX_ROUNDS = 3;

/** Rounding creates few; resolving more may take a minute, and slices are correct without. */
const MAX_INTERSECTIONS = 64;

/**
 * Resolves self-intersections that rounding to single precision created in a mesh made from another one, `before`.
 * Returns the mesh itself if there are none or many, if `before` intersects itself already, and if resolving
 * them fails.
 */
export function resolveRoundingIntersections(mesh: Mesh, before: Mesh, progress: Progress): Mesh {
  const pairs = intersectingPairs(buildBvh(mesh, progress.silent()), progress.silent());
  if (!pairs || pairs.length > 2 * MAX_INTERSECTIONS) return mesh;
  let resolved = mesh;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const part = progress.part(1 - 0.5 ** round, 1 - 0.5 ** (round + 1));
    const tolerance = weldToleranceMm(mesh.box, round);
    const next = resolveSelfIntersections(resolved, tolerance, tolerance, part.part(0, 0.6));
    if (!next) return mesh;
    if (next.surface === resolved) return resolved;
    if (round === 0 && selfIntersectionFact(before, part.part(0.6, 0.8))) return mesh;
    resolved = repairTopology(canonicalMesh(next.surface, 1, part.part(0.8, 0.9)), part.part(0.9, 1), "edges");
    if (describeDefects(cachedMeshReport(resolved, part.silent())).length > 0) return mesh;
  }
  return mesh;
}
