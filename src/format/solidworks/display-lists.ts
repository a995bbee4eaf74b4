import { Buffer } from "node:buffer";
import type { Progress } from "../../core/progress.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { trianglesOfStrip, writeStrip } from "../triangle-strips.ts";

// The display lists of a Solidworks part: for each face the lengths of its triangle strips, their corners in metres, and the normals at them
// (cadmpeg, docs/formats/sldprt.md, CC BY 4.0). What lies between the faces is not needed.

/** Heads of typed arrays: bytes of an item, kind of item, 2; the number of items follows. */
const LENGTHS_HEAD = Buffer.from("040000000800000002000000", "hex");
const POINTS_HEAD = Buffer.from("0c0000006400000002000000", "hex");
const HEAD_BYTES = 16;
const POINT_BYTES = 12;
/** The shortest strip is a triangle. */
const MIN_STRIP = 3;
/** Farther from the origin lies no part, metres: it is some other data. */
const MAX_METRES = 1000;

/** A face in the bytes of display lists. */
interface Face {
  readonly lengths: readonly number[];
  /** Where its points begin, and how many they are. */
  readonly pointsAt: number;
  readonly points: number;
}

export interface DisplayFaces {
  readonly faces: readonly Face[];
  readonly points: number;
  readonly triangles: number;
}

/** Finds the faces. Data that only look like one are passed over: their numbers do not agree. */
export function findFaces(bytes: Buffer, progress: Progress): DisplayFaces {
  const faces: Face[] = [];
  let [points, triangles] = [0, 0];
  for (let at = bytes.indexOf(LENGTHS_HEAD); at >= 0;) {
    progress.report(at / bytes.length);
    const face = faceAt(bytes, at);
    if (face) {
      faces.push(face);
      points += face.points;
      triangles += face.lengths.reduce((sum, length) => sum + trianglesOfStrip(length), 0);
    }
    const next = face ? face.pointsAt + POINT_BYTES * face.points : at + LENGTHS_HEAD.length;
    at = bytes.indexOf(LENGTHS_HEAD, next);
  }
  return { faces, points, triangles };
}

function faceAt(bytes: Buffer, at: number): Face | undefined {
  const count = countAt(bytes, at, LENGTHS_HEAD);
  const pointsHead = at + HEAD_BYTES + 4 * count;
  const points = countAt(bytes, pointsHead, POINTS_HEAD);
  const pointsAt = pointsHead + HEAD_BYTES;
  // As many normals follow.
  if (points === 0 || countAt(bytes, pointsAt + POINT_BYTES * points, POINTS_HEAD) !== points) return undefined;
  const lengths = Array.from({ length: count }, (_, i) => bytes.readUInt32LE(at + HEAD_BYTES + 4 * i));
  if (lengths.some((length) => length < MIN_STRIP)) return undefined;
  if (lengths.reduce((sum, length) => sum + length, 0) !== points) return undefined;
  for (let i = 0; i < 3 * points; i++) {
    if (!(Math.abs(bytes.readFloatLE(pointsAt + 4 * i)) < MAX_METRES)) return undefined;
  }
  return { lengths, pointsAt, points };
}

/** The number of items of a typed array with this head; 0 where there is none, or not all of it. */
function countAt(bytes: Buffer, at: number, head: Buffer): number {
  if (at + HEAD_BYTES > bytes.length || head.compare(bytes, at, at + head.length) !== 0) return 0;
  const count = bytes.readUInt32LE(at + head.length);
  return at + HEAD_BYTES + head[0] * count <= bytes.length ? count : 0;
}

/** The faces as one surface, metres. */
export function surfaceOfFaces(bytes: Buffer, { faces, points, triangles }: DisplayFaces): Surface {
  const vertices = new Float32Array(3 * points);
  const indices = new Uint32Array(3 * triangles);
  let [vertex, at] = [0, 0];
  for (const face of faces) {
    for (let i = 0; i < 3 * face.points; i++) vertices[3 * vertex + i] = bytes.readFloatLE(face.pointsAt + 4 * i);
    for (const length of face.lengths) {
      const first = vertex;
      at = writeStrip(
        indices,
        at,
        Array.from({ length }, (_, i) => first + i),
      );
      vertex += length;
    }
  }
  return { vertices, triangles: indices };
}
