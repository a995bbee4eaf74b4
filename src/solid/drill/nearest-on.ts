import type { Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { pointToFacet } from "../../mesh/bvh/point-to-facet.ts";
import type { Mesh } from "../../mesh/mesh.ts";

const FACETS_PER_REPORT = 65_536;

/**
 * The nearest place on a mesh that is nearer than `limitMm`, if there is one. It looks at every facet, which takes less than
 * a tree for a few questions of a large mesh.
 */
export function nearestOn(mesh: Mesh, [x, y, z]: Vec3, limitMm: number, watch: Watch): Vec3 | undefined {
  const { vertices, triangles } = mesh;
  // A corner that is near spares most facets a closer look.
  let reach = Math.min(limitMm, distanceToCorners(vertices, x, y, z));
  let least = limitMm * limitMm;
  let best: Vec3 | undefined;
  const corners = new Float32Array(9);
  const on = { v: 0, w: 0 };
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * FACETS_PER_REPORT) === 0) watch.report(at / triangles.length);
    const a = 3 * triangles[at];
    const b = 3 * triangles[at + 1];
    const c = 3 * triangles[at + 2];
    if (isApart(vertices[a], vertices[b], vertices[c], x, reach)) continue;
    if (isApart(vertices[a + 1], vertices[b + 1], vertices[c + 1], y, reach)) continue;
    if (isApart(vertices[a + 2], vertices[b + 2], vertices[c + 2], z, reach)) continue;
    for (let axis = 0; axis < 3; axis++) {
      corners[axis] = vertices[a + axis];
      corners[3 + axis] = vertices[b + axis];
      corners[6 + axis] = vertices[c + axis];
    }
    const squared = pointToFacet(corners, 0, x, y, z, on);
    if (squared >= least) continue;
    least = squared;
    reach = Math.min(reach, Math.sqrt(squared));
    const along = (axis: number): number =>
      corners[axis] + on.v * (corners[3 + axis] - corners[axis]) + on.w * (corners[6 + axis] - corners[axis]);
    best = [along(0), along(1), along(2)];
  }
  return best;
}

const isApart = (a: number, b: number, c: number, place: number, reach: number): boolean =>
  Math.min(a, b, c) - place > reach || place - Math.max(a, b, c) > reach;

function distanceToCorners(vertices: Float32Array, x: number, y: number, z: number): number {
  let least = Infinity;
  for (let at = 0; at < vertices.length; at += 3) {
    const [dx, dy, dz] = [vertices[at] - x, vertices[at + 1] - y, vertices[at + 2] - z];
    least = Math.min(least, dx * dx + dy * dy + dz * dz);
  }
  return Math.sqrt(least);
}
