import { createHash } from "node:crypto";
import { operationFailed } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import { compose, scaled } from "../geometry/transform.ts";
import { canonicalMesh, rescaleMesh } from "./canonical-mesh.ts";
import { type Latticed, type Mesh, type Surface, concatenateSurfaces } from "./mesh.ts";
import { strutTubes } from "./strut-tubes.ts";

export interface LatticedMesh {
  readonly mesh: Mesh;
  /** The stand-in shows only one of so many struts. */
  readonly step: number;
}

/**
 * A mesh that stands in for lattices and the triangles beside them (`strut-tubes.ts`). Throws OPERATION_FAILED if nothing of the lattices is
 * within their clipping solids and there are no triangles.
 */
export function latticedMesh({ lattices, skin }: Latticed, progress: Progress): LatticedMesh {
  const { surface, step } = strutTubes(lattices);
  const surfaces: Surface[] = skin ? [skin, surface] : [surface];
  if (!skin && surface.triangles.length === 0)
    throw operationFailed("Nothing of the lattice of the model is inside of its clipping mesh: export it again.");
  return { mesh: withLattices(canonicalMesh(concatenateSurfaces(surfaces), 1, progress), { lattices, skin }), step };
}

/** The mesh as the stand-in of lattices. The hash tells it from the mesh itself. */
export function withLattices(mesh: Mesh, latticed: Latticed): Mesh {
  return { ...mesh, hash: latticedHash(mesh.hash, latticed), latticed };
}

/** SHA-256 over all that the layers depend on. */
export function latticedHash(tubesHash: string, { lattices, skin }: Latticed): string {
  const hash = createHash("sha256").update(`${tubesHash} ${skin?.hash ?? ""}`);
  for (const { vertices, struts, radii, caps, balls, ballRadii, transform, clip } of lattices) {
    for (const array of [vertices, struts, radii, caps, balls, ballRadii])
      hash.update(`${array.length} `).update(array);
    hash.update(`${transform.join(" ")} ${clip ? `${clip.keeps} ${clip.mesh.hash}` : ""}`);
  }
  return hash.digest("hex");
}

/** {@link rescaleMesh}, with the lattices of the mesh. */
export function rescaleLatticed(mesh: Mesh, factor: number, progress: Progress): Mesh {
  const grown = rescaleMesh(mesh, factor, progress.part(0, 0.5));
  if (!mesh.latticed || factor === 1) return grown;
  const { lattices, skin } = mesh.latticed;
  const others = progress.part(0.5, 1);
  return withLattices(grown, {
    skin: skin && rescaleMesh(skin, factor, others),
    lattices: lattices.map(({ clip, ...lattice }) => ({
      ...lattice,
      transform: compose(lattice.transform, scaled(factor)),
      ...(clip && { clip: { ...clip, mesh: rescaleMesh(clip.mesh, factor, others) } }),
    })),
  });
}
