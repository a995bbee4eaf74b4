import { edgesOf } from "../edges.ts";

/** In the place of a half-edge: the surface ends there. */
const NONE = 0xffff_ffff;

/** Of each half-edge of a manifold the one that runs along its edge the other way. */
export function twinsOf(triangles: Uint32Array, vertexCount: number): Uint32Array {
  const { halfEdges, runs } = edgesOf(triangles, vertexCount);
  const twins = new Uint32Array(triangles.length).fill(NONE);
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] !== 2) continue;
    const one = halfEdges[runs[edge]];
    const other = halfEdges[runs[edge] + 1];
    twins[one] = other;
    twins[other] = one;
  }
  return twins;
}
