import type { BuildVolume } from "../core/geometry.ts";
import type { Watch } from "../core/watch.ts";
import { type Mesh, triangleCount } from "../mesh/mesh.ts";
import { soundnessOf } from "../mesh/soundness.ts";
import { placing } from "./affine.ts";
import { cornerNormals } from "./corner-normals.ts";
import { type GroundShadow, groundShadow } from "./ground-shadow.ts";
import { inSpaceOrder } from "./in-space-order.ts";
import type { Item, Stage } from "./item.ts";
import type { Placed } from "./place-on-screen.ts";

/** A body with all that does not depend on the view. */
export interface Body extends Item, Placed {
  /** Of its corners, see `cornerNormals`. */
  readonly normals: Int16Array;
}

/** A stage ready to be drawn from any side. All that is large lies in shared memory, so threads can share one. */
export interface Prepared {
  readonly volume: BuildVolume;
  readonly bodies: readonly Body[];
  readonly shadow: GroundShadow;
}

/** What makes each picture faster takes as long as the first one gains by it, so it is left out for that alone. */
export type Purpose = "onePicture" | "manyPictures";

/** A mesh with all that does not depend on where it stands. */
interface Looked {
  readonly mesh: Mesh;
  readonly normals: Int16Array;
  readonly isSolid: boolean;
}

/** Share of the progress at which the meshes are looked over, and within that of one the order and solidity. */
const LOOKED = 0.8;
const [ORDERED, EXAMINED] = [0.3, 0.5];

/** Works out once what every picture of a stage needs. */
export function prepare({ volume, items }: Stage, purpose: Purpose, watch: Watch): Prepared {
  const meshes = [...new Set(items.map(({ mesh }) => mesh))];
  const look = purpose === "onePicture" ? lookOnce : lookThoroughly;
  const looked = new Map(
    meshes.map((mesh, i) => {
      const part = watch.part((LOOKED * i) / meshes.length, (LOOKED * (i + 1)) / meshes.length);
      return [mesh, look(mesh, part)];
    }),
  );
  let facets = 0;
  // The order of bodies decides which of two is seen where their surfaces are one: it must not come from the scene's.
  const bodies = items.toSorted(byKindMeshAndPlace).map((item): Body => {
    const firstFacet = facets;
    facets += triangleCount(item.mesh);
    return { ...item, ...looked.get(item.mesh)!, place: placing(item.mesh, item.pose), firstFacet };
  });
  return { volume, bodies, shadow: groundShadow(bodies, volume, watch.part(LOOKED, 1)) };
}

const lookOnce = (mesh: Mesh, watch: Watch): Looked => ({ mesh, normals: cornerNormals(mesh, watch), isSolid: false });

function lookThoroughly(mesh: Mesh, watch: Watch): Looked {
  const ordered = inSpaceOrder(mesh, watch.part(0, ORDERED));
  const { isOpen, hasInward } = soundnessOf(ordered, watch.part(ORDERED, EXAMINED));
  const normals = cornerNormals(ordered, watch.part(EXAMINED, 1));
  return { mesh: ordered, normals, isSolid: !isOpen && !hasInward };
}

function byKindMeshAndPlace(a: Item, b: Item): number {
  const [one, other] = [a, b].map(({ kind, mesh, pose }) => JSON.stringify([kind, mesh.hash, pose]));
  return one < other ? -1 : one > other ? 1 : 0;
}
