import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { ApiError } from "../../../src/core/api-error.ts";
import { snakeKeys } from "../../../src/core/json.ts";
import { noProgress } from "../../../src/core/progress.ts";
import { readForm, writeForm } from "../../../src/format/form/form-file.ts";
import { type ZipEntry, zipChunks } from "../../../src/codec/zip-writer.ts";
import { CUBE, type MeshEntry, PROJECT, SUPPORTS, meshEntry } from "../../fixture/form-project.ts";
import { randomFrom } from "../../fixture/random.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "form-damaged-"));
  path = join(folder, "project.form");
});
afterEach(() => rmSync(folder, { recursive: true }));

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const bytesOf = (content: unknown): Uint8Array =>
  content instanceof Uint8Array ? content : text(typeof content === "string" ? content : JSON.stringify(content));
const entry = (name: string, content: unknown, compress = false): ZipEntry => ({
  name,
  pieces: [bytesOf(content)],
  compress,
});
const zipped = (...entries: ZipEntry[]): Uint8Array => Buffer.concat([...zipChunks(entries)]);

const MESH = meshEntry([...CUBE.vertices], [...CUBE.triangles]);
const MODEL = {
  name: "part",
  original_file: "/part.stl",
  units: "MILLIMETERS",
  visible: true,
  lock: "FREE",
  position: { x: 0, y: 0, z: 0 },
  orientation: { x: 0, y: 0, z: 0 },
  scale: 1,
  mesh: CUBE.hash,
};
const MANIFEST_SUPPORTS = {
  position: { x: 0, y: 0, z: 0 },
  turn_deg: 0,
  mesh: CUBE.hash,
  settings: snakeKeys(SUPPORTS.settings),
  touchpoints: [],
};
const AT_ORIGIN = { x: 0, y: 0, z: 0 };
const UP = { x: 0, y: 0, z: 1 };
const MANIFEST_HOLE = {
  position: { x: 0, y: 0, z: 0 },
  direction: { x: 0, y: 0, z: 1 },
  diameter_mm: 1,
  depth_mm: "AUTO",
  outset_mm: 0,
};
const SLOW = { id: "0b0c2f3e-7a55-4d5c-9d5e-0123456789ab", name: "slow" };
const SETTINGS = { machine_type: "M", material_code: "C", print_setting: "DEFAULT", layer_thickness_mm: 0.1 };
const SCENE = { name: "Scene 1", scene_settings: SETTINGS, models: [MODEL] };
const MANIFEST = { format: "printwright-form", version: 1, project_name: "", scenes: [SCENE] };

const withScene = (changes: object): object => ({ ...MANIFEST, scenes: [{ ...SCENE, ...changes }] });
const withModel = (changes: object): object => withScene({ models: [{ ...MODEL, ...changes }] });
const withPlan = (shape: object): object =>
  withModel({ support_plan: { settings: MANIFEST_SUPPORTS.settings, points: [], areas: [{ mode: "NEVER", shape }] } });
const withSetting = (document: unknown): object => withScene({ custom_print_setting: { ...SLOW, document } });
const meshFile = ({ name, bytes }: MeshEntry): ZipEntry => entry(name, bytes);
const project = (manifest: unknown): Uint8Array => zipped(entry("manifest.json", manifest), meshFile(MESH));

/** A project whose only mesh has this entry. */
function projectOf(mesh: MeshEntry): Uint8Array {
  const hash = mesh.name.slice("meshes/".length, -".mesh".length);
  return zipped(entry("manifest.json", withModel({ mesh: hash })), meshFile(mesh));
}
const withBytes = (bytes: Uint8Array): Uint8Array => projectOf({ ...MESH, bytes });

/** A project of one triangle in the plane z = 0, unless other corners are given. */
const triangle = (vertices: readonly number[], corners = [0, 1, 2]): Uint8Array =>
  projectOf(meshEntry(vertices, corners));
const CORNERS = [0, 0, 0, 0, 1, 0, 1, 0, 0];

const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const changed = (bytes: Uint8Array, at: number, value: number): Uint8Array => bytes.with(at, value);
/** The manifest with `json` in place of its string "here". */
const spliced = (manifest: object, json: string): string => JSON.stringify(manifest).replace('"here"', json);

const withCages = (cages: readonly object[]): object => ({
  ...MANIFEST,
  scenes: [{ ...MANIFEST.scenes[0], cages }],
});

const REFUSED: Record<string, [bytes: Uint8Array, message: RegExp]> = {
  "an empty file": [text(""), /project\.form/],
  "a file of another kind": [text("solid part\nendsolid part\n".repeat(100)), /project\.form/],
  "a zip of another program": [zipped(entry("scene.json", {})), /no project of this program/],
  "another program's manifest": [project({ format: "other", version: 1 }), /no project of this program/],
  "a newer version": [
    project({ format: "printwright-form", version: 4 }),
    /newer Printwright \(container version 4; .* up to 3\): update/,
  ],
  "a manifest that is not JSON": [project("{"), /manifest\.json is damaged/],
  "a manifest that is not UTF-8": [project(Uint8Array.of(0x22, 0xff, 0x22)), /manifest\.json is damaged/],
  "a manifest of a million levels": [project(deep(1_000_000)), /nests deeper than 68 levels/],
  "scenes of a million levels": [
    project(spliced({ ...MANIFEST, scenes: "here" }, deep(1_000_000))),
    /nests deeper than 68 levels/,
  ],
  "a manifest of millions of objects": [project(`[${"{},".repeat(2_000_001)}0]`), /more than 2000000 objects/],
  "a manifest that swells in memory": [zipped(entry("manifest.json", " ".repeat(2 ** 20), true)), /claims more bytes/],
  "a print setting of 65 levels": [
    project(spliced(withSetting("here"), `{"a":${deep(64)}}`)),
    /nests deeper than 68 levels/,
  ],
  "a print setting that is no object": [project(withSetting([])), /document/],
  "a manifest without scenes": [project({ ...MANIFEST, scenes: undefined }), /manifest\.json is wrong at scenes/],
  "a place that is no number": [project(withModel({ position: { x: null, y: 0, z: 0 } })), /models\.0\.position\.x/],
  "a place too far away": [project(withModel({ position: { x: 0, y: 1_000_001, z: 0 } })), /models\.0\.position\.y/],
  "an angle beyond numbers": [
    project(spliced(withModel({ orientation: { x: 0, y: 0, z: "here" } }), "1e999")),
    /models\.0\.orientation\.z/,
  ],
  "a scale of zero": [project(withModel({ scale: 0 })), /models\.0\.scale/],
  "an unknown lock": [project(withModel({ lock: "NAILED" })), /models\.0\.lock/],
  "an unknown unit": [project(withModel({ units: "FEET" })), /models\.0\.units/],
  "supports of a mesh that is not there": [
    project(withModel({ supports: { ...MANIFEST_SUPPORTS, mesh: "f".repeat(64) } })),
    /meshes\/ffff.* is missing/,
  ],
  "a touchpoint without a cause": [
    project(withModel({ supports: { ...MANIFEST_SUPPORTS, touchpoints: [[0, 0, 0, 0, 0, 1]] } })),
    /supports\.touchpoints\.0/,
  ],
  ...Object.fromEntries(
    [
      [1e308, 0, 0],
      [0, 0, 0],
      [0, 0.6, 0.7],
      [0, 0, -1.01],
    ].map((normal) => [
      `a touchpoint whose normal is ${normal.join(", ")}`,
      [
        project(withModel({ supports: { ...MANIFEST_SUPPORTS, touchpoints: [[0, 0, 0, ...normal, "MINIMUM"]] } })),
        /supports\.touchpoints\.0: expected a normal of length 1/,
      ],
    ]),
  ),
  "a touchpoint of 6 mm": [
    project(withModel({ supports: { ...MANIFEST_SUPPORTS, touchpoints: [[0, 0, 0, 0, 0, 1, "MANUAL", 6]] } })),
    /supports\.touchpoints\.0\.7/,
  ],
  "a plan whose area has no size": [
    project(withPlan({ kind: "BALL", centre: AT_ORIGIN, normal: UP, radius: 0 })),
    /support_plan\.areas\.0\.shape\.radius/,
  ],
  "a plan whose stroke lacks a normal": [
    project(withPlan({ kind: "STROKE", points: [AT_ORIGIN, UP], normals: [UP], radius: 1 })),
    /support_plan\.areas\.0\.shape: expected a normal of each point/,
  ],
  "a plan with an unknown shape": [project(withPlan({ kind: "BOX" })), /support_plan\.areas\.0\.shape/],
  ...Object.fromEntries(
    Object.entries({ touchpoint_size_mm: 5.1, raft_thickness_mm: 1e300, height_above_raft_mm: 51 }).map(
      ([name, mm]) => [
        `supports whose ${name} is ${mm}`,
        [
          project(
            withModel({ supports: { ...MANIFEST_SUPPORTS, settings: { ...MANIFEST_SUPPORTS.settings, [name]: mm } } }),
          ),
          new RegExp(`settings\\.${name}`),
        ],
      ],
    ),
  ),
  "a hole in a direction of length 2": [
    project(
      withModel({
        hollowed: { solid: CUBE.hash, holes: [{ ...MANIFEST_HOLE, direction: { x: 0, y: 0, z: 2 } }] },
      }),
    ),
    /hollowed\.holes\.0\.direction: expected a direction of length 1/,
  ],
  "supports without a place": [project(withModel({ supports: {} })), /supports\.position/],
  "a solid that is not there": [
    project(withModel({ hollowed: { solid: "e".repeat(64), holes: [] } })),
    /meshes\/eeee.* is missing/,
  ],
  "a hole without a width": [
    project(withModel({ hollowed: { solid: CUBE.hash, holes: [{ ...MANIFEST_HOLE, diameter_mm: 0 }] } })),
    /hollowed\.holes\.0\.diameter_mm/,
  ],
  "a cage of a model that is not there": [
    project(withCages([{ name: "", lattice: 0, parts: [1000] }])),
    /scenes\.0: its cages name a model that is not there/,
  ],
  "a model in two cages": [
    project(withCages([0, 0].map((lattice) => ({ name: "", lattice, parts: [] })))),
    /scenes\.0: .* or one twice/,
  ],
  "a mesh that is a path": [project(withModel({ mesh: "../../etc/passwd" })), /models\.0\.mesh/],
  "a mesh that is missing": [project(withModel({ mesh: "0".repeat(64) })), /meshes\/0{64}\.mesh is missing/],
  "an entry that climbs out of the archive": [zipped(entry("../manifest.json", MANIFEST)), /\.\.|no project/],
  "two manifests": [zipped(entry("manifest.json", MANIFEST), entry("manifest.json", MANIFEST)), /manifest\.json/],
  "a mesh shorter than its counts": [withBytes(MESH.bytes.subarray(0, -4)), /is damaged: it has \d+ bytes/],
  "a mesh shorter than its header": [withBytes(MESH.bytes.subarray(0, 12)), /does not begin as a mesh/],
  "a mesh of nothing": [withBytes(new Uint8Array()), /does not begin as a mesh/],
  "counts that overflow": [withBytes(changed(changed(MESH.bytes, 11, 0x80), 15, 0x80)), /its counts ask for 515\d+/],
  "a mesh with another mesh's hash": [withBytes(changed(MESH.bytes, 20, 1)), /does not match its hash/],
  "a mesh of another version": [withBytes(changed(MESH.bytes, 7, 0x39)), /does not begin as a mesh/],
  "a mesh that swells in memory": [
    zipped(
      entry("manifest.json", withModel({ mesh: "f".repeat(64) })),
      entry(`meshes/${"f".repeat(64)}.mesh`, new Uint8Array(2 ** 24), true),
    ),
    /claims more bytes/,
  ],
  "a mesh without triangles": [triangle([0, 0, 0], []), /no triangles/],
  "a coordinate that is not a number": [triangle([0, 0, 0, 0, 1, 0, NaN, 0, 0]), /coordinate is out of range/],
  "an endless coordinate": [triangle([-Infinity, 0, 0, 0, 1, 0, 1, 0, 0]), /coordinate is out of range/],
  "a coordinate beyond the limit": [triangle([0, 0, 0, 0, 1, 0, 1_000_001, 0, 0]), /coordinate is out of range/],
  "a coordinate of −0": [triangle([0, -0, 0, 0, 1, 0, 1, 0, 0]), /coordinate is −0/],
  "vertices out of order": [triangle([0, 1, 0, 0, 0, 0, 1, 0, 0]), /vertices are not sorted/],
  "a vertex twice": [triangle([0, 0, 0, 0, 0, 0, 1, 0, 0]), /vertices are not sorted/],
  "a triangle of a vertex that is not there": [triangle(CORNERS, [0, 1, 3]), /vertex that is not there/],
  "a triangle turned": [triangle(CORNERS, [1, 2, 0]), /least corner/],
  "triangles out of order": [triangle(CORNERS, [0, 2, 1, 0, 1, 2]), /triangles are not sorted/],
};

for (const [what, [bytes, message]] of Object.entries(REFUSED)) {
  test(`refused with its cause: ${what}`, async () => {
    writeFileSync(path, bytes);
    await assert.rejects(readForm(path, noProgress), (thrown) => {
      assert.ok(thrown instanceof ApiError, `${thrown}`);
      assert.equal(thrown.code, "OPERATION_FAILED");
      assert.match(thrown.message, message);
      return true;
    });
  });
}

test("the unchanged files that the refused ones are made from are opened", async () => {
  writeFileSync(path, project(MANIFEST));
  assert.equal((await readForm(path, noProgress)).scenes[0].models[0].mesh.volumeMm3, CUBE.volumeMm3);
  writeFileSync(path, triangle(CORNERS));
  assert.equal((await readForm(path, noProgress)).scenes[0].models[0].mesh.areaMm2, 0.5);
});

test("brackets and quotes inside strings do not count as levels", async () => {
  const name = '\\"[{'.repeat(1000);
  writeFileSync(path, project(withModel({ name })));
  assert.equal((await readForm(path, noProgress)).scenes[0].models[0].name, name);
});

test("unknown keys and entries of the same version are ignored", async () => {
  const manifest = { ...withModel({ colour: "red" }), notes: [1, 2] };
  writeFileSync(path, zipped(entry("manifest.json", manifest), entry("preview.png", "pixels"), meshFile(MESH)));
  const { scenes } = await readForm(path, noProgress);
  assert.equal(scenes[0].models[0].name, "part");
});

test("the error for a missing file names it", async () => {
  const missing = readForm(join(folder, "none.form"), noProgress);
  await assert.rejects(missing, (thrown) => thrown instanceof ApiError && thrown.message.includes("none.form"));
});

test("a file that is cut short or has changed bytes is refused with an error, or opens with the saved meshes", async () => {
  await writeForm(path, PROJECT, noProgress);
  const saved = readFileSync(path);
  const hashes = new Set(PROJECT.scenes.flatMap(({ models }) => models.map(({ mesh }) => mesh.hash)));
  const random = randomFrom(1);
  let refused = 0;
  for (let i = 0; i < 800; i++) {
    const bytes = Buffer.from(saved.subarray(0, i % 4 === 0 ? Math.floor(random() * saved.length) : saved.length));
    for (let k = i % 4; k > 0; k--) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    writeFileSync(path, bytes);
    try {
      const { scenes } = await readForm(path, noProgress);
      for (const { models } of scenes) for (const { mesh } of models) assert.ok(hashes.has(mesh.hash));
    } catch (thrown) {
      assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", `${i}: ${thrown}`);
      refused++;
    }
  }
  assert.ok(refused > 400, `${refused} refused`);
});
