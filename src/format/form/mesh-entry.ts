import type { ErrorFactory } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { MAX_COORDINATE_MM } from "../../core/limits.ts";
import { meshHash } from "../../mesh/canonical-mesh.ts";
import { measureMesh } from "../../mesh/measure.ts";
import { withLattices } from "../../mesh/latticed-mesh.ts";
import { type Mesh, NEGATIVE_ZERO, newFacts, solidVolumeMm3 } from "../../mesh/mesh.ts";
import { latticePieces, parseLattices } from "./lattice-entry.ts";

/** Path inside the archive of the mesh with this hash. */
export const meshEntryName = (hash: string): string => `meshes/${hash}.mesh`;

/** "PWMESH" and a version of two digits, in ASCII. */
const MAGIC = new TextEncoder().encode("PWMESH01");
/** Of a mesh that stands in for lattices, which follow it (`lattice-entry.ts`). */
const LATTICED_MAGIC = new TextEncoder().encode("PWMESH02");
const HEADER_BYTES = MAGIC.length + 8;

/** The bytes of a mesh's entry, as views of the mesh without a copy. The runtimes support only little-endian machines. */
export function meshPieces(mesh: Mesh): Uint8Array[] {
  const { vertices, triangles, latticed } = mesh;
  const counts = Uint32Array.of(vertices.length / 3, triangles.length / 3);
  const pieces = [latticed ? LATTICED_MAGIC : MAGIC, bytesOf(counts), bytesOf(vertices), bytesOf(triangles)];
  return latticed ? [...pieces, ...latticePieces(latticed, solidVolumeMm3(mesh))] : pieces;
}

const bytesOf = (array: Float32Array | Uint32Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Memory for checking a mesh per byte of its entry: 120 bytes per facet, whose entry has 18 bytes (a facet and half a vertex). */
export const CHECK_BYTES_PER_BYTE = 7;

/**
 * The mesh in the bytes of its entry, checked against its hash and the canonical form of {@link Mesh}. Its arrays are
 * views of `bytes`. `refuse` makes an error of the cause.
 */
export function parseMesh(
  bytes: Uint8Array<SharedArrayBuffer>,
  hash: string,
  refuse: ErrorFactory,
  progress: Progress,
): Mesh {
  const hasMagic = (magic: Uint8Array): boolean => magic.every((byte, i) => bytes[i] === byte);
  const isLatticed = hasMagic(LATTICED_MAGIC);
  if (bytes.length < HEADER_BYTES || !(isLatticed || hasMagic(MAGIC))) throw refuse("it does not begin as a mesh");
  const [vertexCount, triangleCount] = new Uint32Array(bytes.buffer, MAGIC.length, 2);
  const expected = HEADER_BYTES + 12 * vertexCount + 12 * triangleCount;
  if (isLatticed ? bytes.length < expected : bytes.length !== expected)
    throw refuse(`it has ${bytes.length} bytes where its counts ask for ${expected}`);
  const vertices = new Float32Array(bytes.buffer, HEADER_BYTES, 3 * vertexCount);
  const triangles = new Uint32Array(bytes.buffer, HEADER_BYTES + 12 * vertexCount, 3 * triangleCount);
  const ownHash = meshHash(vertices, triangles);
  if (!isLatticed && ownHash !== hash) throw refuse("its content does not match its hash");
  progress.report(0.5);
  const mesh = checkedMesh({ vertices, triangles }, ownHash, refuse);
  if (!isLatticed) return mesh;
  const toMesh = (surface: CanonicalArrays): Mesh =>
    checkedMesh(surface, meshHash(surface.vertices, surface.triangles), refuse);
  const { latticed, volumeMm3 } = parseLattices(bytes, expected, toMesh, refuse);
  const whole = withLattices({ ...mesh, solidVolumeMm3: volumeMm3 }, latticed);
  if (whole.hash !== hash) throw refuse("its content does not match its hash");
  return whole;
}

type CanonicalArrays = Pick<Mesh, "vertices" | "triangles">;

/** The mesh of arrays, which must be in the canonical form. */
function checkedMesh({ vertices, triangles }: CanonicalArrays, hash: string, refuse: ErrorFactory): Mesh {
  if (triangles.length === 0) throw refuse("it has no triangles");
  const defect = vertexDefect(vertices) ?? triangleDefect(triangles, vertices.length / 3);
  if (defect) throw refuse(defect);
  return { hash, vertices, triangles, ...measureMesh(vertices, triangles), facts: newFacts() };
}

/** The first violated rule: vertices are finite, without −0, and strictly ascending. */
function vertexDefect(vertices: Float32Array): string | undefined {
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

/** The first violated rule: triangles use existing vertices, start at the smallest one, and ascend. */
function triangleDefect(triangles: Uint32Array, vertexCount: number): string | undefined {
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
