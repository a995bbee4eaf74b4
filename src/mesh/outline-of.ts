import { centreOf } from "../core/geometry.ts";
import type { Mat3 } from "../core/geometry.ts";
import type { Mesh } from "./mesh.ts";
import type { Outline } from "./outline.ts";
import { convexHull } from "./convex-hull.ts";
import { slabsOf } from "./slabs.ts";

/**
 * The outline of a mesh turned by `rotation` about the centre of its box. Its box is that of all vertices, attained by
 * them to the bit in the arithmetic of {@link turn}.
 */
export function outlineOf(mesh: Mesh, rotation: Mat3): Outline {
  const { vertices } = mesh;
  const [ox, oy, oz] = centreOf(mesh.box);
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = rotation;
  const xs = new Float64Array(vertices.length / 3);
  const ys = new Float64Array(vertices.length / 3);
  const zs = new Float64Array(vertices.length / 3);
  let [minX, minY, minZ] = [Infinity, Infinity, Infinity];
  let [maxX, maxY, maxZ] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < xs.length; i++) {
    const px = vertices[3 * i] - ox;
    const py = vertices[3 * i + 1] - oy;
    const pz = vertices[3 * i + 2] - oz;
    const x = m0 * px + m1 * py + m2 * pz;
    const y = m3 * px + m4 * py + m5 * pz;
    const z = m6 * px + m7 * py + m8 * pz;
    xs[i] = x;
    ys[i] = y;
    zs[i] = z;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  return {
    box: { min: [minX, minY, minZ], max: [maxX, maxY, maxZ] },
    hullXy: convexHull(xs, ys),
    slabs: slabsOf({ xs, ys, zs }, mesh.triangles, minZ, maxZ),
  };
}
