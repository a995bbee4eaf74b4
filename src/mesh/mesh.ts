import type { Box } from "../core/geometry.ts";

/**
 * Triangles as a file gave them: any vertex order, duplicates and defects included. Coordinates in the file's own unit.
 * Corners of triangle t are `triangles[3t]`, `[3t+1]`, `[3t+2]`, counter-clockwise seen from outside.
 */
export interface Surface {
  readonly vertices: Float32Array | Float64Array;
  readonly triangles: Uint32Array;
}

/**
 * An immutable triangle mesh in millimetres, in canonical form: vertices are single precision, without −0, sorted by
 * (x, y, z) and unique by position; each triangle starts at its smallest index; triangles are sorted. So the same
 * surface has the same bytes whatever file it came from, and `hash` (lower-case hex SHA-256 over those bytes) names it.
 * Both arrays lie in shared memory: sending a mesh to another thread copies nothing.
 */
export interface Mesh {
  readonly hash: string;
  /** x, y, z of each vertex. */
  readonly vertices: Float32Array;
  /** Three vertex indices per triangle, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array;
  readonly box: Box;
  /** Sum of signed tetrahedra; negative for a mesh that is inside out. */
  readonly volumeMm3: number;
  /** Of the solid that the mesh stands for; only of one with gaps, or with facets or bodies that face the wrong way. */
  readonly solidVolumeMm3?: number;
  readonly areaMm2: number;
}

export const vertexCount = (surface: Surface): number => surface.vertices.length / 3;
export const triangleCount = (surface: Surface): number => surface.triangles.length / 3;

/** The bits of −0 in single precision, which no mesh holds. */
export const NEGATIVE_ZERO = -0x8000_0000;
