import type { BuildVolume } from "../core/geometry.ts";
import type { Watch } from "../core/watch.ts";
import { type Mesh, triangleCount } from "../mesh/mesh.ts";
import { type Affine, placing } from "./affine.ts";
import { cornerNormals } from "./corner-normals.ts";
import { type GroundShadow, groundShadow } from "./ground-shadow.ts";
import type { Item, Stage } from "./item.ts";

/** A body with all that does not depend on the view. */
export interface Body extends Item {
  /** From the mesh's coordinates to the world's. */
  readonly place: Affine;
  /** Of its corners, see `cornerNormals`. */
  readonly normals: Int16Array;
  /** Facets are numbered through all bodies; this is the number of its first. */
  readonly firstFacet: number;
}

/** A stage ready to be drawn from any side. */
export interface Prepared {
  readonly volume: BuildVolume;
  readonly bodies: readonly Body[];
  readonly shadow: GroundShadow;
}

/** Works out once what every picture of a stage needs. */
export function prepare({ volume, items }: Stage, watch: Watch): Prepared {
  const meshes = [...new Set(items.map(({ mesh }) => mesh))];
  const normals = new Map<Mesh, Int16Array>(
    meshes.map((mesh, i) => [
      mesh,
      cornerNormals(mesh, watch.part((0.6 * i) / meshes.length, (0.6 * (i + 1)) / meshes.length)),
    ]),
  );
  let facets = 0;
  const bodies = items.map((item): Body => {
    const firstFacet = facets;
    facets += triangleCount(item.mesh);
    return { ...item, place: placing(item.mesh, item.pose), normals: normals.get(item.mesh)!, firstFacet };
  });
  return { volume, bodies, shadow: groundShadow(bodies, volume, watch.part(0.6, 1)) };
}
