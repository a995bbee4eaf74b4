import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../../core/api-error.ts";
import { VERSION } from "../../core/version.ts";
import { type Transform, poseTransform } from "../../geometry/transform.ts";
import { type Mesh, triangleCount, vertexCount } from "../../mesh/mesh.ts";
import { BODY_COLOURS, BODY_KIND_NAMES, linearLight, objectKey } from "../body-kinds.ts";
import type { BodyKind, ModelWriter, WrittenBody } from "../model-writer.ts";

/**
 * Binary glTF 2.0: a node for each body, with its name and pose in millimetres, below a node that rotates and scales the scene to
 * metres with y up; a mesh for each mesh and kind of body, which has the colour of the kind. Without normals, so that viewers show
 * flat facets.
 */
export const glbWriter: ModelWriter = {
  *chunks(bodies, refuse, progress) {
    const meshes = [...new Map(bodies.map(({ mesh }) => [mesh.hash, mesh])).values()];
    const json = padded(new TextEncoder().encode(JSON.stringify(documentOf(bodies, meshes))));
    const binaryBytes = meshes.reduce((sum, mesh) => sum + byteLengthOf(mesh), 0);
    const size = 12 + 8 + json.length + 8 + binaryBytes;
    requireSize(size, refuse);
    yield uint32s(MAGIC, 2, size, json.length, JSON_CHUNK);
    yield json;
    yield uint32s(binaryBytes, BINARY_CHUNK);
    let done = 0;
    for (const mesh of meshes) {
      for (const array of [mesh.vertices, mesh.triangles]) {
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
        for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
          progress.report((done + at) / binaryBytes);
          yield bytes.subarray(at, at + CHUNK_BYTES);
        }
        done += bytes.length;
      }
    }
  },
};

// Source of all numbers: glTF 2.0, sections 3.6.2, 3.7.2 and 4.4.
const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const MAX_BYTES = 2 ** 32 - 1;
const FLOAT = 5126;
const UNSIGNED_INT = 5125;
const ARRAY_BUFFER = 34962;
const ELEMENT_ARRAY_BUFFER = 34963;
const CHUNK_BYTES = 2 ** 24;

/** From millimetres with z up to metres with y up, by columns. */
const TO_METRES_Y_UP = [0.001, 0, 0, 0, 0, 0, -0.001, 0, 0, 0.001, 0, 0, 0, 0, 0, 1];
/** Looks like plastic. */
const ROUGHNESS = 0.7;

const byteLengthOf = ({ vertices, triangles }: Mesh): number => vertices.byteLength + triangles.byteLength;

/** Little-endian. */
const uint32s = (...values: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32LE(value, 4 * i));
  return bytes;
};

/** Chunks are multiples of four bytes; those of JSON are padded with spaces. */
const padded = (json: Uint8Array): Uint8Array => Buffer.concat([json, Buffer.alloc(-json.length & 3, " ")]);

function requireSize(bytes: number, refuse: ErrorFactory): void {
  if (bytes <= MAX_BYTES) return;
  throw refuse(
    `it would have ${bytes} bytes, and a GLB file holds ${MAX_BYTES} at most; export fewer models, or as 3MF`,
  );
}

/** The JSON of the file. */
function documentOf(bodies: readonly WrittenBody[], meshes: readonly Mesh[]): object {
  const kinds = [...new Set(bodies.map(({ kind }) => kind))];
  const objects = [...new Map(bodies.map((body) => [objectKey(body), body])).values()];
  const objectIndex = new Map(objects.map((body, i) => [objectKey(body), i]));
  const meshIndex = new Map(meshes.map(({ hash }, i) => [hash, i]));
  const starts = [0];
  for (const mesh of meshes) starts.push(starts[starts.length - 1] + byteLengthOf(mesh));
  return {
    asset: { version: "2.0", generator: `Printwright ${VERSION}` },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [
      { name: "Scene", matrix: TO_METRES_Y_UP, children: bodies.map((_, i) => i + 1) },
      ...bodies.map((body) => ({
        name: body.name.toWellFormed(),
        // Each body is in the map.
        mesh: objectIndex.get(objectKey(body))!,
        ...matrixOf(poseTransform(body)),
      })),
    ],
    meshes: objects.map(({ mesh, kind }) => {
      const index = meshIndex.get(mesh.hash)!;
      const primitive = { attributes: { POSITION: 2 * index }, indices: 2 * index + 1, material: kinds.indexOf(kind) };
      return { primitives: [primitive] };
    }),
    materials: kinds.map(materialOf),
    accessors: meshes.flatMap((mesh, i) => [
      {
        bufferView: 2 * i,
        componentType: FLOAT,
        count: vertexCount(mesh),
        type: "VEC3",
        min: mesh.box.min,
        max: mesh.box.max,
      },
      { bufferView: 2 * i + 1, componentType: UNSIGNED_INT, count: 3 * triangleCount(mesh), type: "SCALAR" },
    ]),
    bufferViews: meshes.flatMap(({ vertices, triangles }, i) => [
      { buffer: 0, byteOffset: starts[i], byteLength: vertices.byteLength, target: ARRAY_BUFFER },
      {
        buffer: 0,
        byteOffset: starts[i] + vertices.byteLength,
        byteLength: triangles.byteLength,
        target: ELEMENT_ARRAY_BUFFER,
      },
    ]),
    buffers: [{ byteLength: starts[meshes.length] }],
  };
}

const materialOf = (kind: BodyKind): object => ({
  name: BODY_KIND_NAMES[kind],
  pbrMetallicRoughness: {
    baseColorFactor: [...linearLight(BODY_COLOURS[kind]), 1],
    metallicFactor: 0,
    roughnessFactor: ROUGHNESS,
  },
});

/** Stored by columns. */
const matrixOf = ([a, b, c, d, e, f, g, h, i, x, y, z]: Transform): { matrix: number[] } => ({
  matrix: [a, b, c, 0, d, e, f, 0, g, h, i, 0, x, y, z, 1],
});
