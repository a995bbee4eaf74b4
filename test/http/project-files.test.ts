import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { unzipSync, zipSync } from "fflate";
import { noProgress } from "../../src/core/progress.ts";
import { writeForm } from "../../src/format/form/form-file.ts";
import { meshHash } from "../../src/mesh/canonical-mesh.ts";
import { measureMesh } from "../../src/mesh/measure.ts";
import { type Mesh, newFacts } from "../../src/mesh/mesh.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { BOUND_BY_PERMISSIONS, confined, lacksMounts, lacksPermissions, withOwnMount } from "../fixture/confined.ts";
import { someModel } from "../fixture/form-project.ts";
import { FPS_ID, LAYERS_OF_120_UM, fpsDocument } from "../fixture/fps-file.ts";
import { slowRuns } from "../fixture/long.ts";
import { startPrintwright } from "../fixture/printwright.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, tetrahedron, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import {
  POWDER,
  RESIN,
  type TestServer,
  UNKNOWN_ID,
  UUID,
  assertRefused,
  bodyOf,
  codeOf,
  openTestServer,
} from "../fixture/test-server.ts";

// Interface, "Scene lifecycle" and scene/open; supplement, sections 1 ("All or nothing", "Paths of files") and 5.

type Body = Reply["body"];

const isWindows = process.platform === "win32";

let server: TestServer;
let block: string;
let spike: string;
/** A project of one resin scene with one block, which other projects change. */
let simple: string;
before(async () => {
  server = await openTestServer();
  block = server.file("block.stl", binaryStl(box([10, 20, 30])));
  spike = server.file("spike.stl", binaryStl(tetrahedron(12)));
  simple = path("simple.form");
  const scene_id = await server.newScene();
  await server.importOne(scene_id, block);
  await saved([scene_id], simple);
});
after(() => server.close());

const path = (name: string): string => join(server.folder, name);
const folder = (name: string): string => {
  mkdirSync(path(name));
  return path(name);
};
const save = (body: unknown, on = server.printwright): Promise<Reply> => on.post("/v1/scene/save/", body);
const open = (file: string, on = server.printwright): Promise<Reply> => on.post("/v1/scene/open/", { file });
const scenes = async (on = server.printwright): Promise<Body[]> =>
  (await on.call("GET", "/v1/scene/list/")).body.scenes;
const manifestIn = (file: string): Body =>
  JSON.parse(new TextDecoder().decode(unzipSync(readFileSync(file))["manifest.json"]));

async function saved(scene_ids: readonly string[], file: string, others: object = {}): Promise<string> {
  const reply = await save({ scene_ids, file, ...others });
  assert.deepEqual([reply.status, reply.body], [200, undefined]);
  return file;
}

const opened = async (file: string): Promise<Body> => bodyOf(await open(file));

/** A copy of a project with another manifest. */
function altered(name: string, change: (manifest: Body) => unknown, from = simple): string {
  const entries = unzipSync(readFileSync(from));
  const manifest = JSON.parse(new TextDecoder().decode(entries["manifest.json"]));
  const content = change(manifest) ?? manifest;
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return server.file(name, zipSync({ ...entries, "manifest.json": new TextEncoder().encode(text) }, { level: 0 }));
}

const finished = (begun: Reply): Promise<Body> => awaitOperation(server.printwright, begun);

/** Models for comparison, without ids and order. */
const withoutIds = (models: Body[]): Body[] =>
  models.map((model) => ({ ...model, id: undefined })).sort((a, b) => (a.name < b.name ? -1 : 1));

test("open returns the project's name and, in the order of the file, each scene with its settings and models", async () => {
  const [a, b] = [await server.newScene(), await server.newScene(POWDER)];
  await server.importOne(b, block);
  await server.importOne(b, spike);
  const file = await saved([b, a], path("two.form"), { project_name: 'Zähne 🦷 "x"' });
  const before = await scenes();
  const body = await opened(file);
  assert.deepEqual(Object.keys(body).sort(), ["project_name", "scenes"]);
  assert.equal(body.project_name, 'Zähne 🦷 "x"');
  assert.equal(body.scenes.length, 2);
  const added = (await scenes()).slice(before.length);
  body.scenes.forEach((scene: Body, i: number) => {
    assert.deepEqual(Object.keys(scene).sort(), ["new_model_ids", "scene_id", "scene_name", "scene_settings"]);
    assert.match(scene.scene_id, UUID);
    assert.equal(scene.scene_id, added[i].id);
    assert.deepEqual(scene.scene_settings, added[i].scene_settings);
    assert.deepEqual(new Set(scene.new_model_ids), new Set(added[i].models.map(({ id }: Body) => id)));
  });
  assert.deepEqual(
    body.scenes.map(({ new_model_ids }: Body) => new_model_ids.length),
    [2, 0],
  );
  const machineTypes = added.map(({ scene_settings }) => scene_settings.machine_type);
  assert.deepEqual(machineTypes, [POWDER.machine_type, RESIN.machine_type]);
  assert.deepEqual((await scenes()).slice(0, before.length), before);
});

test("a model that was saved with defects is opened unchanged, and named in warnings", async () => {
  const scene_id = await server.newScene();
  const { vertices, triangles } = box([10, 20, 30]);
  const gap = server.file("gap.stl", binaryStl({ vertices, triangles: triangles.slice(3) }));
  for (const name of ["open lid", "open lid too"]) {
    await server.importOne(scene_id, gap, { repair_behavior: "IGNORE", name });
  }
  await server.importOne(scene_id, block);
  const body = await opened(await saved([scene_id], path("gaps.form")));
  assert.equal(body.scenes[0].new_model_ids.length, 3);
  assert.equal(body.warnings.length, 1);
  assert.match(body.warnings[0], /"open lid", "open lid too" have 3 open edges, and stay as saved\./);
  assert.match(body.warnings[0], /\/v1\/scene\/model\/repair\//);
});

test("opening a file again makes scenes and models with new ids", async () => {
  const [first, second] = [await opened(simple), await opened(simple)];
  const idsOf = ({ scenes: [scene] }: Body): string[] => [scene.scene_id, ...scene.new_model_ids];
  assert.equal(new Set([...idsOf(first), ...idsOf(second)]).size, 4);
});

test("only a scene that was not opened from a file is named by its place in the project", async () => {
  const before = await scenes();
  const last = await server.newScene();
  const file = await saved([last, before[0].id], path("places.form"));
  const body = await opened(file);
  const names = body.scenes.map(({ scene_name }: Body) => scene_name);
  assert.deepEqual(names, [`Scene ${before.length + 1}`, "Scene 1"]);
  // The place changes if an earlier scene is deleted; a name from a file stays.
  const [{ scene_id: named }] = body.scenes;
  const [{ scene_id: gone }] = (await opened(simple)).scenes;
  const unnamed = await server.newScene();
  const place = (await scenes()).length;
  await server.printwright.call("DELETE", "/v1/scene/delete/", { scene_id: gone });
  const again = manifestIn(await saved([named, unnamed], path("places-again.form")));
  assert.deepEqual(
    again.scenes.map(({ name }: Body) => name),
    [names[0], `Scene ${place - 1}`],
  );
});

test("the name of an opened scene is written back, whatever its characters and the changes of the scene", async () => {
  for (const name of ["Obere Zähne 🦷", "", "Scene 7", 'a/b\\c\u0000"', "__proto__"]) {
    const file = altered("named.form", (manifest) => void (manifest.scenes[0].name = name));
    const [{ scene_id, scene_name }] = (await opened(file)).scenes;
    assert.equal(scene_name, name);
    bodyOf(await server.printwright.post("/v1/scene/update/", { scene_id, ...POWDER }));
    assert.equal(manifestIn(await saved([scene_id], path("renamed.form"))).scenes[0].name, name);
  }
});

test("project_name is empty when it was not given", async () => {
  const [{ id }] = await scenes();
  for (const others of [{}, { project_name: "" }, { project_name: " Brücke\n" }]) {
    const { project_name } = await opened(await saved([id], path("project-name.form"), others));
    assert.equal(project_name, others.project_name ?? "");
  }
});

test("the name of a project is kept from open to save, unless the save gives another", async () => {
  const [{ id }] = await scenes();
  const file = await saved([id], path("kept.form"), { project_name: "Brücke" });
  const [{ scene_id }] = (await opened(file)).scenes;
  for (const [others, name] of [
    [{}, "Brücke"],
    [{ project_name: "other" }, "other"],
    [{ project_name: "" }, ""],
  ] as const) {
    assert.equal(manifestIn(await saved([scene_id], path("again.form"), others)).project_name, name);
  }
  assert.equal(manifestIn(await saved([id, scene_id], path("both.form"))).project_name, "Brücke");
});

test("scenes named twice, in any spelling of the id, are saved once", async () => {
  const scene_id = await server.newScene();
  const file = await saved([scene_id, `{${scene_id}}`, scene_id.toUpperCase()], path("once.form"));
  assert.equal((await opened(file)).scenes.length, 1);
});

for (const [family, combination] of [
  ["resin", RESIN],
  ["powder", POWDER],
] as const) {
  test(`a ${family} scene is opened as it was saved: poses, locks, visibility, units, hashes, files`, async () => {
    const scene_id = await server.newScene(combination);
    const edit = async (action: string, body: object): Promise<void> =>
      void bodyOf(await server.ask(action, { scene_id, ...body }));
    const turned = await server.importOne(scene_id, block, { name: "a turned" });
    await edit("orient", { model_ids: [turned], orientation: { x: 12.3456789012345, y: -77.7, z: 1 / 3 } });
    await edit("scale", { model_ids: [turned], scale: 1.0000000000000002 });
    await edit("translate", { model_ids: [turned], position: { x: 0.1 + 0.2, y: -1e-7 / 3, z: 40.00000000000001 } });
    const hidden = await server.importOne(scene_id, spike, { name: "b hidden", lock: "FULLY_LOCKED" });
    await edit("update", { model_ids: [hidden], visible: false, units: "INCHES" });
    await edit("scale", { model_ids: [hidden], scale: 1 / 30 });
    await server.importOne(scene_id, block, { name: 'c 🦷 "quoted"\n', lock: "LOCKED_XY_FLIP_ENABLED" });
    const far = await server.importOne(scene_id, block, { name: "d out of bounds", units: "INCHES" });
    await edit("translate", { model_ids: [far], position: { x: 4321.123456789012, y: 0, z: 0 } });
    const copy = bodyOf(await server.ask("duplicate", { scene_id, model_ids: [far], count: 1 }));
    await edit("update", { model_ids: copy.results[0].new_model_ids, name: "e copy" });

    const before = await server.scene(scene_id);
    const [{ scene_id: again, scene_name }] = (await opened(await saved([scene_id], path(`${family}.form`)))).scenes;
    const { name, ...after } = await server.scene(again);
    assert.deepEqual([before.name, name], [undefined, scene_name]);
    assert.equal(before.models.length, 5);
    assert.deepEqual(withoutIds(after.models), withoutIds(before.models));
    assert.deepEqual({ ...after, id: 0, models: [] }, { ...before, id: 0, models: [] });
  });
}

test("poses are opened exactly as saved, also above the platform in resin scenes", async () => {
  const poses = [
    { position: { x: 1 / 3, y: -2.5, z: 1e-300 }, orientation: { x: -90, y: 0, z: 179.99999999999997 }, scale: 1.1 },
    {
      position: { x: 5e-324, y: 999.9999999999999, z: 77.7 },
      orientation: { x: 1e-17, y: -179.99999999999997, z: 180 },
      scale: 0.30000000000000004,
    },
    {
      position: { x: 123.45600000000002, y: 1e-7, z: -12 },
      orientation: { x: 89.99999999999999, y: 180, z: 2 ** -40 },
      scale: 1e-9,
    },
  ];
  for (const combination of [RESIN, POWDER]) {
    const source = await server.newScene(combination);
    await server.importOne(source, block);
    const file = altered(
      "poses.form",
      ({ scenes: [scene] }) => {
        scene.models = poses.map((pose, i) => ({ ...scene.models[0], ...pose, name: `${i}` }));
      },
      await saved([source], path("unaltered.form")),
    );
    const [{ scene_id }] = (await opened(file)).scenes;
    const shown = (models: Body[]): Body[] =>
      withoutIds(models).map(({ position, orientation, scale }) => ({ position, orientation, scale }));
    assert.deepEqual(shown(await server.models(scene_id)), poses);
    assert.deepEqual(shown(manifestIn(await saved([scene_id], path("poses-again.form"))).scenes[0].models), poses);
  }
});

test("a project saved, opened and saved again has the same bytes", async () => {
  const [a, b] = [await server.newScene(POWDER), await server.newScene()];
  for (const file of [block, spike, block]) await server.importOne(a, file);
  const fps_file = server.file("same.fps", JSON.stringify(fpsDocument(LAYERS_OF_120_UM)));
  const c = bodyOf(await server.printwright.post("/v1/scene/create/", { fps_file })).scene_id;
  await server.importOne(c, spike);
  const others = { project_name: "same" };
  const first = await saved([b, c, a], path("first.form"), others);
  const second = await saved([b, c, a], path("second.form"), others);
  assert.ok(readFileSync(first).equals(readFileSync(second)));
  const ids = (await opened(first)).scenes.map(({ scene_id }: Body) => scene_id);
  const third = await saved(ids, path("third.form"), others);
  assert.ok(readFileSync(first).equals(readFileSync(third)));
});

test("equal meshes are stored once", async () => {
  const scene_id = await server.newScene();
  for (const file of [block, block, spike, block]) await server.importOne(scene_id, file);
  const entries = Object.keys(unzipSync(readFileSync(await saved([scene_id], path("once-each.form")))));
  assert.equal(entries.filter((name) => name.startsWith("meshes/")).length, 2);
});

test("a project contains its whole custom print setting, also for a server that never had its file", async () => {
  const document = JSON.parse(JSON.stringify(fpsDocument(LAYERS_OF_120_UM)).replace('"opaque"', '{"__proto__": 1}'));
  const fps_file = server.file("along.fps", JSON.stringify(document));
  const { scene_id, scene_settings } = bodyOf(await server.printwright.post("/v1/scene/create/", { fps_file }));
  await server.importOne(scene_id, block);
  const file = await saved([scene_id], path("along.form"));
  rmSync(fps_file);
  const other = await startPrintwright();
  try {
    const [scene] = bodyOf(await open(file, other)).scenes;
    assert.equal(scene.scene_settings.custom_print_setting_id, FPS_ID);
    assert.deepEqual(scene.scene_settings, scene_settings);
    const { layer_count } = bodyOf(await other.post("/v1/scene/get/", { scene_id: scene.scene_id }));
    assert.equal(layer_count, 250);
    const exported = path("exported.fps");
    bodyOf(await other.post("/v1/print-setting/save/", { scene_id: scene.scene_id, file: exported }));
    assert.equal(JSON.stringify(JSON.parse(readFileSync(exported, "utf8"))), JSON.stringify(document));
  } finally {
    await other.stop();
  }
});

test("the extension is matched in any case, by save and by open", async () => {
  const [{ id }] = await scenes();
  for (const name of ["CASE.FORM", "case.Form"]) bodyOf(await open(await saved([id], path(name))));
});

test("aliases of machine types in a file become the canonical ones", async () => {
  const settings = { machine_type: "FORM-3-0", material_code: "FLGPGR04", print_setting: "LEGACY" };
  const file = altered("alias.form", ({ scenes: [scene] }) => void Object.assign(scene.scene_settings, settings));
  assert.equal((await opened(file)).scenes[0].scene_settings.machine_type, "FORM-3-1");
});

test("save and open check the request before they access any file", async () => {
  const [{ id }] = await scenes();
  const file = path("never.form");
  const both = (name: string): [object, object] => [{ scene_ids: [id], file: name }, { file: name }];
  const wrongPaths = [
    "never.form",
    "./never.form",
    "../never.form",
    path("never.stl"),
    path("never"),
    path(".form"),
    path("never.form.bak"),
    path("neverform"),
    "",
    "/",
  ];
  for (const name of wrongPaths) {
    const [forSave, forOpen] = both(name);
    for (const query of ["", "?async=true"]) {
      assertRefused(await server.printwright.post(`/v1/scene/save/${query}`, forSave), "INPUT_ERROR");
      assertRefused(await server.printwright.post(`/v1/scene/open/${query}`, forOpen), "INPUT_ERROR");
    }
  }
  // The extension is checked before the scene.
  assertRefused(await save({ scene_ids: [UNKNOWN_ID], file: path("never.stl") }), "INPUT_ERROR", /\.form/);
  const saves: [object, string][] = [
    [{ file }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_ids: [id] }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_ids: [], file }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_ids: id, file }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_ids: [3], file }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_ids: [id], file: 3 }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_ids: [id], file, project_name: 3 }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_ids: [id], file, project_name: null }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_id: id, file }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_ids: [id], file, overwrite: true }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_ids: [id, UNKNOWN_ID], file }, "INPUT_ERROR"],
    [{ scene_ids: ["no-uuid"], file }, "INPUT_ERROR"],
    [{ scene_ids: [""], file }, "INPUT_ERROR"],
  ];
  for (const [body, code] of saves) {
    for (const query of ["", "?async=true"]) {
      assertRefused(await server.printwright.post(`/v1/scene/save/${query}`, body), code);
    }
  }
  for (const body of [{}, { file: 3 }, { file: null }, { file: [simple] }, { file: simple, scene_id: id }]) {
    assertRefused(await server.printwright.post("/v1/scene/open/", body), "JSON_SCHEMA_MATCH_ERROR", /"\//);
  }
  for (const action of ["save", "open"]) {
    for (const query of ["async=perhaps", "async=", "async=True", "async=1"]) {
      const reply = await server.printwright.post(`/v1/scene/${action}/?${query}`, undefined, { raw: "{" });
      assertRefused(reply, "INVALID_QUERY_PARAMETER");
    }
    for (const raw of ["", "{", "[]"]) {
      assertRefused(await server.printwright.post(`/v1/scene/${action}/`, undefined, { raw }), "JSON_PARSE_ERROR");
    }
  }
  assert.ok(!readdirSync(server.folder).some((name) => name.startsWith("never") || name.endsWith(".part")));
});

/** Changes the settings of the last scene. */
const withSettings =
  (changes: object) =>
  ({ scenes: all }: Body): void =>
    void Object.assign(all.at(-1).scene_settings, changes);

/** Manifests that open refuses as OPERATION_FAILED, by their difference from a good one. */
const UNUSABLE: Record<string, [change: (manifest: Body) => unknown, message: RegExp]> = {
  "a newer version": [(manifest) => void (manifest.version = 4), /newer .*\b4\b/],
  "a far newer version": [({ format }) => ({ format, version: 4711, other: "shape" }), /newer .*\b4711\b/],
  "another program's format": [(manifest) => void (manifest.format = "other"), /./],
  "a version of zero": [(manifest) => void (manifest.version = 0), /./],
  "no scenes": [(manifest) => void delete manifest.scenes, /./],
  "no JSON": [() => "{", /./],
  "an unknown machine type": [withSettings({ machine_type: "FORM-9-9" }), /FORM-9-9/],
  "the reserved machine type": [withSettings({ machine_type: "UNKN-0-0" }), /UNKN-0-0/],
  "an unknown material": [withSettings({ material_code: "FLXXXX99" }), /FLXXXX99/],
  "an unknown print setting": [withSettings({ print_setting: "GONE" }), /GONE/],
  "a layer thickness that is not shipped": [withSettings({ layer_thickness_mm: 0.123 }), /0\.123/],
  "ADAPTIVE where it is not offered": [withSettings({ layer_thickness_mm: "ADAPTIVE" }), /ADAPTIVE/],
  "a second scene of an unknown material": [
    (manifest) => {
      manifest.scenes.unshift(structuredClone(manifest.scenes[0]));
      withSettings({ material_code: "FLXXXX99" })(manifest);
    },
    /FLXXXX99/,
  ],
  "a custom print setting over an unknown material": [
    ({ scenes: [scene] }) =>
      void (scene.custom_print_setting = {
        id: FPS_ID,
        name: "gone",
        document: fpsDocument({}, { versioned_material_code: "FLXXXX99" }),
      }),
    /FLXXXX99/,
  ],
  "a custom print setting that is none": [
    ({ scenes: [scene] }) => void (scene.custom_print_setting = { id: FPS_ID, name: "none", document: {} }),
    /./,
  ],
  "a model too far away": [
    ({
      scenes: [
        {
          models: [model],
        },
      ],
    }) => void (model.position.x = 1e7),
    /./,
  ],
  "a model that reaches too far": [
    ({
      scenes: [
        {
          models: [model],
        },
      ],
    }) => void (model.scale = 1e8),
    /./,
  ],
  "a scale of zero": [
    ({
      scenes: [
        {
          models: [model],
        },
      ],
    }) => void (model.scale = 0),
    /./,
  ],
  "an unknown lock": [
    ({
      scenes: [
        {
          models: [model],
        },
      ],
    }) => void (model.lock = "NAILED"),
    /./,
  ],
  "supports without what they are made of": [
    ({
      scenes: [
        {
          models: [model],
        },
      ],
    }) => void (model.supports = {}),
    /./,
  ],
  "a mesh that is not in the file": [
    ({
      scenes: [
        {
          models: [model],
        },
      ],
    }) => void (model.mesh = "0".repeat(64)),
    /./,
  ],
};

for (const [what, [change, message]] of Object.entries(UNUSABLE)) {
  test(`a project with ${what} is OPERATION_FAILED, and nothing is created`, async () => {
    const held = await scenes();
    assertRefused(await open(altered("unusable.form", change)), "OPERATION_FAILED", message);
    assert.deepEqual(await scenes(), held);
  });
}

test("a file that is not a project file is OPERATION_FAILED, and nothing is created", async () => {
  const held = await scenes();
  const inside = folder("no-projects");
  const whole = readFileSync(simple);
  mkdirSync(join(inside, "folder.form"));
  const contents: Record<string, string | Uint8Array> = {
    "empty.form": "",
    "text.form": "solid part\nendsolid part\n",
    "stl.form": readFileSync(block),
    "other.form": zipSync({ "scene.json": new TextEncoder().encode("{}") }),
    "no-entries.form": zipSync({}),
    "zeros.form": new Uint8Array(100_000),
    "twice.form": Buffer.concat([whole, whole]).subarray(100),
  };
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(inside, name), content);
  for (const share of [0.01, 0.1, 0.5, 0.9, 0.99]) {
    writeFileSync(join(inside, `cut-${share}.form`), whole.subarray(0, Math.floor(share * whole.length)));
  }
  copyFileSync(simple, join(inside, "sparse.form"));
  truncateSync(join(inside, "sparse.form"), 2 ** 36);
  for (const name of [...readdirSync(inside), "missing.form", "missing/x.form", "text.form/x.form", "a\0b.form"]) {
    assertRefused(await open(join(inside, name)), "OPERATION_FAILED", /\.form/);
  }
  assert.deepEqual(await scenes(), held);
});

test("devices, pipes and broken links are OPERATION_FAILED, without waiting", { skip: isWindows }, async () => {
  const held = await scenes();
  const inside = folder("devices");
  for (const [name, target] of [
    ["zero", "/dev/zero"],
    ["null", "/dev/null"],
    ["memory", "/proc/self/mem"],
    ["folder", "/"],
    ["circle", join(inside, "circle.form")],
    ["dangling", join(inside, "nothing")],
  ]) {
    symlinkSync(target, join(inside, `${name}.form`));
  }
  execFileSync("mkfifo", [join(inside, "pipe.form")]);
  for (const name of readdirSync(inside)) assertRefused(await open(join(inside, name)), "OPERATION_FAILED", /\.form/);
  assert.deepEqual(await scenes(), held);
});

test("a file with changed bytes opens or is OPERATION_FAILED, and the server keeps running", async () => {
  const whole = readFileSync(simple);
  const random = randomFrom(7);
  const below = (limit: number): number => Math.floor(random() * limit);
  let refused = 0;
  const runs = slowRuns(150);
  for (let i = 0; i < runs; i++) {
    const bytes = Buffer.from(whole);
    for (let k = 0; k <= i % 4; k++) bytes[below(bytes.length)] = below(256);
    const cut = i % 5 === 0 ? below(bytes.length) : bytes.length;
    const held = (await scenes()).length;
    const reply = await open(server.file("mutated.form", bytes.subarray(0, cut)));
    if (reply.status === 200) {
      const [model] = (await scenes()).at(-1).models;
      assert.equal(model.raw_mesh_hash, manifestIn(simple).scenes[0].models[0].mesh);
      await server.printwright.call("DELETE", "/v1/scene/delete/", { scene_id: reply.body.scenes[0].scene_id });
    } else {
      assert.equal(codeOf(reply), "OPERATION_FAILED", reply.body.error.message);
      refused++;
    }
    assert.equal((await scenes()).length, held);
  }
  assert.ok(refused > runs / 2 && refused < runs, `${refused} of ${runs} refused`);
});

test("asynchronous open has the same result and errors in its operation", async () => {
  const openAsync = (file: string): Promise<Reply> => server.printwright.post("/v1/scene/open/?async=true", { file });
  const done = await finished(await openAsync(simple));
  assert.equal(done.status, "SUCCEEDED");
  const [scene] = done.result.scenes;
  assert.equal((await server.models(scene.scene_id))[0].id, scene.new_model_ids[0]);
  const held = await scenes();
  for (const file of [path("missing.form"), block.replace("block.stl", "folder-that-is-not/x.form")]) {
    const failed = await finished(await openAsync(file));
    assert.equal(failed.status, "FAILED");
    assert.equal(failed.result.error.code, "OPERATION_FAILED");
  }
  assert.deepEqual(await scenes(), held);
});

test("asynchronous save writes the file, and has its errors in the operation", async () => {
  const [{ id }] = await scenes();
  const saveAsync = (file: string): Promise<Reply> =>
    server.printwright.post("/v1/scene/save/?async=true", { scene_ids: [id], file, project_name: "later" });
  const done = await finished(await saveAsync(path("later.form")));
  assert.equal(done.status, "SUCCEEDED");
  assert.ok(!("result" in done));
  assert.equal(manifestIn(path("later.form")).project_name, "later");
  const failed = await finished(await saveAsync(path("none/later.form")));
  assert.equal(failed.status, "FAILED");
  assert.equal(failed.result.error.code, "OPERATION_FAILED");
});

test("many simultaneous saves to one file leave the whole file of one of them, and no other file", async () => {
  const inside = folder("at-once");
  const file = join(inside, "project.form");
  const ids = await Promise.all(Array.from({ length: 8 }, () => server.newScene()));
  await Promise.all(ids.map((id) => server.importOne(id, block)));
  for (let round = 0; round < 8; round++) {
    await Promise.all(ids.map((id, i) => saved([id], file, { project_name: `${i}` })));
  }
  assert.deepEqual(readdirSync(inside), ["project.form"]);
  assert.match((await opened(file)).project_name, /^[0-7]$/);
});

test("save replaces an older file, also through a link, and keeps the link and the permissions", async () => {
  const [{ id }] = await scenes();
  const inside = folder("links");
  const [file, link] = [join(inside, "old.form"), join(inside, "link.form")];
  writeFileSync(file, "old");
  chmodSync(file, 0o640);
  symlinkSync(file, link);
  await saved([id], link, { project_name: "new" });
  assert.equal((await opened(file)).project_name, "new");
  assert.equal(readlinkSync(link), file);
  assert.equal(statSync(file).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(inside).sort(), ["link.form", "old.form"]);
});

test("save to a path that cannot be a file fails and changes nothing", { skip: isWindows }, async () => {
  const [{ id }] = await scenes();
  const inside = folder("targets");
  mkdirSync(join(inside, "folder.form"));
  writeFileSync(join(inside, "file"), "x");
  symlinkSync("/dev/full", join(inside, "full.form"));
  symlinkSync(join(inside, "circle.form"), join(inside, "circle.form"));
  execFileSync("mkfifo", [join(inside, "pipe.form")]);
  const names = readdirSync(inside).sort();
  const targets = [
    ...[
      "missing/x.form",
      "folder.form",
      "file/x.form",
      "full.form",
      "circle.form",
      "pipe.form",
      "new.form/",
      "a\0b.form",
      `${"n".repeat(300)}.form`,
    ].map((name) => join(inside, name)),
    "/proc/self/x.form",
    "/proc/x.form",
    "/sys/x.form",
  ];
  for (const file of targets) assertRefused(await save({ scene_ids: [id], file }), "OPERATION_FAILED", /form/);
  assert.deepEqual(readdirSync(inside).sort(), names);
  assert.ok(statSync(join(inside, "pipe.form")).isFIFO());
});

/** A mesh of `count` triangles that share no corner, in canonical form without sorting. */
function looseTriangles(count: number) {
  const vertices = Float32Array.from({ length: 9 * count }, (_, i) => {
    const corner = Math.floor(i / 3);
    return [Math.floor(corner / 1024) / 1024, (corner % 1024) / 1024, (corner % 7) / 7][i % 3];
  });
  const triangles = Uint32Array.from({ length: 3 * count }, (_, i) => i);
  return {
    hash: meshHash(vertices, triangles),
    vertices,
    triangles,
    ...measureMesh(vertices, triangles),
    facts: newFacts(),
  };
}

/** A project of one model, with about 48 bytes for each triangle. */
async function largeProject(name: string, mesh: Mesh): Promise<string> {
  const combination = {
    machineType: "FORM-4-0",
    materialCode: "FLGPGR05",
    printSetting: "DEFAULT",
    layerThicknessMm: 0.1,
  };
  const models = [someModel({ mesh })];
  await writeForm(path(name), { projectName: "", scenes: [{ name: "large", combination, models }] }, noProgress);
  return path(name);
}

interface Cramped {
  readonly executable: string;
  /** The folder in which the server saves, and its path for the test. */
  readonly inside: string;
  readonly seen: (pid: number) => string;
}

/** Asserts that saves without enough space fail and leave the old file, and that saves that fit still succeed. */
async function assertKeepsOldFile({ executable, inside, seen }: Cramped, message: RegExp): Promise<void> {
  const large = await largeProject("too-large.form", looseTriangles(20_000));
  const cramped = await startPrintwright([], undefined, executable);
  try {
    const file = join(inside, "project.form");
    const visible = seen(cramped.pid);
    const [{ id }] = await scenes(cramped);
    assert.equal((await save({ scene_ids: [id], file, project_name: "old" }, cramped)).status, 200);
    const old = readFileSync(join(visible, "project.form"));
    const [{ scene_id }] = bodyOf(await open(large, cramped)).scenes;
    for (const target of [file, join(inside, "fresh.form")]) {
      assertRefused(await save({ scene_ids: [scene_id], file: target }, cramped), "OPERATION_FAILED", message);
      assert.deepEqual(readdirSync(visible), ["project.form"]);
      assert.ok(readFileSync(join(visible, "project.form")).equals(old));
    }
    const begun = await cramped.post("/v1/scene/save/?async=true", { scene_ids: [scene_id], file });
    const operation = await awaitOperation(cramped, begun);
    assert.equal(operation.result.error.code, "OPERATION_FAILED");
    assert.ok(readFileSync(join(visible, "project.form")).equals(old));
    assert.equal((await save({ scene_ids: [id], file, project_name: "new" }, cramped)).status, 200);
    assert.equal(bodyOf(await open(file, cramped)).project_name, "new");
    assert.deepEqual(readdirSync(visible), ["project.form"]);
  } finally {
    await cramped.stop();
  }
}

test(
  "a file over the system's limit: the old file is unchanged, and there is no other file",
  { skip: isWindows },
  async () => {
    const inside = folder("file-limit");
    // In blocks of 512 or 1024 bytes, depending on the shell.
    const executable = confined(server.folder, "trap '' XFSZ\nulimit -f 600");
    await assertKeepsOldFile({ executable, inside, seen: () => inside }, /larger/);
  },
);

test(
  "a full disk: the old file is unchanged, and there is no other file",
  { skip: isWindows || lacksMounts() },
  async () => {
    const inside = folder("full-disk");
    const executable = withOwnMount(server.folder, inside, "size=256k");
    await assertKeepsOldFile({ executable, inside, seen: (pid) => `/proc/${pid}/root${inside}` }, /full/);
  },
);

test("a read-only disk: OPERATION_FAILED for .form and .fps", { skip: isWindows || lacksMounts() }, async () => {
  const inside = folder("read-only");
  const readOnly = await startPrintwright([], undefined, withOwnMount(server.folder, inside, "ro"));
  try {
    const [{ id }] = await scenes(readOnly);
    const project = { scene_ids: [id], file: join(inside, "x.form") };
    assertRefused(await save(project, readOnly), "OPERATION_FAILED", /read-only/);
    const body = { scene_id: id, file: join(inside, "x.fps") };
    assertRefused(await readOnly.post("/v1/print-setting/save/", body), "OPERATION_FAILED", /read-only/);
  } finally {
    await readOnly.stop();
  }
});

test("without permission: OPERATION_FAILED, and the files are unchanged", { skip: lacksPermissions() }, async () => {
  const inside = folder("no-permission");
  const [closed, shared] = [join(inside, "closed"), join(inside, "open")];
  for (const one of [closed, shared]) mkdirSync(one);
  for (const file of [join(closed, "old.form"), join(shared, "protected.form"), join(shared, "secret.form")]) {
    copyFileSync(simple, file);
  }
  chmodSync(join(shared, "protected.form"), 0o444);
  chmodSync(join(shared, "secret.form"), 0o000);
  chmodSync(closed, 0o500);
  const bound = await startPrintwright([], undefined, confined(server.folder, "", BOUND_BY_PERMISSIONS));
  try {
    const [{ id }] = await scenes(bound);
    const targets = [join(closed, "new.form"), join(closed, "old.form"), join(shared, "protected.form")];
    for (const file of targets) {
      assertRefused(await save({ scene_ids: [id], file }, bound), "OPERATION_FAILED", /permi/);
    }
    assertRefused(await open(join(shared, "secret.form"), bound), "OPERATION_FAILED", /permi/);
    const fps = { scene_id: id, file: join(closed, "new.fps") };
    assertRefused(await bound.post("/v1/print-setting/save/", fps), "OPERATION_FAILED", /permi/);
    assert.deepEqual(readdirSync(closed), ["old.form"]);
    assert.deepEqual(readdirSync(shared).sort(), ["protected.form", "secret.form"]);
    chmodSync(join(shared, "protected.form"), 0o644);
    for (const file of [join(closed, "old.form"), join(shared, "protected.form")]) {
      assert.ok(readFileSync(file).equals(readFileSync(simple)));
    }
  } finally {
    chmodSync(closed, 0o700);
    await bound.stop();
  }
});

test("no file remains open", { skip: !existsSync("/proc/self/fd") && "needs /proc" }, () => {
  const descriptors = `/proc/${server.printwright.pid}/fd`;
  const targets = readdirSync(descriptors).map((fd) => {
    // Another thread may have closed the file meanwhile.
    try {
      return readlinkSync(join(descriptors, fd));
    } catch {
      return "";
    }
  });
  assert.deepEqual(
    targets.filter((target) => target.startsWith(server.folder)),
    [],
  );
});

test("SIGTERM during a save leaves either the old or the new file, complete, and no other file", async () => {
  const inside = folder("stopped");
  const file = join(inside, "project.form");
  const large = await largeProject("large.form", meshOf(uvSphere(20, 500, 250)));
  const stopped = await startPrintwright();
  const [{ id }] = await scenes(stopped);
  assert.equal((await save({ scene_ids: [id], file }, stopped)).status, 200);
  const old = readFileSync(file);
  const [{ scene_id }] = bodyOf(await open(large, stopped)).scenes;
  const isWriting = (): boolean => readdirSync(inside).length > 1;
  const nextTurn = () => new Promise<false>((resolve) => setImmediate(() => resolve(false)));
  // On a busy machine a save may begin and end between two checks; then the next one is watched.
  let answered: Promise<boolean> | undefined;
  while (!isWriting()) {
    answered ??= save({ scene_ids: [scene_id], file }, stopped).then(
      () => true,
      () => true,
    );
    if (await Promise.race([answered, nextTurn()])) answered = undefined;
  }
  assert.equal(await stopped.stop(), 0);
  await answered;
  assert.deepEqual(readdirSync(inside), ["project.form"]);
  const left = readFileSync(file);
  assert.ok(left.equals(old) || left.equals(readFileSync(large)), `${left.length} bytes are left`);
});
