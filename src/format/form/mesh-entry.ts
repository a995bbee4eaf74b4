import type { Fault } from "../../core/fault.ts";
import { MAX_COORDINATE_MM } from "../../core/units.ts";
import type { Watch } from "../../core/watch.ts";
import { hashOf } from "../../mesh/hash.ts";
import { measure } from "../../mesh/measure.ts";
import { type Mesh, NEGATIVE_ZERO } from "../../mesh/mesh.ts";

/** Path inside the archive of the mesh with this hash. */
export const meshEntryName = (hash: string): string => `meshes/${hash}.mesh`;

/** "PWMESH" and a version of two digits, in ASCII. */
const MAGIC = new TextEncoder().encode("PWMESH01");
const HEADER_BYTES = MAGIC.length + 8;

/** The bytes of a mesh's entry: views of the mesh, nothing copied. All machines that the runtimes run on are little-endian. */
export function meshPieces({ vertices, triangles }: Mesh): Uint8Array[] {
  const counts = Uint32Array.of(vertices.length / 3, triangles.length / 3);
  return [MAGIC, bytesOf(counts), bytesOf(vertices), bytesOf(triangles)];
}

const bytesOf = (array: Float32Array | Uint32Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/**
 * The mesh in the bytes of its entry, which stay its memory, checked against its hash and the rules of {@link Mesh}.
 * `refuse` makes the fault from what is wrong with it.
 */
export function parseMesh(
  bytes: Uint8Array<SharedArrayBuffer>,
  hash: string,
  refuse: (why: string) => Fault,
  watch: Watch,
): Mesh {
  const hasMagic = bytes.length >= HEADER_BYTES && MAGIC.every((byte, i) => bytes[i] === byte);
  if (!hasMagic) throw refuse("it does not begin as a mesh");
  const [vertexCount, triangleCount] = new Uint32Array(bytes.buffer, MAGIC.length, 2);
  const expected = HEADER_BYTES + 12 * vertexCount + 12 * triangleCount;
  if (bytes.length !== expected) throw refuse(`it has ${bytes.length} bytes where its counts ask for ${expected}`);
  if (triangleCount === 0) throw refuse("it has no triangles");
  const vertices = new Float32Array(bytes.buffer, HEADER_BYTES, 3 * vertexCount);
  const triangles = new Uint32Array(bytes.buffer, HEADER_BYTES + 12 * vertexCount, 3 * triangleCount);
  if (hashOf(vertices, triangles) !== hash) throw refuse("its content does not match its hash");
  watch.report(0.5);
  const fault = faultOfVertices(vertices) ?? faultOfTriangles(triangles, vertexCount);
  if (fault) throw refuse(fault);
  watch.report(0.8);
  return { hash, vertices, triangles, ...measure(vertices, triangles) };
}

/** Vertices must be finite, without −0, and strictly ascending. */
function faultOfVertices(vertices: Float32Array): string | undefined {
  const bits = new Int32Array(vertices.buffer, vertices.byteOffset, vertices.length);
  let [lastX, lastY, lastZ] = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < vertices.length; at += 3) {
    const x = vertices[at];
    const y = vertices[at + 1];
    const z = vertices[at + 2];
    if (!(Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) <= MAX_COORDINATE_MM)) return "a coordinate is out of range";
    if (bits[at] === NEGATIVE_ZERO || bits[at + 1] === NEGATIVE_ZERO || bits[at + 2] === NEGATIVE_ZERO) {
      return "a coordinate is −0";
    }
    const ascends = x > lastX || (x === lastX && (y > lastY || (y === lastY && z > lastZ)));
    if (!ascends) return "its vertices are not sorted";
    lastX = x;
    lastY = y;
    lastZ = z;
  }
  return undefined;
}

/** Triangles must be ascending, each in the least of its rotations, and use vertices that are there. */
function faultOfTriangles(triangles: Uint32Array, vertexCount: number): string | undefined {
  let [lastA, lastB, lastC] = [0, 0, 0];
  for (let at = 0; at < triangles.length; at += 3) {
    const a = triangles[at];
    const b = triangles[at + 1];
    const c = triangles[at + 2];
    if (a >= vertexCount || b >= vertexCount || c >= vertexCount) return "a triangle uses a vertex that is not there";
    if (a > b || a > c || (a === c && a !== b)) return "a triangle does not start at its least corner";
    if (a < lastA || (a === lastA && (b < lastB || (b === lastB && c < lastC)))) return "its triangles are not sorted";
    lastA = a;
    lastB = b;
    lastC = c;
  }
  return undefined;
}
