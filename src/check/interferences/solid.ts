import { centreOf, type Mat3, subtract, times, type Vec3 } from "../../core/geometry.ts";
import { type PlacedTree, placeFacet, pointOfTree } from "../../mesh/bvh/placed-tree.ts";
import { windingNumber } from "../../mesh/bvh/winding-number.ts";
import { type Pose, toMatrix, transposed, turn } from "../../mesh/pose.ts";
import type { Placed } from "../../slice/placed.ts";
import type { MeshTree } from "./mesh-tree.ts";

/** A mesh where it stands. */
export interface Solid extends PlacedTree {
  readonly partFacets: Uint32Array;
  /** −1 for a mesh that is inside out: it bounds the solid that a person means all the same. */
  readonly facing: 1 | -1;
}

/**
 * How deep models may reach into each other and still only touch: well above what single precision makes of their places
 * (0.1 µm at 300 mm), and what in_bounds allows.
 */
export const SKIN_MM = 1e-3;

/**
 * The mesh where it stands as seen from where another does: near its place single precision is finest, and its own boxes are
 * not turned. Sines are rounded: engines may differ in their last bits.
 */
export function solidOf({ mesh, pose }: Placed, { tree, partFacets }: MeshTree, from: Pose): Solid {
  const back = transposed(toMatrix(from.orientation).map(Math.fround) as unknown as Mat3);
  const [x, y, z] = columnsOf(toMatrix(pose.orientation).map(Math.fround) as unknown as Mat3).map((axis) =>
    turn(back, axis),
  );
  const rotation: Mat3 = [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]];
  const toMiddle = turn(rotation, times(centreOf(mesh.box), pose.scale));
  const offset = subtract(turn(back, subtract(pose.position, from.position)), toMiddle);
  return { tree, partFacets, rotation, scale: pose.scale, offset, facing: mesh.volumeMm3 < 0 ? -1 : 1 };
}

const columnsOf = ([a, b, c, d, e, f, g, h, i]: Mat3): Vec3[] => [
  [a, d, g],
  [b, e, h],
  [c, f, i],
];

const corners = new Float32Array(9);

/** Whether the solid is inside the other one at the place just below the middle of a facet; not where it has no area. */
export function reachesInto(solid: Solid, facet: number, other: Solid): boolean {
  placeFacet(solid, facet, corners, 0);
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners;
  const [ux, uy, uz, vx, vy, vz] = [bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az];
  const normal: Vec3 = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const size = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
  if (size === 0) return false;
  const below = times(normal, (-solid.facing * SKIN_MM) / size);
  const place: Vec3 = [ax + (ux + vx) / 3 + below[0], ay + (uy + vy) / 3 + below[1], az + (uz + vz) / 3 + below[2]];
  return windingNumber(other.tree, pointOfTree(other, place)) !== 0;
}
