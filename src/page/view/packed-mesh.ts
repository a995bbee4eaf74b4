import { type Box, boxOf } from "../../geometry/box.ts";

/** A mesh as it comes from `/ui/mesh/`, a view into the bytes of the answer. */
export interface PackedMesh {
  /** x, y, z of each vertex, in the coordinates of the mesh. */
  readonly positions: Float32Array<ArrayBuffer>;
  /** Three vertices of each triangle, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array<ArrayBuffer>;
  readonly box: Box;
}

/** "PWM1", read as a little-endian word. */
const MAGIC = 0x314d5750;
/** The word, and the counts of vertices and triangles. */
const HEADER_BYTES = 12;
/** Of a vertex and of a triangle: three words. */
const RECORD_BYTES = 12;

/**
 * Reads `PWM1`: the word, u32 vertices, u32 triangles, f32×3 of each vertex, u32×3 of each triangle, all little-endian, as the
 * machines are on which browsers run. Throws for bytes that are not that, so that no damaged answer reaches the graphics.
 */
export function readPackedMesh(bytes: ArrayBuffer): PackedMesh {
  if (bytes.byteLength < HEADER_BYTES) throw new Error(`A mesh of ${bytes.byteLength} bytes has no header.`);
  const [magic, vertexCount, triangleCount] = new Uint32Array(bytes, 0, 3);
  if (magic !== MAGIC) throw new Error("The answer is not a mesh: it does not begin with PWM1.");
  const expected = HEADER_BYTES + RECORD_BYTES * (vertexCount + triangleCount);
  if (bytes.byteLength !== expected) {
    throw new Error(`The mesh has ${bytes.byteLength} bytes; its counts ask for ${expected}.`);
  }
  if (vertexCount === 0 || triangleCount === 0) throw new Error("The mesh has no triangles.");
  const positions = new Float32Array(bytes, HEADER_BYTES, 3 * vertexCount);
  const triangles = new Uint32Array(bytes, HEADER_BYTES + RECORD_BYTES * vertexCount, 3 * triangleCount);
  return { positions, triangles, box: boxOf(positions) };
}
