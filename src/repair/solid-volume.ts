import type { Progress } from "../core/progress.ts";
import { splitByLabel } from "../mesh/bodies.ts";
import { solidsOf } from "../mesh/body-nesting.ts";
import { canonicalMesh } from "../mesh/canonical-mesh.ts";
import { checkClosedManifold } from "../mesh/mesh-report.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { repairTopology } from "./repair-topology.ts";

/** Share of the progress of {@link withSolidVolume} that the check of the mesh takes. */
const CHECK_SHARE = 0.3;

/**
 * The mesh with `solidVolumeMm3` set to the volume of its repaired topology, where its own facets do not bound a solid. A
 * closed, outward mesh and one that the repair does not change come back as the same object.
 */
export function withSolidVolume(mesh: Mesh, progress: Progress): Mesh {
  const { isOpen, hasInward } = checkClosedManifold(mesh, progress.part(0, CHECK_SHARE));
  if (!isOpen && !hasInward) return mesh;
  const repaired = repairTopology(mesh, progress.part(CHECK_SHARE, 1));
  return repaired === mesh ? mesh : { ...mesh, solidVolumeMm3: Math.abs(repaired.volumeMm3) };
}

/** Share of the progress of {@link splitBodies} that finding the solids takes. */
const SEARCH_SHARE = 0.4;

interface Split {
  /** Number of solids in the mesh. */
  readonly count: number;
  /** One mesh per solid, with its facets unchanged to the bit; empty where there is one solid, or more than the limit. */
  readonly meshes: readonly Mesh[];
}

/** Splits a mesh into its solids: bodies with their cavities. A mesh of more than `maxCount` solids is only counted. */
export function splitBodies(mesh: Mesh, maxCount: number, progress: Progress): Split {
  const { count, solidOf } = solidsOf(mesh, progress.part(0, SEARCH_SHARE));
  if (count <= 1 || count > maxCount) return { count, meshes: [] };
  const splitting = progress.part(SEARCH_SHARE, 1);
  const meshes = splitByLabel(mesh, solidOf, count).map((surface, solid) => {
    const part = splitting.part(solid / count, (solid + 1) / count);
    const piece = canonicalMesh(surface, 1, part);
    return mesh.solidVolumeMm3 === undefined ? piece : withSolidVolume(piece, part);
  });
  return { count, meshes };
}
