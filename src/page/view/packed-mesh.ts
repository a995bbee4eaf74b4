import { type Box, boxOf } from "../../geometry/box.ts";
import type { Vec3 } from "../../geometry/vector.ts";

/** A mesh from `/ui/mesh/`; its arrays are views of the answer's bytes. */
export interface PackedMesh {
  /** x, y, z of each vertex in mesh coordinates. */
  readonly positions: Float32Array<ArrayBuffer>;
  /** Three vertex indices per triangle, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array<ArrayBuffer>;
  readonly box: Box;
}

/** Position of a vertex, whose index is in range. */
export const packedVertexAt = (positions: Float32Array, vertex: number): Vec3 => [
  positions[3 * vertex]!,
  positions[3 * vertex + 1]!,
  positions[3 * vertex + 2]!,
];

/** "PWM1" as a little-endian 32-bit word. */
const MAGIC = 0x314d5750;
/** Magic word and the numbers of vertices and triangles. */
const HEADER_BYTES = 12;
/** Size of a vertex and of a triangle: three 32-bit words. */
const RECORD_BYTES = 12;

/**
 * Reads the format `PWM1`: magic word, u32 number of vertices, u32 number of triangles, 3 × f32 per vertex, 3 × u32 per triangle, all
 * little-endian like the machines that run browsers. Throws for other bytes, so that no damaged answer is drawn.
 */
export function readPackedMesh(bytes: ArrayBuffer): PackedMesh {
  if (bytes.byteLength < HEADER_BYTES) throw new Error(`A mesh of ${bytes.byteLength} bytes has no header.`);
  const [magic, vertexCount = 0, triangleCount = 0] = new Uint32Array(bytes, 0, 3);
  if (magic !== MAGIC) throw new Error("The answer is not a mesh: it does not begin with PWM1.");
  const expected = HEADER_BYTES + RECORD_BYTES * (vertexCount + triangleCount);
  if (bytes.byteLength !== expected) {
    throw new Error(`The mesh has ${bytes.byteLength} bytes; its header announces ${expected}.`);
  }
  if (vertexCount === 0 || triangleCount === 0) throw new Error("The mesh has no triangles.");
  const positions = new Float32Array(bytes, HEADER_BYTES, 3 * vertexCount);
  const triangles = new Uint32Array(bytes, HEADER_BYTES + RECORD_BYTES * vertexCount, 3 * triangleCount);
  return { positions, triangles, box: boxOf(positions) };
}
