import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { growArray, releaseArrays, shrinkArray } from "../../core/typed-arrays.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { VertexWelder } from "../../mesh/welder.ts";
import { COMPOUND_SIGNATURE, compoundStreams } from "../../codec/compound-file.ts";
import { displayMeshWarning } from "../display-mesh.ts";
import type { ModelReader } from "../model-reader.ts";
import { MAX_CAD_FILE_BYTES, type ModelSize, claimModelBytes, claimModelSize } from "../model-size.ts";
import { countSentence } from "../message-names.ts";
import { visitFaces } from "./graphics-segment.ts";

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
    const mesh = new InventorMesh((size) => claimModelSize(file, size, refuse));
    const streams = compoundStreams(bytes, refuse);
    let faces = 0;
    let unread = 0;
    const isShown = await visitFaces(streams, claim, refuse, progress, (record) => {
      const face = faceOf(record);
      faces++;
      if (face) mesh.add(face);
      else unread++;
    });
    if (!isShown) throw refuse(`it holds no display mesh; ${ADVICE}`);
    releaseArrays(bytes);
    if (mesh.isEmpty) throw refuse(`it holds no solid or surface to display; ${ADVICE}`);
    const surface = mesh.surface();
    progress.report(1);
    return {
      parts: [{ index: 0, surface }],
      unitMm: CENTIMETRE_MM,
      separateFaces: {},
      warnings: [
        displayMeshWarning("Inventor"),
        ...countSentence(`Faces whose meshes cannot be read, of the ${faces} of the file`, unread),
      ],
    };
  },
};

const ADVICE = "in Inventor, rebuild it and save it again, or export it as STEP";

/** The bytes of the points and of the triangle corners of a face. */
interface Face {
  readonly points: Buffer;
  readonly corners: Buffer;
}

/** Lists begin with this, the number of items and, unless that is 0, a capacity and a number of their field. */
const LIST_HEAD = Buffer.from("02000030", "hex");
const LIST_HEAD_BYTES = 16;
const POINT_BYTES = 12;
/** No part is farther from the origin, centimetres: larger numbers are not coordinates. */
const MAX_CENTIMETRES = 1e5;

/** The mesh of a face: the first list that contains points and is followed by triangles of these. Lists of attributes may precede it. */
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

const FACETS_PER_CLAIM = 65_536;

/** Faces as one surface, with each point once: in the file each face has separate points. */
class InventorMesh {
  /** Called from time to time with the size before points are joined. */
  readonly #claim: (size: ModelSize) => void;
  readonly #welder = new VertexWelder(0);
  #claimedFacets = 0;
  #triangles = new Uint32Array(0);
  #triangleEnd = 0;
  #pointCount = 0;
  /** x, y, z of the points of a face, and their vertices. */
  #points = new Float32Array(0);
  #vertices = new Uint32Array(0);

  constructor(claim: (size: ModelSize) => void) {
    this.#claim = claim;
  }

  get isEmpty(): boolean {
    return this.#triangleEnd === 0;
  }

  add({ points, corners }: Face): void {
    const count = points.length / POINT_BYTES;
    this.#pointCount += count;
    const facets = (this.#triangleEnd + corners.length / 4) / 3;
    if (facets > this.#claimedFacets + FACETS_PER_CLAIM) this.#claimSize(facets);
    this.#points = growArray(this.#points, 3 * count);
    this.#vertices = growArray(this.#vertices, count);
    for (let i = 0; i < 3 * count; i++) this.#points[i] = points.readFloatLE(4 * i);
    this.#welder.add(this.#points, count, this.#vertices, 0);
    this.#triangles = growArray(this.#triangles, this.#triangleEnd + corners.length / 4);
    for (let at = 0; at < corners.length; at += 4) {
      this.#triangles[this.#triangleEnd++] = this.#vertices[corners.readUInt32LE(at)];
    }
  }

  surface(): Surface {
    this.#claimSize(this.#triangleEnd / 3);
    return { vertices: this.#welder.takeVertices(), triangles: shrinkArray(this.#triangles, this.#triangleEnd) };
  }

  #claimSize(facets: number): void {
    this.#claim({ facets, vertices: this.#pointCount, parts: 1 });
    this.#claimedFacets = facets;
  }
}
