import { centreOf } from "../../core/geometry.ts";
import type { Mesh, Surface } from "../mesh.ts";
import { type Pose, toMatrix, turn } from "../pose.ts";

/**
 * The facets of a mesh where they stand in the scene, in single precision: within 10 µm at 100 mm. Sines are rounded:
 * engines may differ in their last bits.
 */
export function placedSurface({ mesh, pose }: { readonly mesh: Mesh; readonly pose: Pose }): Surface {
  const [a, b, c, d, e, f, g, h, i] = toMatrix(pose.orientation).map((value) => Math.fround(value) * pose.scale);
  const [u, v, w] = pose.position;
  const [ox, oy, oz] = turn([a, b, c, d, e, f, g, h, i], centreOf(mesh.box));
  const vertices = new Float32Array(mesh.vertices.length);
  for (let at = 0; at < vertices.length; at += 3) {
    const x = mesh.vertices[at];
    const y = mesh.vertices[at + 1];
    const z = mesh.vertices[at + 2];
    vertices[at] = a * x + b * y + c * z + (u - ox);
    vertices[at + 1] = d * x + e * y + f * z + (v - oy);
    vertices[at + 2] = g * x + h * y + i * z + (w - oz);
  }
  return { vertices, triangles: mesh.triangles };
}
