import { distanceToTriangle, shearedRay } from "../../geometry/sheared-ray.ts";
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

/**
 * Returns the first intersection of a ray (in mesh coordinates) with a mesh, within a range of the ray that begins at 0 or later. A ray through an
 * edge or a corner of a closed surface hits one of the facets there.
 */
export function firstHit(mesh: PackedMesh, ray: Ray, range: RayRange): SurfaceHit | undefined {
  const { positions, triangles } = mesh;
  const slack = ROUNDING * Math.max(...[...ray.origin, ...mesh.box.min, ...mesh.box.max].map(Math.abs));
  if (!meets(ray, mesh.box.min, mesh.box.max, slack, range)) return undefined;
  const blocks = facetBlocks(triangles, positions);
  const sheared = shearedRay(ray.origin, ray.direction);
  let nearest = range.to;
  let facet = -1;
  for (let block = 0; block < blocks.length / 6; block++) {
    const [min, max] = [packedVertexAt(blocks, 2 * block), packedVertexAt(blocks, 2 * block + 1)];
    if (!meets(ray, min, max, slack, { from: range.from, to: nearest })) continue;
    const end = Math.min(triangles.length, 3 * FACETS_OF_BLOCK * (block + 1));
    for (let t = 3 * FACETS_OF_BLOCK * block; t < end; t += 3) {
      const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
      const at = distanceToTriangle(positions, a, b, c, sheared);
      if (at >= range.from && at < nearest) [nearest, facet] = [at, t];
    }
  }
  if (facet < 0) return undefined;
  return { at: nearest, normal: triangleNormal(...cornersAt(positions, triangles, facet)), facet: facet / 3 };
}

/** Rounding errors of a ray's distance from a box, relative to the largest coordinate: a ray along a side of the box meets it. */
const ROUNDING = 16 * Number.EPSILON;

/** Corners of the facet whose first vertex index is at `t`. */
const cornersAt = (positions: Float32Array, triangles: Uint32Array, t: number): [Vec3, Vec3, Vec3] => [
  packedVertexAt(positions, triangles[t]!),
  packedVertexAt(positions, triangles[t + 1]!),
  packedVertexAt(positions, triangles[t + 2]!),
];

/** Whether a range of a ray meets a box that is larger by `slack` on each side. */
function meets({ origin, direction }: Ray, min: Vec3, max: Vec3, slack: number, range: RayRange): boolean {
  let { from, to } = range;
  for (const axis of AXIS_INDICES) {
    // For a ray parallel to the side, both ends are infinite; in the plane of the side they can be NaN, which does not narrow the range.
    const a = (min[axis] - slack - origin[axis]) / direction[axis];
    const b = (max[axis] + slack - origin[axis]) / direction[axis];
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return from <= to;
}
