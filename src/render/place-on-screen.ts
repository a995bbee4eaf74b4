import type { Watch } from "../core/watch.ts";
import { type Mesh, triangleCount } from "../mesh/mesh.ts";
import { type Affine, after, mapPoints } from "./affine.ts";
import type { Drawn } from "./rasterise.ts";
import { TO_THIN_ROWS } from "./samples.ts";

/** A body in the world. */
export interface Placed {
  readonly mesh: Mesh;
  /** From the mesh's coordinates to the world's. */
  readonly place: Affine;
  /** See `Drawn`. */
  readonly firstFacet: number;
  readonly isSolid: boolean;
}

export type OnScreen<Body extends Placed> = Body & Drawn & { readonly toScreen: Affine };

/** Maps the vertices of all bodies onto the screen, once for a picture. */
export const placeOnScreen = <Body extends Placed>(
  bodies: readonly Body[],
  worldToScreen: Affine,
  watch: Watch,
): OnScreen<Body>[] =>
  bodies.map((body, i) => {
    watch.report(i / bodies.length);
    const toScreen = after(body.place, worldToScreen);
    const points = mapPoints(body.mesh.vertices, after(toScreen, TO_THIN_ROWS));
    return { ...body, toScreen, points, triangles: body.mesh.triangles };
  });

/** The number of facets of bodies that are numbered through. */
export function facetCount(bodies: readonly Placed[]): number {
  const last = bodies.at(-1);
  return last === undefined ? 0 : last.firstFacet + triangleCount(last.mesh);
}
