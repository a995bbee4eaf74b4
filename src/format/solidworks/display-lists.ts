import { Buffer } from "node:buffer";
import type { Progress } from "../../core/progress.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { growArray } from "../../core/typed-arrays.ts";
import { VertexWelder } from "../../mesh/welder.ts";
import { writeStrip } from "../triangle-strips.ts";
import { Triples } from "../triples.ts";

// The display lists of a Solidworks part: for each face the lengths of its triangle strips, their corners in metres, and the normals
// at them (cadmpeg, docs/formats/sldprt.md, CC BY 4.0). The data between the faces are not needed.

/** Heads of typed arrays: bytes per item, kind of item, 2; the number of items follows. */
const LENGTHS_HEAD = Buffer.from("040000000800000002000000", "hex");
const POINTS_HEAD = Buffer.from("0c0000006400000002000000", "hex");
const HEAD_BYTES = 16;
const POINT_BYTES = 12;
/** The shortest strip is a triangle. */
const MIN_STRIP = 3;
/** Larger coordinates, in metres, are some other data. */
const MAX_METRES = 1000;

export interface DisplayFaces {
  /** For each face: the offset of the lengths of its strips, their number, and the number of its points. */
  readonly faces: Uint32Array;
  readonly points: number;
  readonly triangles: number;
}

/** Finds the faces. Data that only look like a face are skipped: their numbers are inconsistent. */
export function findFaces(bytes: Buffer, progress: Progress): DisplayFaces {
  const faces = new Triples(new Uint32Array(3));
  let [points, triangles] = [0, 0];
  for (let at = bytes.indexOf(LENGTHS_HEAD); at >= 0;) {
    progress.report(at / bytes.length);
    const strips = countAt(bytes, at, LENGTHS_HEAD);
    const found = pointsOfFace(bytes, at, strips);
    if (found > 0) {
      faces.push(at + HEAD_BYTES, strips, found);
      points += found;
      triangles += found - (MIN_STRIP - 1) * strips;
    }
    const next = found > 0 ? pointsAtOf(at + HEAD_BYTES, strips) + POINT_BYTES * found : at + LENGTHS_HEAD.length;
    at = bytes.indexOf(LENGTHS_HEAD, next);
  }
  return { faces: faces.toArray(), points, triangles };
}

/** Offset of the points of a face. */
const pointsAtOf = (lengthsAt: number, strips: number): number => lengthsAt + 4 * strips + HEAD_BYTES;

/** The number of points of the face whose lengths have their head at `at`; 0 if there is no face. */
function pointsOfFace(bytes: Buffer, at: number, strips: number): number {
  const lengthsAt = at + HEAD_BYTES;
  const points = countAt(bytes, lengthsAt + 4 * strips, POINTS_HEAD);
  const pointsAt = pointsAtOf(lengthsAt, strips);
  // The same number of normals follows.
  if (points === 0 || countAt(bytes, pointsAt + POINT_BYTES * points, POINTS_HEAD) !== points) return 0;
  let left = points;
  for (let i = 0; i < strips; i++) {
    const length = bytes.readUInt32LE(lengthsAt + 4 * i);
    if (length < MIN_STRIP || length > left) return 0;
    left -= length;
  }
  if (left > 0) return 0;
  for (let i = 0; i < 3 * points; i++) {
    if (!(Math.abs(bytes.readFloatLE(pointsAt + 4 * i)) < MAX_METRES)) return 0;
  }
  return points;
}

/** The number of items of a typed array with this head; 0 if there is none or it is incomplete. */
function countAt(bytes: Buffer, at: number, head: Buffer): number {
  if (at + HEAD_BYTES > bytes.length || head.compare(bytes, at, at + head.length) !== 0) return 0;
  const count = bytes.readUInt32LE(at + head.length);
  return at + HEAD_BYTES + head[0] * count <= bytes.length ? count : 0;
}

/** The faces as one surface, metres, each point once: in the file every strip has its own points. */
export function surfaceOfFaces(bytes: Buffer, { faces, points, triangles }: DisplayFaces, progress: Progress): Surface {
  // Strips of one triangle have six points per vertex, longer ones two.
  const welder = new VertexWelder(points / 6);
  const made = new Uint32Array(3 * triangles);
  let [coordinates, indices] = [new Float32Array(0), new Uint32Array(0)];
  let at = 0;
  for (let face = 0; face < faces.length; face += 3) {
    progress.report(face / faces.length);
    const lengthsAt = faces[face];
    const strips = faces[face + 1];
    const count = faces[face + 2];
    const pointsAt = pointsAtOf(lengthsAt, strips);
    coordinates = growArray(coordinates, 3 * count);
    indices = growArray(indices, count);
    for (let i = 0; i < 3 * count; i++) coordinates[i] = bytes.readFloatLE(pointsAt + 4 * i);
    welder.add(coordinates, count, indices, 0);
    let first = 0;
    for (let i = 0; i < strips; i++) {
      const length = bytes.readUInt32LE(lengthsAt + 4 * i);
      at = writeStrip(made, at, indices, first, length);
      first += length;
    }
  }
  return { vertices: welder.takeVertices(), triangles: made };
}
