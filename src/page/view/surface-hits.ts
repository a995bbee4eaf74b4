import { AXIS_INDICES, type Vec3, triangleNormal } from "../../geometry/vector.ts";
import { FACETS_OF_BLOCK, facetBlocks } from "./facet-blocks.ts";
import type { Ray } from "./orbit.ts";
import { type PackedMesh, packedVertexAt } from "./packed-mesh.ts";

/** A range of a ray, as multiples of its direction vector from its origin. */
export interface RayRange {
  readonly from: number;
  readonly to: number;
}

/** Intersection of a ray with a surface. */
export interface SurfaceHit {
  /** Multiple of the ray's direction vector from its origin. */
  readonly at: number;
  /** Outward normal of the facet, of any length. */
  readonly normal: Vec3;
  readonly facet: number;
}

/** Returns the first intersection of a ray (in mesh coordinates) with a mesh, within a range of the ray. */
export function firstHit(mesh: PackedMesh, ray: Ray, range: RayRange): SurfaceHit | undefined {
  if (!meets(ray, mesh.box.min, mesh.box.max, range)) return undefined;
  const { positions, triangles } = mesh;
  const blocks = facetBlocks(triangles, positions);
  let nearest = range.to;
  let facet = -1;
  for (let block = 0; block < blocks.length / 6; block++) {
    if (
      !meets(ray, packedVertexAt(blocks, 2 * block), packedVertexAt(blocks, 2 * block + 1), {
        from: range.from,
        to: nearest,
      })
    )
      continue;
    const end = Math.min(triangles.length, 3 * FACETS_OF_BLOCK * (block + 1));
    for (let t = 3 * FACETS_OF_BLOCK * block; t < end; t += 3) {
      const at = facetAt(positions, triangles, t, ray);
      if (at >= range.from && at < nearest) [nearest, facet] = [at, t];
    }
  }
  if (facet < 0) return undefined;
  return { at: nearest, normal: triangleNormal(...cornersAt(positions, triangles, facet)), facet: facet / 3 };
}

/** Corners of the facet whose first vertex index is at `t`. */
const cornersAt = (positions: Float32Array, triangles: Uint32Array, t: number): [Vec3, Vec3, Vec3] => [
  packedVertexAt(positions, triangles[t]!),
  packedVertexAt(positions, triangles[t + 1]!),
  packedVertexAt(positions, triangles[t + 2]!),
];

function meets({ origin, direction }: Ray, min: Vec3, max: Vec3, range: RayRange): boolean {
  let { from, to } = range;
  for (const axis of AXIS_INDICES) {
    // For a ray parallel to the side, both ends are infinite; in the plane of the side they can be NaN, which does not narrow the range.
    const a = (min[axis] - origin[axis]) / direction[axis];
    const b = (max[axis] - origin[axis]) / direction[axis];
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return from <= to;
}

/**
 * Intersection of a ray with a facet (Möller and Trumbore 1997); NaN if there is none. The corners are read here, not with
 * {@link cornersAt}: its arrays make a search of a million facets take 1.4 times as long.
 */
function facetAt(p: Float32Array, triangles: Uint32Array, t: number, { origin, direction }: Ray): number {
  const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
  const [ax, ay, az] = [p[a]!, p[a + 1]!, p[a + 2]!];
  const [ux, uy, uz] = [p[b]! - ax, p[b + 1]! - ay, p[b + 2]! - az];
  const [vx, vy, vz] = [p[c]! - ax, p[c + 1]! - ay, p[c + 2]! - az];
  const [dx, dy, dz] = direction;
  const [px, py, pz] = [dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx];
  const determinant = ux * px + uy * py + uz * pz;
  const [sx, sy, sz] = [origin[0] - ax, origin[1] - ay, origin[2] - az];
  const u = (sx * px + sy * py + sz * pz) / determinant;
  const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux];
  const v = (dx * qx + dy * qy + dz * qz) / determinant;
  return u >= 0 && v >= 0 && u + v <= 1 ? (vx * qx + vy * qy + vz * qz) / determinant : Number.NaN;
}
