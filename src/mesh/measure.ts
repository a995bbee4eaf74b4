import type { Box } from "../core/geometry.ts";
import { centreOf } from "../core/geometry.ts";
import type { Surface } from "./mesh.ts";

export interface Measures {
  readonly box: Box;
  readonly volumeMm3: number;
  readonly areaMm2: number;
}

/** Box, signed volume and area of facets, in double. All vertices count for the box. */
export function measure(vertices: Float32Array, triangles: Uint32Array): Measures {
  const box = boxOf(vertices);
  // Tetrahedra about the middle of the box: a model far from its coordinate origin loses no digits.
  const [x, y, z] = centreOf(box);
  let volume6 = 0;
  let area2 = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const a = 3 * triangles[at];
    const b = 3 * triangles[at + 1];
    const c = 3 * triangles[at + 2];
    const ax = vertices[a];
    const ay = vertices[a + 1];
    const az = vertices[a + 2];
    const ux = vertices[b] - ax;
    const uy = vertices[b + 1] - ay;
    const uz = vertices[b + 2] - az;
    const vx = vertices[c] - ax;
    const vy = vertices[c + 1] - ay;
    const vz = vertices[c + 2] - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    volume6 += (ax - x) * nx + (ay - y) * ny + (az - z) * nz;
    area2 += Math.sqrt(nx * nx + ny * ny + nz * nz);
  }
  return { box, volumeMm3: volume6 / 6, areaMm2: area2 / 2 };
}

/** The box of vertices given as x, y, z of each. */
export function boxOf(vertices: Surface["vertices"]): Box {
  let [minX, minY, minZ] = vertices;
  let [maxX, maxY, maxZ] = vertices;
  for (let at = 3; at < vertices.length; at += 3) {
    const x = vertices[at];
    const y = vertices[at + 1];
    const z = vertices[at + 2];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  return { min: [minX, minY, minZ], max: [maxX, maxY, maxZ] };
}
