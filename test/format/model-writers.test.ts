import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { unzipSync } from "fflate";
import type { Group, Mesh as ThreeMesh } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { operationFailed } from "../../src/core/api-error.ts";
import { noProgress } from "../../src/core/progress.ts";
import { WRITTEN_EXTENSIONS, readerFor, writerFor } from "../../src/format/model-formats.ts";
import type { WrittenBody } from "../../src/format/model-writer.ts";
import type { FilePart } from "../../src/format/model-reader.ts";
import { boxCentre } from "../../src/geometry/box.ts";
import { IDENTITY_POSE, type Pose } from "../../src/geometry/pose.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { type Mesh, type Surface, concatenateSurfaces, placedSurface } from "../../src/mesh/mesh.ts";
import { randomFrom } from "../fixture/random.ts";
import { READ_OPTIONS, withFileOf } from "../fixture/read-model.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { moved } from "../fixture/surface-edits.ts";

// What is written is read back by the readers of this program, and GLB also by three's.

const meshOf = (surface: Surface, unitMm = 1): Mesh => canonicalMesh(surface, unitMm, noProgress);

async function write(extension: string, bodies: readonly WrittenBody[], progress = noProgress): Promise<Uint8Array> {
  const chunks = (await writerFor(extension)).chunks(bodies, operationFailed, progress);
  return Buffer.concat(Array.from(chunks, (chunk) => chunk.slice()));
}

/** The parts of a file, in millimetres. */
async function read(extension: string, bytes: Uint8Array): Promise<{ name: FilePart["name"]; mesh: Mesh }[]> {
  const reader = (await readerFor(extension))!;
  const { parts, unitMm } = await withFileOf(bytes, (path) => reader.read(path, READ_OPTIONS, noProgress));
  return parts.map(({ name, surface }) => ({ name, mesh: meshOf(surface, unitMm) }));
}

const NAMES = ["part", `<"Zahn" & 'Brücke'> 牙 \u{1f9b7}`, "copy"];
const MESHES = [meshOf(moved(uvSphere(7, 20, 10), [3, -2, 40])), meshOf(box([5, 6, 7])), meshOf(torus(9, 2, 16, 8))];

function somePose(random: () => number): Pose {
  const upTo = (most: number): number => (random() - 0.5) * 2 * most;
  return {
    position: [upTo(100), upTo(100), upTo(100)],
    orientation: { x: upTo(90), y: upTo(180), z: upTo(180) },
    scale: 0.1 + 3 * random(),
  };
}

/** Parts, supports and a lattice, of which some share a mesh, a name or both. */
function someBodies(seed: number): WrittenBody[] {
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  return Array.from({ length: 6 }, () => ({
    name: pick(NAMES),
    kind: pick(["part", "part", "support", "lattice"]),
    mesh: pick(MESHES),
    pose: somePose(random),
  }));
}

const placed = ({ mesh, pose }: WrittenBody): Mesh => meshOf(placedSurface({ mesh, pose }));

/** Whether meshes are the same up to the rounding of coordinates of this size. */
function assertNear(found: Mesh, expected: Mesh): void {
  assert.equal(found.triangles.length, expected.triangles.length);
  const share = Math.abs(found.volumeMm3 / expected.volumeMm3 - 1);
  assert.ok(share < 1e-4, `${found.volumeMm3} and ${expected.volumeMm3} mm³`);
  for (const corner of ["min", "max"] as const) {
    found.box[corner].forEach((value, axis) => assert.ok(Math.abs(value - expected.box[corner][axis]) < 2e-5));
  }
}

for (const extension of ["3mf", "glb"]) {
  test(`every body is a part of a .${extension} with its name, at its place`, async () => {
    for (const seed of [1, 2, 3, 4]) {
      const bodies = someBodies(seed);
      const parts = await read(extension, await write(extension, bodies));
      assert.deepEqual(
        parts.map(({ name }) => name),
        bodies.map(({ name }) => name),
      );
      for (const [i, { mesh }] of parts.entries()) assertNear(mesh, placed(bodies[i]));
    }
  });
}

for (const extension of ["stl", "obj"]) {
  test(`a .${extension} holds the facets of all bodies in scene coordinates, to the last bit`, async () => {
    for (const seed of [1, 2, 3, 4]) {
      const bodies = someBodies(seed);
      const [{ name, mesh }, ...others] = await read(extension, await write(extension, bodies));
      assert.equal(others.length, 0);
      assert.equal(mesh.hash, meshOf(concatenateSurfaces(bodies.map(placedSurface))).hash);
      assert.equal(name, extension === "obj" ? bodies[0].name : undefined);
    }
  });
}

for (const extension of WRITTEN_EXTENSIONS) {
  test(`a mesh at its original place is read back from a .${extension} as the same mesh`, async () => {
    const random = randomFrom(5);
    const noise = (values: ArrayLike<number>): Float32Array =>
      Float32Array.from(values, (value) => value * (0.9 + random() / 5));
    const rough = meshOf({ vertices: noise(uvSphere(31, 40, 20).vertices), triangles: uvSphere(31, 40, 20).triangles });
    for (const mesh of [...MESHES, rough]) {
      const pose = { ...IDENTITY_POSE, position: boxCentre(mesh.box) };
      const [part] = await read(extension, await write(extension, [{ name: "part", kind: "part", mesh, pose }]));
      assert.equal(part.mesh.hash, mesh.hash);
    }
  });

  test(`a .${extension} reports its progress while it is written, and a cancel ends the writing`, async () => {
    const mesh = meshOf(uvSphere(20, 300, 70));
    const body = { name: "part", kind: "part", mesh, pose: IDENTITY_POSE } as const;
    const shares: number[] = [];
    await write(extension, [body, body], { ...noProgress, report: (share) => void shares.push(share) });
    assert.ok(
      shares.length > 1 && shares.every((share, i) => share >= (shares[i - 1] ?? 0) && share <= 1),
      shares.join(),
    );
    const cancelled = new Error("cancelled");
    const cancel = (): never => {
      throw cancelled;
    };
    await assert.rejects(write(extension, [body], { ...noProgress, report: cancel }), cancelled);
  });
}

const COPIES = Array.from({ length: 1000 }, (_, i): WrittenBody => {
  const position = [i % 32, Math.floor(i / 32), 0] as const;
  return { name: `copy ${i}`, kind: "part", mesh: MESHES[0], pose: { ...IDENTITY_POSE, position } };
});

const modelPart = (bytes: Uint8Array): string => new TextDecoder().decode(unzipSync(bytes)["3D/3dmodel.model"]);

/** The JSON of a GLB file. */
function glbDocument(bytes: Uint8Array): any {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  assert.equal(view.getUint32(8, true), bytes.length);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + view.getUint32(12, true))));
}

test("1,000 copies of a mesh share the mesh", async () => {
  const xml = modelPart(await write("3mf", COPIES));
  assert.equal(xml.match(/<mesh>/g)?.length, 1);
  assert.equal(xml.match(/<item /g)?.length, 1000);
  const { meshes, accessors, nodes } = glbDocument(await write("glb", COPIES));
  assert.deepEqual([meshes.length, accessors.length, nodes.length], [1, 2, 1001]);
});

test("copies of a mesh with the same name share one object", async () => {
  const xml = modelPart(
    await write(
      "3mf",
      COPIES.map((copy) => ({ ...copy, name: "one" })),
    ),
  );
  assert.equal(xml.match(/<object /g)?.length, 1);
});

test("a mesh that is both a part and a support has an object for each colour", async () => {
  const bodies = (["part", "support"] as const).map((kind) => ({
    name: kind,
    kind,
    mesh: MESHES[0],
    pose: IDENTITY_POSE,
  }));
  const xml = modelPart(await write("3mf", bodies));
  const colours = [...xml.matchAll(/<base name="(\w+)" displaycolor="(#[0-9A-F]{6})"\/>/g)].map(([, name]) => name);
  const indices = [...xml.matchAll(/<object id="\d+" type="model" pid="1" pindex="(\d)"/g)].map(([, index]) => index);
  assert.deepEqual(
    indices.map((index) => colours[Number(index)]),
    ["Part", "Support"],
  );
  const { meshes, accessors, materials } = glbDocument(await write("glb", bodies));
  assert.equal(accessors.length, 2);
  assert.deepEqual(
    meshes.map(({ primitives: [{ material }] }: any) => materials[material].name),
    ["Part", "Support"],
  );
});

test("another reader finds a GLB in metres, with y up", async () => {
  const body: WrittenBody = {
    name: NAMES[1],
    kind: "part",
    mesh: meshOf(box([10, 20, 30])),
    pose: { ...IDENTITY_POSE, position: [100, 50, 15] },
  };
  const bytes = Uint8Array.from(await write("glb", [body]));
  const scene: Group = (await new GLTFLoader().parseAsync(bytes.buffer, "")).scene;
  scene.updateMatrixWorld(true);
  const meshes: ThreeMesh[] = [];
  scene.traverse((object) => {
    if ("isMesh" in object) meshes.push(object as ThreeMesh);
  });
  assert.equal(meshes.length, 1);
  const [{ geometry, matrixWorld }] = meshes;
  const found = geometry.clone().applyMatrix4(matrixWorld);
  found.computeBoundingBox();
  const { min, max } = found.boundingBox!;
  const nearly = (values: readonly number[]): number[] => values.map((value) => Math.round(value * 1e6) / 1e6 + 0);
  assert.deepEqual(nearly([...min.toArray(), ...max.toArray()]), [0.095, 0, -0.06, 0.105, 0.03, -0.04]);
});

test("the same bodies give the same bytes in every engine", async () => {
  const pose = { position: [1.2, -3.4, 5.6], orientation: { x: 12.3, y: -45.6, z: 78.9 }, scale: 1.1 } as const;
  const body: WrittenBody = { name: "part", kind: "part", mesh: meshOf(box([5, 6, 7])), pose };
  const hashOf = async (extension: string): Promise<string> =>
    createHash("sha256")
      .update(await write(extension, [body]))
      .digest("hex")
      .slice(0, 12);
  assert.deepEqual([await hashOf("stl"), await hashOf("obj")], ["73852f0ee631", "cedd2dc10d75"]);
  const transform =
    "-0.01612213868647814 1.0546444177627565 0.31219420135021214 -0.7874648928642274 0.20691301077604296 -0.7396526515483857 -0.7678796112537385 -0.23433342128992082 0.7519632875919343 1.2 -3.4 5.6";
  assert.ok(modelPart(await write("3mf", [body])).includes(`transform="${transform}"`));
  const matrix = transform.split(" ").map(Number);
  const [, { matrix: found }] = glbDocument(await write("glb", [body])).nodes;
  assert.deepEqual(
    found.filter((_: number, i: number) => i % 4 < 3),
    matrix,
  );
});

test("facets without three different corners are left out of a 3MF, because its readers refuse them", async () => {
  const { vertices, triangles } = box([1, 2, 3]);
  const mesh = meshOf({ vertices, triangles: Uint32Array.of(...triangles, 0, 0, 1) });
  assert.equal(mesh.triangles.length / 3, 13);
  const [part] = await read("3mf", await write("3mf", [{ name: "part", kind: "part", mesh, pose: IDENTITY_POSE }]));
  assert.equal(part.mesh.triangles.length / 3, 12);
});

test("names may contain characters that the format cannot represent", async () => {
  const body = (name: string): WrittenBody => ({ name, kind: "part", mesh: MESHES[1], pose: IDENTITY_POSE });
  const nameIn = async (extension: string, name: string): Promise<string | undefined> =>
    (await read(extension, await write(extension, [body(name)])))[0].name;
  const odd = "a\u0000b\ud800c\u2028d\ufffee\tf\ng\\";
  assert.equal(await nameIn("3mf", odd), "a b\ufffdc\u2028d e f g\\");
  assert.equal(await nameIn("obj", odd), "a b\ufffdc d\ufffee f g");
  assert.equal(await nameIn("glb", odd), odd.toWellFormed());
});
