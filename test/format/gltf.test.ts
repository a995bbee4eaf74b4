import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import { noProgress } from "../../src/core/progress.ts";
import { gltfReader } from "../../src/format/gltf/gltf.ts";
import type { ModelFile } from "../../src/format/model-reader.ts";
import { boxOf } from "../../src/geometry/box.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { type GltfParts, glb, gltfParts, gltfText } from "../fixture/gltf-file.ts";
import { box, tetrahedron, torus } from "../fixture/shapes.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const file = temporaryFiles();
const readPath = (path: string): Promise<ModelFile> =>
  gltfReader.read(path, { chordalToleranceMm: 0.01, angleToleranceDeg: 5 }, noProgress);
const read = async (content: string | Uint8Array, name = "model.glb"): Promise<ModelFile> =>
  readPath(file(name, content));
const refused =
  (message: RegExp) =>
  (thrown: unknown): boolean => {
    assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", String(thrown));
    assert.match(thrown.message, message);
    return true;
  };
const hashOf = (surface: Surface): string => canonicalMesh(surface, 1, noProgress).hash;
const volumeOf = (surface: Surface): number => canonicalMesh(surface, 1, noProgress).volumeMm3;
const boundsOf = ({ vertices }: Surface): number[] => {
  const { min, max } = boxOf(Float64Array.from(vertices));
  return [...min, ...max].map((value) => Math.round(value * 1e5) / 1e5 + 0);
};
/** With z up, as the reader returns it. */
const upright = ({ vertices, triangles }: Surface): Surface => ({
  vertices: Float32Array.from(vertices, (_, i) =>
    i % 3 === 0 ? vertices[i] : i % 3 === 1 ? -vertices[i + 1] : vertices[i - 1],
  ),
  triangles,
});

/** A box from the origin: x 0 to 1, y 0 to 2, z 0 to 3. */
const CUBE: Surface = (() => {
  const { vertices, triangles } = box([1, 2, 3]);
  const { min } = boxOf(Float64Array.from(vertices));
  return { vertices: Float32Array.from(vertices, (value, i) => value - min[i % 3]), triangles };
})();

test("glTF is read with the shape that was written in metres with y up: as .glb, with embedded data, and with a second file", async () => {
  for (const surface of [CUBE, torus(10, 3)]) {
    const parts = gltfParts([surface]);
    file("the data.bin", parts.data);
    const files = [
      await read(glb(parts)),
      await read(gltfText(parts), "inside.gltf"),
      await read(gltfText(parts, "the%20data.bin"), "beside.gltf"),
    ];
    for (const { parts: made, unitMm, warnings } of files) {
      assert.deepEqual([unitMm, warnings, made.length, made[0].name], [1000, undefined, 1, "mesh 0"]);
      assert.equal(hashOf(made[0].surface), hashOf(upright(surface)));
    }
  }
});

test("nodes place their meshes, also nested, by matrices and by scale, turn and move", async () => {
  const half = Math.SQRT1_2;
  const nodes = [
    { name: "root", children: [1, 2, 3], translation: [0, 0, 10] },
    { name: "turned", mesh: 0, scale: [2, 1, 1], rotation: [0, 0, half, half], translation: [5, 0, 0] },
    { mesh: 0, matrix: [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 7, 0, 1] },
    { name: " ", children: [4] },
    { name: "small", mesh: 1 },
  ];
  const { parts } = await read(glb(gltfParts([CUBE, tetrahedron(3)], nodes)));
  assert.deepEqual(
    parts.map(({ index, name }) => [index, name]),
    [
      [0, "turned"],
      [1, "mesh 0"],
      [2, "small"],
    ],
  );
  // (x, y, z) becomes (5 - y, 2x, z + 10) with y up, and (x, -z, y) of that with z up.
  assert.deepEqual(boundsOf(parts[0].surface), [3, -13, 0, 5, -10, 2]);
  assert.deepEqual(boundsOf(parts[1].surface), [-1, -13, 7, 0, -10, 9]);
  assert.ok(Math.abs(volumeOf(parts[0].surface) - 12) < 1e-4);
  assert.ok(Math.abs(volumeOf(parts[1].surface) - 6) < 1e-4, "a mirrored body keeps its sign");
});

/** A document with one mesh of primitives, and separate bytes. */
function custom(
  primitives: readonly object[],
  accessors: readonly object[],
  bufferViews: readonly object[],
  data: Uint8Array,
  more: Readonly<Record<string, unknown>> = {},
): GltfParts {
  const buffers = [{ byteLength: data.length }];
  const shown = bufferViews.map((view) => ({ buffer: 0, ...view }));
  const { json } = gltfParts([], [{ mesh: 0 }], {
    meshes: [{ primitives }],
    accessors,
    bufferViews: shown,
    buffers,
    ...more,
  });
  return { json, data };
}

const bytesOf = (...arrays: readonly ArrayBufferView[]): Uint8Array =>
  Buffer.concat(arrays.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)));
const POINTS = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0);
const VIEW = { byteLength: POINTS.byteLength };
const FLOATS = { bufferView: 0, componentType: 5126, type: "VEC3", count: 5 };
const facetsOf = async (mode: number): Promise<number[][]> => {
  const { parts } = await read(glb(custom([{ attributes: { POSITION: 0 }, mode }], [FLOATS], [VIEW], bytesOf(POINTS))));
  const { triangles } = parts[0].surface;
  return Array.from({ length: triangles.length / 3 }, (_, i) => [...triangles.subarray(3 * i, 3 * i + 3)]);
};

test("strips turn every second triangle over, fans share their first corner, and indices are optional", async () => {
  assert.deepEqual(await facetsOf(5), [
    [0, 1, 2],
    [2, 1, 3],
    [2, 3, 4],
  ]);
  assert.deepEqual(await facetsOf(6), [
    [1, 2, 0],
    [2, 3, 0],
    [3, 4, 0],
  ]);
  assert.deepEqual(await facetsOf(4), [[0, 1, 2]]);
  await assert.rejects(facetsOf(1), refused(/no triangles/));
});

test("primitives of a mesh are one part, also if they are quantised and interleaved", async () => {
  const { vertices, triangles } = CUBE;
  const stride = 12;
  const interleaved = new Int16Array((vertices.length / 3) * (stride / 2));
  vertices.forEach(
    (value, i) => (interleaved[Math.floor(i / 3) * (stride / 2) + 1 + (i % 3)] = Math.round((value / 4) * 32_767)),
  );
  const corners = Uint16Array.from(triangles);
  const split = 2 * 9;
  const position = { bufferView: 0, byteOffset: 2, componentType: 5122, normalized: true, type: "VEC3", count: 8 };
  const indices = { bufferView: 1, componentType: 5123, type: "SCALAR" };
  const parts = custom(
    [
      { attributes: { POSITION: 0 }, indices: 1 },
      { attributes: { POSITION: 0 }, indices: 2 },
    ],
    [position, { ...indices, count: split }, { ...indices, byteOffset: 2 * split, count: corners.length - split }],
    [
      { byteLength: interleaved.byteLength, byteStride: stride },
      { byteOffset: interleaved.byteLength, byteLength: corners.byteLength },
    ],
    bytesOf(interleaved, corners),
    { nodes: [{ mesh: 0, scale: [4, 4, 4] }], extensionsRequired: ["KHR_mesh_quantization", "KHR_materials_unlit"] },
  );
  const model = await read(glb(parts));
  assert.equal(model.parts.length, 1);
  assert.ok(Math.abs(volumeOf(model.parts[0].surface) - 6) < 1e-2);
});

test("sparse values replace those of the accessor, or zeros", async () => {
  const changed = Float32Array.of(7, 8, 9);
  const sparse = {
    count: 1,
    indices: { bufferView: 1, componentType: 5121 },
    values: { bufferView: 2 },
  };
  const views = [VIEW, { byteOffset: 60, byteLength: 1 }, { byteOffset: 61, byteLength: 12 }];
  const data = bytesOf(POINTS, Uint8Array.of(1), changed);
  const shown = async (accessor: object): Promise<number[]> => {
    const { parts } = await read(glb(custom([{ attributes: { POSITION: 0 } }], [accessor], views, data)));
    return [...parts[0].surface.vertices].slice(0, 6);
  };
  assert.deepEqual(await shown({ ...FLOATS, sparse }), [0, 0, 0, 7, -9, 8]);
  const { bufferView: _, ...zeros } = FLOATS;
  assert.deepEqual(await shown({ ...zeros, sparse }), [0, 0, 0, 7, -9, 8]);
  await assert.rejects(shown({ ...FLOATS, sparse: { ...sparse, count: 9 } }), refused(/longer than what it changes/));
});

test("skins and morph targets are ignored with a warning", async () => {
  const { warnings } = await read(glb(gltfParts([CUBE], [{ mesh: 0, skin: 0 }])));
  assert.match(warnings![0], /skins or morph targets/);
});

test("only files in the folder of the document or below it are read", async () => {
  const parts = gltfParts([CUBE]);
  file("secret.bin", parts.data);
  file("inside/models/deep/data.bin", parts.data);
  const path = (uri: string): string => file("inside/models/part.gltf", gltfText(parts, uri));
  assert.equal((await readPath(path("deep/data.bin"))).parts.length, 1);
  const outside = [
    "../../secret.bin",
    file("secret.bin", parts.data),
    "http://localhost/data.bin",
    "file:///etc/passwd",
    "none.bin",
  ];
  for (const uri of outside) await assert.rejects(readPath(path(uri)), refused(/not in its folder or below/), uri);
});

const SOUND = gltfParts([CUBE]);
const altered = (more: Readonly<Record<string, unknown>>): Uint8Array =>
  glb({ ...SOUND, json: { ...SOUND.json, ...more } });
const [POINT_ACCESSOR, CORNER_ACCESSOR] = SOUND.json.accessors as object[];
const deep = Array.from({ length: 600 }, (_, i) => (i === 599 ? { mesh: 0 } : { children: [i + 1] }));

const WRONG: Readonly<Record<string, readonly [string | Uint8Array, RegExp]>> = {
  nothing: ["", /no glTF file/],
  text: ["solid part", /no glTF file/],
  "another document": ["{}", /wrong at asset/],
  "glTF 1": [altered({ asset: { version: "1.0" }, scene: "default" }), /version "1.0"; export it as glTF 2.0/],
  "a draft of glTF 1": [altered({ asset: { version: 0.8 }, nodes: {} }), /version "0.8"/],
  Draco: [altered({ extensionsRequired: ["KHR_draco_mesh_compression"] }), /KHR_draco.*without compression/],
  meshopt: [altered({ extensionsRequired: ["EXT_meshopt_compression"] }), /EXT_meshopt.*without compression/],
  instancing: [altered({ extensionsRequired: ["EXT_mesh_gpu_instancing"] }), /EXT_mesh_gpu_instancing.*not supported/],
  "a node in itself": [altered({ nodes: [{ mesh: 0, children: [0] }] }), /in itself/],
  "nodes 600 deep": [altered({ nodes: deep, scenes: [{ nodes: [0] }] }), /deeper than 512/],
  "a node that is missing": [altered({ scenes: [{ nodes: [5] }] }), /node 5 is missing/],
  "a mesh that is missing": [altered({ nodes: [{ mesh: 3 }] }), /mesh 3 is missing/],
  "an accessor that is missing": [altered({ accessors: [POINT_ACCESSOR] }), /accessor 1 is missing/],
  "a view that is missing": [altered({ bufferViews: [] }), /buffer view 0 is missing/],
  "four billion vertices": [
    altered({ accessors: [{ ...POINT_ACCESSOR, count: 2 ** 32 }, CORNER_ACCESSOR] }),
    /20000000 are the most/,
  ],
  "more vertices than bytes": [
    altered({ accessors: [{ ...POINT_ACCESSOR, count: 9 }, CORNER_ACCESSOR] }),
    /96 bytes, and 108 are used/,
  ],
  "fewer vertices than the corners name": [
    altered({ accessors: [{ ...POINT_ACCESSOR, count: 3 }, CORNER_ACCESSOR] }),
    /names vertex \d, and there are 3/,
  ],
  "a view past its buffer": [altered({ buffers: [{ byteLength: 100 }] }), /buffer 0 has 100 bytes/],
  "a buffer that is missing": [altered({ buffers: [] }), /buffer 0 is missing/],
  "data of an extension": [
    altered({ accessors: [{ ...POINT_ACCESSOR, bufferView: undefined }, CORNER_ACCESSOR] }),
    /has no data/,
  ],
  "a scene without meshes": [altered({ nodes: [{}] }), /no triangles/],
  "a number that is none": [altered({ nodes: [{ mesh: 0, scale: [1, "2", 3] }] }), /wrong at nodes\.0\.scale\.1/],
  "a point at infinity": [
    glb({ ...SOUND, data: bytesOf(Float32Array.of(Infinity), SOUND.data.subarray(4)) }),
    /vertex 0 .*not a finite number/,
  ],
};

for (const [what, [content, message]] of Object.entries(WRONG)) {
  test(`refused with its cause: ${what}`, () => assert.rejects(read(content), refused(message)));
}

test("glTF that is cut off at any point is refused", async () => {
  const whole = glb(SOUND);
  for (let percent = 0; percent < 100; percent++) {
    const cut = whole.subarray(0, Math.floor((whole.length * percent) / 100));
    await assert.rejects(read(cut), refused(/export it again|take another copy/), `${percent} %`);
  }
});
