import { createHash } from "node:crypto";

/**
 * Lower-case hex SHA-256 of canonical arrays, over these little-endian bytes: vertex count (u32), triangle count (u32),
 * x, y, z of each vertex (f32), corners of each triangle (u32). The runtimes support little-endian machines alone.
 */
export function hashOf(vertices: Float32Array, triangles: Uint32Array): string {
  return createHash("sha256")
    .update(Uint32Array.of(vertices.length / 3, triangles.length / 3))
    .update(vertices)
    .update(triangles)
    .digest("hex");
}
