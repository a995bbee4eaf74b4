import type { Watch } from "../core/watch.ts";
import { canonicalMesh } from "./canonical.ts";
import type { Mesh } from "./mesh.ts";
import { withSolidVolume } from "./solid-volume.ts";
import { solidsOf } from "./solids.ts";
import { takenApart } from "./taken-apart.ts";

/** Share of the work at which the solids are known. */
const FOUND = 0.4;

/** The solids of a mesh. */
export interface Split {
  readonly count: number;
  /** Each as a mesh of its own, its facets as they were, to the bit; none where there is one, or more than were asked for. */
  readonly meshes: readonly Mesh[];
}

/** Takes a mesh of at most so many solids apart. */
export function splitBodies(mesh: Mesh, most: number, watch: Watch): Split {
  const { count, solidOf } = solidsOf(mesh, watch.part(0, FOUND));
  if (count <= 1 || count > most) return { count, meshes: [] };
  const meshes = takenApart(mesh, solidOf, count).map((surface, solid) => {
    const part = watch.part(FOUND + ((1 - FOUND) * solid) / count, FOUND + ((1 - FOUND) * (solid + 1)) / count);
    const piece = canonicalMesh(surface, 1, part);
    return mesh.solidVolumeMm3 === undefined ? piece : withSolidVolume(piece, part);
  });
  return { count, meshes };
}
