import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import { readWholeFile } from "../../core/read-file.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { COMPOUND_SIGNATURE, compoundStreams } from "../compound-file.ts";
import { displayMeshWarning } from "../display-mesh.ts";
import type { ModelReader } from "../model-formats.ts";
import { MAX_CAD_FILE_BYTES, claimModelBytes, claimModelSize } from "../model-size.ts";
import { faceRecords } from "./graphics-segment.ts";

const CENTIMETRE_MM = 10;

/** Inventor parts (`.ipt`), by their display mesh. */
export const inventorReader: ModelReader = {
  async read(file, _options, progress) {
    progress.report(0);
    const refuse: ErrorFactory = (why) => fileError("read", file, why);
    const bytes = readWholeFile(file, MAX_CAD_FILE_BYTES, (size) => claimModelBytes(file, 2 * size));
    if (Buffer.from(bytes.subarray(0, 8)).toString("hex") !== COMPOUND_SIGNATURE) {
      throw refuse(`it is no Inventor file, or it is damaged; ${ADVICE}`);
    }
    const claim = (size: number): void => claimModelBytes(file, 2 * bytes.length + size);
    const records = faceRecords(compoundStreams(bytes, refuse), claim, refuse);
    if (!records) throw refuse(`it holds no display mesh; ${ADVICE}`);
    progress.report(0.5);
    const faces = records.flatMap((record) => faceOf(record) ?? []);
    if (faces.length === 0) throw refuse(`it holds no solid or surface to display; ${ADVICE}`);
    const surface = joined(faces, (facets, vertices) => claimModelSize(file, { facets, vertices, parts: 1 }, refuse));
    progress.report(1);
    return {
      parts: [{ index: 0, surface }],
      unitMm: CENTIMETRE_MM,
      hasSeparateFaces: true,
      warnings: [displayMeshWarning("Inventor")],
    };
  },
};

const ADVICE = "in Inventor, rebuild it and save it again, or export it as STEP";

/** Where the points and the corners of the triangles of a face lie. */
interface Face {
  readonly points: Buffer;
  readonly corners: Buffer;
}

/** Lists begin with this, the number of items and, unless that is 0, a capacity and a number of their field. */
const LIST_HEAD = Buffer.from("02000030", "hex");
const LIST_HEAD_BYTES = 16;
const POINT_BYTES = 12;
/** Farther from the origin lies no part, centimetres: it is some other data. */
const MAX_CENTIMETRES = 1e5;

/** The mesh of a face: the first list that holds points and is followed by one of their triangles. Lists of attributes may stand before it. */
function faceOf(record: Buffer): Face | undefined {
  for (let at = record.indexOf(LIST_HEAD); at >= 0; at = record.indexOf(LIST_HEAD, at + 1)) {
    const points = listAt(record, at, POINT_BYTES);
    const corners = points && listAt(record, at + LIST_HEAD_BYTES + points.length, 4);
    if (points && corners && areTriangles(corners, points.length / POINT_BYTES) && areCoordinates(points)) {
      return { points, corners };
    }
  }
  return undefined;
}

/** The items of a list that is not empty. */
function listAt(record: Buffer, at: number, itemBytes: number): Buffer | undefined {
  if (at + LIST_HEAD_BYTES > record.length || record.compare(LIST_HEAD, 0, 4, at, at + 4) !== 0) return undefined;
  const count = record.readUInt32LE(at + 4);
  const from = at + LIST_HEAD_BYTES;
  return count > 0 && from + count * itemBytes <= record.length
    ? record.subarray(from, from + count * itemBytes)
    : undefined;
}

function areTriangles(corners: Buffer, points: number): boolean {
  if (corners.length % 12 !== 0) return false;
  for (let at = 0; at < corners.length; at += 4) if (corners.readUInt32LE(at) >= points) return false;
  return true;
}

function areCoordinates(points: Buffer): boolean {
  for (let at = 0; at < points.length; at += 4) {
    if (!(Math.abs(points.readFloatLE(at)) < MAX_CENTIMETRES)) return false;
  }
  return true;
}

/** The faces as one surface. `claim` gets its numbers of facets and vertices before it is made. */
function joined(faces: readonly Face[], claim: (facets: number, vertices: number) => void): Surface {
  const pointBytes = faces.reduce((sum, { points }) => sum + points.length, 0);
  const cornerBytes = faces.reduce((sum, { corners }) => sum + corners.length, 0);
  claim(cornerBytes / 12, pointBytes / POINT_BYTES);
  const vertices = new Float32Array(pointBytes / 4);
  const triangles = new Uint32Array(cornerBytes / 4);
  let [v, t] = [0, 0];
  for (const { points, corners } of faces) {
    const first = v / 3;
    for (let at = 0; at < points.length; at += 4) vertices[v++] = points.readFloatLE(at);
    for (let at = 0; at < corners.length; at += 4) triangles[t++] = first + corners.readUInt32LE(at);
  }
  return { vertices, triangles };
}
