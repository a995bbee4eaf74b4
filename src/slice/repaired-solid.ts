import type { Progress } from "../core/progress.ts";
import { toSharedMemory } from "../core/typed-arrays.ts";
import { closedManifoldFact } from "../mesh/mesh-facts.ts";
import type { Mesh, Surface } from "../mesh/mesh.ts";
import { orientBodies } from "../repair/orientation.ts";
import { repairTopology } from "../repair/repair-topology.ts";

/** The surface that is sliced for a mesh, in shared memory. */
export interface RepairedSolid {
  readonly vertices: Surface["vertices"];
  readonly triangles: Uint32Array;
  /** Whether it still has gaps: its outlines may be open. */
  readonly isOpen: boolean;
}

/** Progress at the end of the check of the mesh, and of the repair of a mesh with gaps. */
const SHARES = { checked: 0.2, repaired: 0.9 };

/**
 * The mesh, repaired for slicing. A closed manifold stays as it is, but bodies that are inside out are turned. A mesh with gaps or
 * inverted facets (imported with `repair_behavior` `IGNORE`) gets its topology repaired.
 */
export function repairedSolid(mesh: Mesh, progress: Progress): RepairedSolid {
  const { checked, repaired } = SHARES;
  const { isOpen, hasInward } = closedManifoldFact(mesh, progress.part(0, checked));
  if (!isOpen) return toSolid(hasInward ? orientBodies(mesh, progress.part(checked, 1)) : mesh, false);
  const closed = repairTopology(mesh, progress.part(checked, repaired));
  return toSolid(closed, closedManifoldFact(closed, progress.part(repaired, 1)).isOpen);
}

const toSolid = ({ vertices, triangles }: Surface, isOpen: boolean): RepairedSolid => ({
  vertices: toSharedMemory(vertices),
  triangles: toSharedMemory(triangles),
  isOpen,
});
