import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as v from "valibot";
import { importModel } from "../../src/feature/import/endpoint.ts";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { boxOf, boxSize } from "../../src/geometry/box.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { amfFile } from "../fixture/amf-file.ts";
import { brepText } from "../fixture/brep-file.ts";
import type { Reply } from "../fixture/client.ts";
import { glb, gltfParts, gltfText } from "../fixture/gltf-file.ts";
import { boxFaces, igesText, movedFaces } from "../fixture/iges-file.ts";
import { jtFile } from "../fixture/jt-part-file.ts";
import { attributes, rhinoFile, rhinoMesh } from "../fixture/rhino-file.ts";
import { objText } from "../fixture/obj-file.ts";
import { offText } from "../fixture/off-file.ts";
import { binaryPly } from "../fixture/ply-file.ts";
import { box, tetrahedron } from "../fixture/shapes.ts";
import { boxStep } from "../fixture/step-assembly-file.ts";
import { asciiStl, binaryStl } from "../fixture/stl-file.ts";
import { type Facet, facetsOf, insideOut, moved, withFacets } from "../fixture/surface-edits.ts";
import {
  LOCKS,
  POWDER,
  RESIN,
  type TestServer,
  UUID,
  assertNear,
  bodyOf,
  codeOf,
  openTestServer,
} from "../fixture/test-server.ts";
import { modelXml, objectXml, threeMf, threeMfPackage } from "../fixture/three-mf-file.ts";
import { longTest } from "../fixture/long.ts";

// Interface, "POST /v1/scene/model/import/"; supplement, section 1 ("Paths of files") and section 4 (import).

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

const BOX = moved(box([10, 20, 30]), [3, -4, 50]);
const [FAR, NEAR] = [moved(box([4, 4, 4]), [20, 20, 10]), moved(box([6, 6, 6]), [-20, -20, 10])];

/** The box of a surface, for formats without triangles. */
const placed = ({ vertices }: Surface): { readonly size: Vec3; readonly at: Vec3 } => {
  const bounds = boxOf(Float64Array.from(vertices));
  return { size: boxSize(bounds), at: bounds.min };
};

/** The surface as in glTF: in metres, with y up. */
const inMetres = ({ vertices, triangles }: Surface): Surface => ({
  vertices: vertices.map((_, i) => [vertices[i], vertices[i + 1], -vertices[i - 1]][i % 3] / 1000),
  triangles,
});

const FORMATS: Readonly<Record<string, (surface: Surface) => string | Uint8Array | Promise<Uint8Array>>> = {
  "binary.stl": (surface) => binaryStl(surface),
  "ascii.stl": (surface) => asciiStl(surface),
  "part.obj": (surface) => objText(surface),
  "part.3mf": (surface) => threeMf([{ surface }]),
  "part.amf": (surface) => amfFile(surface),
  "part.off": (surface) => offText(surface),
  "part.ply": (surface) => binaryPly(surface, true),
  "part.glb": (surface) => glb(gltfParts([inMetres(surface)])),
  "part.gltf": (surface) => gltfText(gltfParts([inMetres(surface)])),
  "part.igs": (surface) => igesText(movedFaces(boxFaces(placed(surface).size), placed(surface).at)),
  "part.brep": (surface) => brepText(placed(surface)),
  "part.3dm": (surface) =>
    rhinoFile((rhino, file) => void file.objects().addMesh(rhinoMesh(rhino, surface), attributes(rhino))),
};

const sizeOf = ({ bounding_box: { min_corner, max_corner } }: Reply["body"]): number[] =>
  ["x", "y", "z"].map((axis) => max_corner[axis] - min_corner[axis]);

/** The models that a file makes in a new scene, in the order of the reply. */
async function importInto(combination: object | undefined, file: string, options: object = {}) {
  const scene_id = await server.newScene(combination);
  const { new_models } = bodyOf(await server.import(scene_id, file, options));
  const models = await server.models(
    scene_id,
    new_models.map((one: Reply["body"]) => one.model_id),
  );
  assert.equal((await server.models(scene_id)).length, new_models.length);
  return { scene_id, new_models, models };
}

/** Asserts that an import fails with `code`, leaves its scene unchanged, and that the server still answers. */
async function assertRefused(code: string, file: string, options: object = {}): Promise<string> {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, server.file("there-before.stl", binaryStl(box([1, 1, 1]))));
  const before = await server.scene(scene_id);
  const reply = await server.import(scene_id, file, options);
  assert.equal(codeOf(reply), code, JSON.stringify(reply.body));
  assert.deepEqual(await server.scene(scene_id), before);
  return reply.body.error.message;
}

for (const [name, write] of Object.entries(FORMATS)) {
  test(`${name} is imported as one model at its place in the file`, async () => {
    const file = server.file(name, await write(BOX));
    const {
      new_models,
      models: [model],
    } = await importInto(POWDER, file);
    assert.equal(new_models.length, 1);
    assert.deepEqual(model.bounding_box, { min_corner: { x: -2, y: -14, z: 35 }, max_corner: { x: 8, y: 6, z: 65 } });
    assert.equal(model.name, name.split(".")[0]);
    assert.equal(model.original_file, file);
    assert.equal(model.units, "MILLIMETERS");
    assert.equal(model.lock, "FREE");
    assert.equal(model.visible, true);
  });

  test(`the answer for ${name} holds the id, index and name of its part, and no more`, async () => {
    const answer = bodyOf(await server.import(await server.newScene(), server.file(name, await write(BOX))));
    assert.deepEqual(Object.keys(answer), ["new_models"]);
    const [{ model_id, source_part_index, source_part_name, ...more }] = answer.new_models;
    assert.match(model_id, UUID);
    assert.equal(source_part_index, 0);
    assert.ok(source_part_name === undefined || typeof source_part_name === "string");
    assert.deepEqual(more, {});
  });
}

const NAMES: readonly [file: string, name: string][] = [
  ["bracket v2.1.stl", "bracket v2.1"],
  ["Zähne 🦷.STL", "Zähne 🦷"],
  ["UPPER.StL", "UPPER"],
  [".hidden.stl", ".hidden"],
];
for (const [file, name] of NAMES) {
  test(`the name of ${file} defaults to "${name}"`, async () => {
    const { models } = await importInto(undefined, server.file(file, binaryStl(BOX)));
    assert.equal(models[0].name, name);
  });
}

longTest("extensions are matched in any case", async () => {
  for (const [name, write] of Object.entries(FORMATS)) {
    const [stem, extension] = name.split(".");
    for (const spelling of [extension.toUpperCase(), extension[0] + extension.slice(1).toUpperCase()]) {
      const { models } = await importInto(undefined, server.file(`${stem}.${spelling}`, await write(BOX)));
      assert.equal(models.length, 1, spelling);
    }
  }
});

test("name and lock of the request override those of a single model", async () => {
  const file = server.file("named.stl", binaryStl(BOX));
  for (const lock of LOCKS) {
    const {
      models: [model],
    } = await importInto(undefined, file, {
      name: `as ${lock}`,
      lock,
      split_multi_model_file: true,
    });
    assert.deepEqual([model.name, model.lock], [`as ${lock}`, lock]);
  }
});

const threeParts = (): string =>
  server.file(
    "three.3mf",
    threeMf([
      { surface: NEAR, name: "near" },
      { surface: FAR, name: "far" },
      { surface: BOX, name: "box" },
    ]),
  );

test("a file of several parts is one combined model by default", async () => {
  for (const options of [{}, { split_multi_model_file: false }]) {
    const { new_models, models } = await importInto(POWDER, threeParts(), options);
    assert.equal(models.length, 1);
    assert.equal(models[0].name, "three");
    assert.deepEqual(models[0].bounding_box, {
      min_corner: { x: -23, y: -23, z: 7 },
      max_corner: { x: 22, y: 22, z: 65 },
    });
    const { model_id: _id, source_part_index = 0, source_part_name = "" } = new_models[0];
    assert.deepEqual([typeof source_part_index, typeof source_part_name], ["number", "string"]);
  }
});

test("split_multi_model_file makes a model of each part, with its index and name", async () => {
  const { new_models, models } = await importInto(POWDER, threeParts(), { split_multi_model_file: true });
  const parts = new_models.map(({ source_part_index, source_part_name }: Reply["body"], i: number) => {
    const { name, bounding_box, lock } = models[i];
    assert.ok(name.startsWith("three"), name);
    assert.equal(lock, "FREE");
    return [source_part_index, source_part_name, bounding_box.min_corner.x, bounding_box.max_corner.z];
  });
  assert.deepEqual(parts.sort(), [
    [0, "near", -23, 13],
    [1, "far", 18, 12],
    [2, "box", -2, 65],
  ]);
  assert.equal(new Set(models.map(({ id }: Reply["body"]) => id)).size, 3);
});

test("the parts of a JT assembly in files next to it become one model or one model each, and a missing one is named", async () => {
  const uses = [-30, 0, 30].map((x) => ({ file: "jt-cube.jt", at: [x, 0, 5] }) as const);
  server.file("jt-cube.jt", jtFile({ name: "cube", unit: "Centimeters", surface: box([1, 1, 1]) }));
  const file = server.file("jt-row.jt", jtFile({ unit: "Millimeters", inside: uses }));
  const { new_models, models } = await importInto(POWDER, file, { split_multi_model_file: true });
  assert.deepEqual(
    new_models.map((one: Reply["body"], i: number) => [
      one.source_part_index,
      one.source_part_name,
      models[i].bounding_box.min_corner.x,
      ...sizeOf(models[i]),
    ]),
    [-35, -5, 25].map((x, i) => [i, "cube", x, 10, 10, 10]),
  );
  const whole = await importInto(POWDER, file);
  assert.deepEqual(whole.models.map(sizeOf), [[70, 10, 10]]);
  const torn = server.file("jt-torn.jt", jtFile(...uses, { file: "jt-lid.jt" }));
  assert.match(await assertRefused("OPERATION_FAILED", torn), /"jt-lid\.jt" are not in its folder or below/);
});

test("parts with equal names get numbers, and no name is used twice", async () => {
  const names = ["gear", "cap", "gear", "gear 2", "gear"];
  const file = server.file("named-alike.3mf", threeMf(names.map((name) => ({ surface: BOX, name }))));
  const { new_models, models } = await importInto(POWDER, file, { split_multi_model_file: true });
  const byPart = new_models
    .map(({ source_part_index }: Reply["body"], i: number) => [source_part_index, models[i].name])
    .sort(([a]: [number], [b]: [number]) => a - b);
  assert.deepEqual(
    byPart.map(([, name]: [number, string]) => name.replace("named-alike ", "")),
    ["gear 1", "cap", "gear 3", "gear 2", "gear 4"],
  );
});

test("parts outside the volume keep their arrangement if it fits; otherwise they are placed next to one another", async () => {
  const cubes = (places: readonly (readonly [number, number])[]): Uint8Array =>
    threeMfPackage(
      modelXml(
        objectXml(1, { surface: box([20, 20, 20]) }),
        places.map(([x, y]) => `<item objectid="1" transform="1 0 0 0 1 0 0 0 1 ${x} ${y} 10"/>`).join(""),
      ),
    );
  const placesOf = async (name: string, places: readonly (readonly [number, number])[]): Promise<number[][]> => {
    const { models } = await importInto(RESIN, server.file(name, cubes(places)), { split_multi_model_file: true });
    assert.ok(models.every(({ in_bounds }: Reply["body"]) => in_bounds));
    return models.map(({ position: { x, y } }: Reply["body"]) => [x, y]);
  };
  const together = await placesOf("far.3mf", [
    [1000, 0],
    [1030, 0],
    [1000, 5],
  ]);
  const [[x, y]] = together;
  assertNear(Object.fromEntries(together.map((place, i) => [i, { dx: place[0] - x, dy: place[1] - y }])), {
    0: { dx: 0, dy: 0 },
    1: { dx: 30, dy: 0 },
    2: { dx: 0, dy: 5 },
  });
  const beside = await placesOf(
    "wide.3mf",
    Array.from({ length: 12 }, (_, i) => [300 * i, 0] as const),
  );
  for (const [i, a] of beside.entries()) {
    for (const b of beside.slice(0, i)) {
      const apart = Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])) - 20;
      assert.ok(apart > 1.99, `${a.join(", ")} and ${b.join(", ")}`);
    }
  }
});

test("each item of a build is a part, placed by its transform, also if items share an object", async () => {
  const items = '<item objectid="1"/><item objectid="1" transform="0 1 0 -1 0 0 0 0 1 30 0 40"/>';
  const file = server.file(
    "twice.3mf",
    threeMfPackage(modelXml(objectXml(1, { surface: box([2, 4, 6]), name: "peg" }), items)),
  );
  const { new_models, models } = await importInto(POWDER, file, { split_multi_model_file: true });
  const second = models[new_models.findIndex((one: Reply["body"]) => one.source_part_index === 1)];
  assert.equal(models.length, 2);
  assertNear(second.bounding_box, { min_corner: { x: 28, y: -1, z: 37 }, max_corner: { x: 32, y: 1, z: 43 } });
  const combined = (await importInto(POWDER, file)).models;
  assert.equal(combined.length, 1);
  // The first item reaches from z = -3 to 3: the whole is lifted into the volume.
  assertNear(sizeOf(combined[0]), [33, 4, 46]);
});

test("name or lock with a split into several models is INPUT_ERROR, and nothing is imported", async () => {
  for (const override of [{ name: "all" }, { lock: "FULLY_LOCKED" }, { lock: "FREE" }]) {
    await assertRefused("INPUT_ERROR", threeParts(), { ...override, split_multi_model_file: true });
    const {
      models: [model],
    } = await importInto(undefined, threeParts(), override);
    assert.equal(model.name, "name" in override ? "all" : "three");
  }
});

test("split_multi_model_file has no effect on STL and OBJ", async () => {
  const files: [string, string | Uint8Array][] = [
    ["two.stl", asciiStl(NEAR, { name: "near" }) + asciiStl(FAR, { name: "far" })],
    ["two.obj", objText(NEAR, FAR)],
  ];
  for (const [name, content] of files) {
    for (const split_multi_model_file of [false, true]) {
      const { models } = await importInto(POWDER, server.file(name, content), { split_multi_model_file, name: "both" });
      assert.deepEqual(models.map(sizeOf), [[45, 45, 6]], name);
    }
  }
});

/** Millimetres per unit of the file. */
const UNITS: readonly [
  file: "stl" | "obj" | "3mf",
  unit: string | undefined,
  units: string | undefined,
  mm: number,
  read: string,
][] = [
  ["stl", undefined, undefined, 1, "MILLIMETERS"],
  ["stl", undefined, "DETECTED", 1, "MILLIMETERS"],
  ["stl", undefined, "MILLIMETERS", 1, "MILLIMETERS"],
  ["stl", undefined, "INCHES", 25.4, "INCHES"],
  ["obj", undefined, "DETECTED", 1, "MILLIMETERS"],
  ["obj", undefined, "INCHES", 25.4, "INCHES"],
  ["3mf", undefined, undefined, 1, "MILLIMETERS"],
  ["3mf", "inch", undefined, 25.4, "INCHES"],
  ["3mf", "inch", "DETECTED", 25.4, "INCHES"],
  ["3mf", "inch", "MILLIMETERS", 1, "MILLIMETERS"],
  ["3mf", "millimeter", "INCHES", 25.4, "INCHES"],
  ["3mf", "micron", "DETECTED", 0.001, "MILLIMETERS"],
  ["3mf", "centimeter", "DETECTED", 10, "MILLIMETERS"],
  ["3mf", "centimeter", "INCHES", 25.4, "INCHES"],
  ["3mf", "foot", "DETECTED", 304.8, "MILLIMETERS"],
  ["3mf", "meter", "DETECTED", 1000, "MILLIMETERS"],
];
for (const [extension, unit, units, mm, expected] of UNITS) {
  test(`${extension} in ${unit ?? "no unit"}, units ${units ?? "omitted"}: ${mm} mm a unit, ${expected}`, async () => {
    const surface = box([2, 3, 4]);
    const content = { stl: binaryStl(surface), obj: objText(surface), "3mf": threeMf([{ surface }], unit) }[extension];
    const {
      models: [model],
    } = await importInto(undefined, server.file(`units.${extension}`, content), { units });
    assertNear(sizeOf(model), [2 * mm, 3 * mm, 4 * mm], 1e-4 * mm);
    assert.equal(model.units, expected);
    assert.equal(model.scale, 1);
  });
}

const facets = facetsOf(BOX);
const flipped = ([a, b, c]: Facet): Facet => [a, c, b];
const BROKEN: Readonly<Record<string, Surface>> = {
  hole: withFacets(BOX, facets.slice(1)),
  "facet turned over": withFacets(BOX, [flipped(facets[0]), ...facets.slice(1)]),
  "duplicate facet": withFacets(BOX, [...facets, facets[5]]),
  "inside-out body": insideOut(BOX),
};

for (const [defect, surface] of Object.entries(BROKEN)) {
  test(`a mesh with a ${defect}: ERROR rejects it, REPAIR repairs it, IGNORE imports it unchanged`, async () => {
    const file = server.file("broken.stl", binaryStl(surface));
    for (const options of [{}, { repair_behavior: "ERROR" }]) {
      assert.match(await assertRefused("OPERATION_FAILED", file, options), /REPAIR/);
    }
    const sound = await importInto(undefined, server.file("sound.stl", binaryStl(BOX)));
    const ignored = await importInto(undefined, file, { repair_behavior: "IGNORE" });
    const repaired = await importInto(undefined, file, { repair_behavior: "REPAIR" });
    assert.notEqual(ignored.models[0].raw_mesh_hash, sound.models[0].raw_mesh_hash);
    assert.equal(repaired.models[0].raw_mesh_hash, sound.models[0].raw_mesh_hash);
    assertNear((await server.scene(repaired.scene_id)).material_usage.volume_ml, 6, 1e-6);
  });
}

test("facets that collapsed to an edge do not require a repair, and REPAIR removes them", async () => {
  const file = server.file("collapsed.stl", binaryStl(withFacets(BOX, [...facets, [0, 0, 1]])));
  const sound = await importInto(undefined, server.file("sound.stl", binaryStl(BOX)));
  for (const [repair_behavior, same] of [
    ["ERROR", false],
    ["IGNORE", false],
    ["REPAIR", true],
  ] as const) {
    const {
      models: [model],
    } = await importInto(undefined, file, { repair_behavior });
    assert.equal(model.raw_mesh_hash === sound.models[0].raw_mesh_hash, same, repair_behavior);
  }
});

test("a closed manifold is the same under every repair_behavior", async () => {
  const file = server.file("sound.stl", binaryStl(tetrahedron(9)));
  const hashes = await Promise.all(
    ["ERROR", "REPAIR", "IGNORE"].map(
      async (repair_behavior) => (await importInto(undefined, file, { repair_behavior })).models[0].raw_mesh_hash,
    ),
  );
  assert.equal(new Set(hashes).size, 1);
});

test("one broken part of several makes ERROR refuse the whole file", async () => {
  const file = server.file(
    "half.3mf",
    threeMf([
      { surface: NEAR, name: "good" },
      { surface: BROKEN.hole, name: "leaky" },
    ]),
  );
  for (const split_multi_model_file of [false, true]) {
    assert.match(await assertRefused("OPERATION_FAILED", file, { split_multi_model_file }), /leaky/);
  }
  const { models } = await importInto(undefined, file, { repair_behavior: "REPAIR", split_multi_model_file: true });
  assert.equal(models.length, 2);
});

test("parts that touch are imported together without defects", async () => {
  const file = server.file(
    "touching.3mf",
    threeMf([{ surface: box([10, 10, 10]) }, { surface: moved(box([10, 10, 10]), [10, 0, 0]) }]),
  );
  const { scene_id, models } = await importInto(undefined, file);
  assertNear(sizeOf(models[0]), [20, 10, 10]);
  // Common corners are moved apart by a few steps of single precision.
  assertNear((await server.scene(scene_id)).material_usage.volume_ml, 2, 1e-5);
});

test("a request that breaks its schema is refused", async () => {
  const file = server.file("part.stl", binaryStl(BOX));
  const bodies: object[] = [
    { file: undefined },
    { file: 3 },
    { file: null },
    { file: [file] },
    { repair_behavior: "MEND" },
    { repair_behavior: null },
    { units: "FEET" },
    { units: "millimeters" },
    { lock: "LOCKED" },
    { name: 3 },
    { split_multi_model_file: "true" },
    { chordal_tolerance_um: "10" },
    { angle_tolerance_deg: null },
    { model_ids: [] },
    { unit: "INCHES" },
  ];
  for (const body of bodies) await assertRefused("JSON_SCHEMA_MATCH_ERROR", file, body);
});

const UNSUPPORTED = "part.txt part part.stl.gz part.stl~ part.step2 stl project.form project.FORM notes.gcode".split(
  " ",
);
for (const name of UNSUPPORTED) {
  test(`${name} is INPUT_ERROR by its extension, whether it exists or not`, async () => {
    await assertRefused("INPUT_ERROR", join(server.folder, "nowhere", name));
    await assertRefused("INPUT_ERROR", server.file(name, binaryStl(BOX)));
  });
}

test("the refusal of a project names the request that opens it", async () => {
  assert.match(await assertRefused("INPUT_ERROR", "/nowhere/project.FORM"), /\/v1\/scene\/open\//);
});

for (const path of ["part.stl", "./part.stl", "../part.stl", "", "~/part.stl", "file:///part.stl"]) {
  test(`the path "${path}" is INPUT_ERROR: it is not absolute`, async () => {
    await assertRefused("INPUT_ERROR", path);
  });
}

test("a path with . and .. is the file to which it leads", async () => {
  const file = server.file("straight.stl", binaryStl(BOX));
  mkdirSync(join(server.folder, "aside"));
  const {
    models: [model],
  } = await importInto(undefined, `${server.folder}/./aside/../straight.stl`);
  assertNear(sizeOf(model), sizeOf((await importInto(undefined, file)).models[0]));
});

/** Makes something that is no readable model and returns its path; undefined if the system has no such thing. */
const NO_FILES: Readonly<Record<string, () => string | undefined>> = {
  "missing file": () => join(server.folder, "missing.stl"),
  "missing folder": () => join(server.folder, "nowhere", "missing.stl"),
  "path through a file": () => join(server.file("plain.stl", binaryStl(BOX)), "inner.stl"),
  folder: () => {
    const path = join(server.folder, "folder.stl");
    mkdirSync(path, { recursive: true });
    return path;
  },
  "named pipe": () => {
    const path = join(server.folder, "pipe.stl");
    return existsSync(path) || spawnSync("mkfifo", [path]).status === 0 ? path : undefined;
  },
  device: () => linkTo("/dev/zero", "device.stl"),
  "link to itself": () => linkTo(join(server.folder, "loop.stl"), "loop.stl"),
  "path with a NUL": () => join(server.folder, "nul\0.stl"),
  "too long a name": () => join(server.folder, `${"x".repeat(5000)}.stl`),
};

function linkTo(target: string, name: string): string | undefined {
  const path = join(server.folder, name);
  if (!existsSync(target) && target !== path) return undefined;
  try {
    symlinkSync(target, path);
  } catch {
    return undefined;
  }
  return path;
}

for (const [what, make] of Object.entries(NO_FILES)) {
  test(`a ${what} is OPERATION_FAILED without delay`, { timeout: 60_000 }, async (context) => {
    const path = make();
    if (path === undefined) return context.skip("not to be had on this system");
    await assertRefused("OPERATION_FAILED", path);
  });
}

/** A binary STL file with other bytes at `at`. */
function patchedStl(at: number, ...bytes: number[]): Uint8Array {
  const stl = binaryStl(BOX);
  stl.set(bytes, at);
  return stl;
}

const NAN = [0, 0, 0xc0, 0x7f];
const INFINITY = [0, 0, 0x80, 0xff];
const OBJ_BOX = objText(BOX);
const ITEM = '<item objectid="1"/>';
const BOX_OBJECT = objectXml(1, { surface: BOX });
const boxPackage = (items = ITEM, others?: Record<string, Uint8Array>): Uint8Array =>
  threeMfPackage(modelXml(BOX_OBJECT, items), others);
const alteredBox = (from: RegExp, to: string): Uint8Array =>
  threeMfPackage(modelXml(BOX_OBJECT.replace(from, to), ITEM));

function assemblyXml(id: number, parts: readonly number[]): string {
  const components = parts.map((part) => `<component objectid="${part}"/>`).join("");
  return `<object id="${id}" type="model"><components>${components}</components></object>`;
}

/** Objects 1, 2, … each made of the listed objects. */
const assemblies = (...objects: readonly (readonly number[])[]): Uint8Array =>
  threeMfPackage(modelXml(objects.map((parts, i) => assemblyXml(i + 1, parts)).join(""), ITEM));

/** Objects 1 to 40, each made of two of the next one; the last is a box. */
function doublings(): Uint8Array {
  const last = 41;
  const objects = Array.from({ length: last - 1 }, (_, i) => assemblyXml(last - 1 - i, [last - i, last - i]));
  return threeMfPackage(modelXml([objectXml(last, { surface: BOX }), ...objects].join(""), ITEM));
}

/** A package that declares entities in its prolog; the name of its object is one of them. */
const withEntities = (name: string, ...entities: readonly string[]): Uint8Array =>
  threeMfPackage(
    modelXml(
      objectXml(1, { surface: BOX, name: `&${name};` }),
      ITEM,
      "millimeter",
      `<!DOCTYPE model [${entities.join("")}]>`,
    ),
  );

/** Entities that each expand to ten of the previous one. */
const laughs = (): string[] => Array.from({ length: 9 }, (_, i) => `<!ENTITY lol${i + 1} "${`&lol${i};`.repeat(10)}">`);

/** A package whose model part declares 1,000 bytes and inflates to 128 MiB. */
function lyingBomb(): Uint8Array {
  const name = new TextEncoder().encode("3D/3dmodel.model");
  const data = deflateRawSync(Buffer.alloc(128 * 2 ** 20, " "), { level: 1 });
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(data.length, 18);
  local.writeUInt32LE(1000, 22);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(20, 4);
  central.writeUInt16LE(20, 6);
  local.copy(central, 8, 6, 30);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length + data.length, 16);
  return Buffer.concat([local, name, data, central, name, end]);
}

const BAD_FILES: Readonly<Record<string, () => string | Uint8Array>> = {
  "empty.stl": () => "",
  "empty.obj": () => "",
  "empty.3mf": () => "",
  "zero-facets.stl": () => binaryStl(withFacets(BOX, [])),
  "zero-facets-ascii.stl": () => "solid nothing\nendsolid nothing\n",
  "head-alone.stl": () => new Uint8Array(80),
  "truncated.stl": () => binaryStl(BOX).subarray(0, 400),
  "four-billion-facets.stl": () => patchedStl(80, 0xff, 0xff, 0xff, 0xff),
  "nan.stl": () => patchedStl(84 + 50 + 12, ...NAN),
  "infinite.stl": () => patchedStl(84 + 50 + 16, ...INFINITY),
  "nan-ascii.stl": () => asciiStl(BOX).replace(/vertex \S+/, "vertex nan"),
  "infinite-ascii.stl": () => asciiStl(BOX).replace(/vertex \S+/, "vertex 1e999"),
  "cut-facet-ascii.stl": () => asciiStl(BOX).split("endloop").slice(0, 3).join("endloop"),
  "text.stl": () => "The quick brown fox jumps over the lazy dog. ".repeat(20),
  "no-faces.obj": () => OBJ_BOX.replaceAll(/^f.*$/gm, ""),
  "no-vertices.obj": () => OBJ_BOX.replaceAll(/^v.*$/gm, ""),
  "beyond.obj": () => `${OBJ_BOX}f 1 2 9\n`,
  "index-0.obj": () => `${OBJ_BOX}f 0 1 2\n`,
  "before-first.obj": () => `${OBJ_BOX}f -9 1 2\n`,
  "fractional-index.obj": () => `${OBJ_BOX}f 1.5 2 3\n`,
  "nan.obj": () => OBJ_BOX.replace(/^v \S+/m, "v NaN"),
  "infinite.obj": () => OBJ_BOX.replace(/^v \S+/m, "v 1e999"),
  "short-vertex.obj": () => OBJ_BOX.replace(/^v (\S+) (\S+).*/m, "v $1 $2"),
  "no-zip.3mf": () => "solid part\nendsolid\n",
  "truncated.3mf": () => threeMf([{ surface: BOX }]).slice(0, -40),
  "no-model-part.3mf": () => threeMfPackage("").slice(0, 60),
  "empty-model-part.3mf": () => threeMfPackage(""),
  "not-xml.3mf": () => threeMfPackage("<model><unclosed></model>"),
  "other-xml.3mf": () => threeMfPackage("<html/>"),
  "empty-build.3mf": () => boxPackage(""),
  "unknown-object.3mf": () => boxPackage('<item objectid="7"/>'),
  "no-triangles.3mf": () => threeMf([{ surface: withFacets(BOX, []) }]),
  "beyond.3mf": () => alteredBox(/v1="\d+"/, 'v1="8"'),
  "negative-index.3mf": () => alteredBox(/v1="\d+"/, 'v1="-1"'),
  "nan.3mf": () => alteredBox(/x="[^"]+"/, 'x="NaN"'),
  "infinite.3mf": () => alteredBox(/x="[^"]+"/, 'x="1e999"'),
  "infinite-transform.3mf": () => boxPackage('<item objectid="1" transform="1e999 0 0 0 1 0 0 0 1 0 0 0"/>'),
  "short-transform.3mf": () => boxPackage('<item objectid="1" transform="1 0 0"/>'),
  "component-of-itself.3mf": () => assemblies([1]),
  "component-cycle.3mf": () => assemblies([2], [3], [1]),
  "missing-component.3mf": () => assemblies([2, 9], [3]),
  "doubling-components.3mf": doublings,
  "lying-bomb.3mf": lyingBomb,
  "climbing-name.3mf": () => boxPackage(ITEM, { "../evil.model": new Uint8Array(3) }),
  "absolute-name.3mf": () => boxPackage(ITEM, { "/etc/evil.model": new Uint8Array(3) }),
  "entities.3mf": () => withEntities("lol9", '<!ENTITY lol0 "lol">', ...laughs()),
  "external-entity.3mf": () => withEntities("file", '<!ENTITY file SYSTEM "file:///etc/hostname">'),
  "unknown-unit.3mf": () => threeMf([{ surface: BOX }], "furlong"),
  "empty.amf": () => "",
  "empty.glb": () => "",
  "empty.gltf": () => "",
  "garbage.step": () => "The quick brown fox jumps over the lazy dog. ".repeat(20),
  "empty.stp": () => "",
  "empty.igs": () => "",
  "no-shapes.iges": () => igesText([]),
  "empty.brep": () => "",
  "head-alone.brp": () => "CASCADE Topology V1, (c) Matra-Datavision\n",
};

for (const [name, content] of Object.entries(BAD_FILES)) {
  test(`${name} is OPERATION_FAILED under every repair_behavior`, { timeout: 120_000 }, async () => {
    const file = server.file(name, content());
    for (const repair_behavior of ["ERROR", "REPAIR", "IGNORE"]) {
      await assertRefused("OPERATION_FAILED", file, { repair_behavior });
    }
    assert.equal((await server.printwright.call("GET", "/v1/")).status, 200);
  });
}

test("a 3MF file with an unknown file in its archive is read", async () => {
  const file = server.file("extra.3mf", boxPackage(ITEM, { "Metadata/notes.txt": new Uint8Array(9) }));
  assert.equal((await importInto(undefined, file)).models.length, 1);
});

test("trailing bytes after the facets of a binary STL file are tolerated", async () => {
  const stl = binaryStl(BOX);
  const padded = new Uint8Array(stl.length + 33);
  padded.set(stl);
  assertNear(sizeOf((await importInto(undefined, server.file("padded.stl", padded))).models[0]), [10, 20, 30]);
});

test("a binary STL file whose head begins with solid is read as binary", async () => {
  const file = server.file("solid.stl", binaryStl(BOX, "solid made for a test"));
  assertNear(sizeOf((await importInto(undefined, file)).models[0]), [10, 20, 30]);
});

test("a model that reaches beyond 1,000,000 mm is INPUT_ERROR, also by its unit", async () => {
  const wide = box([90_000, 10, 10]);
  await assertRefused("INPUT_ERROR", server.file("wide.stl", binaryStl(wide)), { units: "INCHES" });
  assert.equal((await importInto(undefined, server.file("wide.stl", binaryStl(wide)))).models[0].in_bounds, false);
  for (const [name, write] of Object.entries(FORMATS)) {
    await assertRefused(
      "INPUT_ERROR",
      server.file(`far-${name}`, await write(moved(box([10, 10, 10]), [2_000_000, 0, 0]))),
    );
  }
});

const OTHER_CAD = ["sldprt", "sldasm", "prt", "asm", "jt", "catpart", "catproduct", "ipt", "iam", "3dm"];
for (const extension of OTHER_CAD) {
  test(`.${extension} is OPERATION_FAILED and the message names the formats to export instead`, async () => {
    for (const spelling of [extension, extension.toUpperCase()]) {
      const message = await assertRefused("OPERATION_FAILED", server.file(`part.${spelling}`, "CAD data"));
      assert.match(message, /STEP|STL|3MF/);
    }
  });
}

const demo = fileURLToPath(new URL("../../assets/demo/", import.meta.url));
const step = readdirSync(demo).find((name) => /\.(step|stp)$/i.test(name));
const withStep = { skip: step === undefined && "no STEP file among the demo assets", timeout: 120_000 };
const stepFile = (): string => join(demo, step!);
const COARSE = { chordal_tolerance_um: 1000, angle_tolerance_deg: 45 };
const volumeMl = async (scene_id: string): Promise<number> =>
  (await server.scene(scene_id)).material_usage.unsupported_volume_ml;

test("finer chordal and angle tolerances give another mesh of nearly the same body", withStep, async () => {
  const settings = [
    COARSE,
    { chordal_tolerance_um: 50, angle_tolerance_deg: 45 },
    { chordal_tolerance_um: 1000, angle_tolerance_deg: 12 },
  ];
  // One after the other, because each thread compiles the CAD kernel.
  const found: { size: number[]; hash: string; volume: number }[] = [];
  for (const options of settings) {
    const { scene_id, models } = await importInto(undefined, stepFile(), options);
    found.push({ size: sizeOf(models[0]), hash: models[0].raw_mesh_hash, volume: await volumeMl(scene_id) });
  }
  const [coarse, ...fine] = found;
  assert.ok(coarse.volume > 0);
  for (const one of fine) {
    assert.notEqual(one.hash, coarse.hash);
    assertNear(one.size, coarse.size, 2.1);
    assertNear(one.volume / coarse.volume, 1, 0.1);
  }
  assertNear(fine[0].volume / fine[1].volume, 1, 0.01);
});

test("tolerances have no lower bound: those finer than a printer can show are raised", async () => {
  const none = { chordal_tolerance_um: 0, angle_tolerance_deg: -1 };
  assert.equal((await importInto(undefined, server.file("part.stl", binaryStl(BOX)), none)).models.length, 1);
  const body = v.parse(importModel.body!, { scene_id: "", file: "/part.step", ...none }) as typeof none;
  assert.deepEqual([body.chordal_tolerance_um, body.angle_tolerance_deg], [1, 0.5]);
});

test("the tolerances default to 10 µm and 5°", withStep, async () => {
  const byDefault = await importInto(undefined, stepFile());
  const named = await importInto(undefined, stepFile(), { chordal_tolerance_um: 10, angle_tolerance_deg: 5 });
  assert.equal(named.models[0].raw_mesh_hash, byDefault.models[0].raw_mesh_hash);
});

test("the parts of a STEP file make one model, or one each", withStep, async () => {
  const whole = await importInto(undefined, stepFile(), COARSE);
  const parts = await importInto(undefined, stepFile(), { ...COARSE, split_multi_model_file: true });
  assert.equal(whole.models.length, 1);
  assert.deepEqual(
    parts.new_models.map((one: Reply["body"]) => one.source_part_index).sort(),
    parts.models.map((_: unknown, i: number) => i),
  );
  assertNear((await volumeMl(parts.scene_id)) / (await volumeMl(whole.scene_id)), 1, 1e-6);
});

test("units overrides the unit of a STEP file", withStep, async () => {
  const importedIn = async (units: string): Promise<Reply["body"]> =>
    (await importInto(undefined, stepFile(), { ...COARSE, units })).models[0];
  const [mm, inches] = [await importedIn("MILLIMETERS"), await importedIn("INCHES")];
  assert.equal(inches.units, "INCHES");
  sizeOf(inches).forEach((size, axis) => assertNear(size / sizeOf(mm)[axis], 25.4, 1e-4));
});

test("a STEP file that lost a line is refused with the name of its part, and imported without the part if defects are accepted", async () => {
  const boxes = await boxStep(2);
  const file = server.file("lost-line.step", boxes.replace(/^#\d+=MANIFOLD_SOLID_BREP.*\n/m, ""));
  const message = await assertRefused("OPERATION_FAILED", file);
  assert.match(message, /1 id that it refers to .* affects "box 0".*REPAIR or IGNORE/);
  for (const repair_behavior of ["REPAIR", "IGNORE"]) {
    const { new_models, warnings } = bodyOf(await server.import(await server.newScene(), file, { repair_behavior }));
    assert.equal(new_models.length, 1);
    assert.match(warnings.join(" "), /affects "box 0".*the model lacks: 1 \("box 0"\)/);
  }
});
