import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { RESIN, UNKNOWN_ID, UUID, assertRefused } from "../fixture/test-server.ts";

// Interface, "Scene", "Scene lifecycle" and "Scene endpoints"; supplement, sections 3, 5 and 7: "layer_count".

const GREY_SETTINGS = { ...RESIN, print_setting: "DEFAULT", layer_thickness_mm: "0.1" };
const NYLON = { machine_type: "PILK-1-0", material_code: "FLP12G01", layer_thickness_mm: 0.11 };

const folder = mkdtempSync(join(tmpdir(), "printwright-scenes-"));
/** A block of 10 × 20 × 30 mm about the origin: 6 ml. */
const block = join(folder, "block.stl");
const fps = join(folder, "slow.fps");

let printwright: Printwright;
before(async () => {
  writeFileSync(block, binaryStl(box([10, 20, 30])));
  printwright = await startPrintwright();
  const [{ id }] = await list();
  assert.equal((await printwright.post("/v1/print-setting/save/", { scene_id: id, file: fps })).status, 200);
});
after(async () => {
  await printwright.stop();
  rmSync(folder, { recursive: true });
});

const list = async (server = printwright): Promise<Reply["body"][]> =>
  (await server.call("GET", "/v1/scene/list/")).body.scenes;
const create = (body: unknown): Promise<Reply> => printwright.post("/v1/scene/create/", body);
const newScene = async (body: unknown): Promise<string> => (await create(body)).body.scene_id;
const get = async (scene_id: string): Promise<Reply["body"]> =>
  (await printwright.post("/v1/scene/get/", { scene_id })).body;
const update = (body: unknown): Promise<Reply> => printwright.post("/v1/scene/update/", body);
const remove = (body: unknown): Promise<Reply> => printwright.call("DELETE", "/v1/scene/delete/", body);
const idsOf = (scenes: { id: string }[]): string[] => scenes.map(({ id }) => id);

/** A change of the scene's models that must succeed. */
async function change(what: "import" | "scale" | "translate", body: object): Promise<Reply["body"]> {
  const { status, body: answer } = await printwright.post(`/v1/scene/model/${what}/`, body);
  assert.equal(status, 200, JSON.stringify(answer));
  return answer;
}

async function sceneWithBlock(combination: object): Promise<string> {
  const scene_id = await newScene(combination);
  await change("import", { scene_id, file: block });
  return scene_id;
}

test("a new server has only an empty default scene: mid-size resin printer, grey resin, 0.1 mm", async () => {
  const fresh = await startPrintwright();
  try {
    const scenes = await list(fresh);
    assert.equal(scenes.length, 1);
    assert.match(scenes[0].id, UUID);
    assert.deepEqual(scenes[0], {
      id: scenes[0].id,
      models: [],
      scene_settings: GREY_SETTINGS,
      material_usage: { volume_ml: 0, unsupported_volume_ml: 0 },
      layer_count: 0,
      build_volume: { dimensions_mm: { x: 200, y: 125, z: 210 }, fillet_radius_mm: 5 },
    });
  } finally {
    await fresh.stop();
  }
});

const ACCEPTED: [what: string, body: object, settings: object][] = [
  ["without a print setting, the default one", RESIN, GREY_SETTINGS],
  [
    "a print setting by its code",
    { ...RESIN, print_setting: "FINERTOUCHPOINTS" },
    { print_setting: "FINERTOUCHPOINTS" },
  ],
  [
    "ADAPTIVE where it is offered",
    { machine_type: "FORM-3-1", material_code: "FLGPBK04", layer_thickness_mm: "ADAPTIVE" },
    { print_setting: "STAGE3_DEFAULT", layer_thickness_mm: "ADAPTIVE" },
  ],
  ["a powder printer", NYLON, { machine_type: "PILK-1-0", layer_thickness_mm: "0.11", print_setting: "DEFAULT" }],
  ...["0.1", "0.10", ".1", "1e-1", "10E-2", "+0.1"].map((text): [string, object, object] => [
    `the numeric string "${text}"`,
    { ...RESIN, layer_thickness_mm: text },
    { layer_thickness_mm: "0.1" },
  ]),
  ...[
    ["DGJR-1-0", "FORM-3-1"],
    ["FORM-3-0", "FORM-3-1"],
    ["FORM-3-2", "FORM-3-1"],
    ["FRMB-3-0", "FRMB-3-1"],
    ["FRML-3-0", "DGSR-1-0"],
  ].map(([alias, machine_type]): [string, object, object] => {
    const body = { ...RESIN, machine_type: alias, material_code: "FLGPGR04" };
    return [`${alias}, which folds to ${machine_type}`, body, { machine_type }];
  }),
  ["PILK-1-1, which folds to PILK-1-0", { ...NYLON, machine_type: "PILK-1-1" }, { machine_type: "PILK-1-0" }],
  ["FS30-1-1, which folds to FS30-1-0", { ...NYLON, machine_type: "FS30-1-1" }, { machine_type: "FS30-1-0" }],
];

for (const [what, body, settings] of ACCEPTED) {
  test(`create accepts ${what}, and returns the resolved combination`, async () => {
    const reply = await create(body);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    assert.deepEqual(Object.keys(reply.body).sort(), ["scene_id", "scene_settings"]);
    assert.match(reply.body.scene_id, UUID);
    const { scene_settings } = reply.body;
    assert.deepEqual(Object.keys(scene_settings).sort(), Object.keys(GREY_SETTINGS).sort());
    assert.deepEqual({ ...scene_settings, ...settings }, scene_settings);
    assert.deepEqual((await get(reply.body.scene_id)).scene_settings, scene_settings);
    assert.equal((await remove({ scene_id: reply.body.scene_id })).status, 200);
  });
}

test("create from an .fps file returns the combination and the id of the file", async () => {
  const { status, body } = await create({ fps_file: fps });
  assert.equal(status, 200);
  const { custom_print_setting_id, ...settings } = body.scene_settings;
  assert.deepEqual(settings, GREY_SETTINGS);
  assert.match(custom_print_setting_id, UUID);
});

test("create is always synchronous", async () => {
  for (const query of ["async=true", "async=perhaps"]) {
    const { status, body } = await printwright.post(`/v1/scene/create/?${query}`, RESIN);
    assert.equal(status, 200);
    assert.match(body.scene_id, UUID);
  }
});

const without = (field: keyof typeof RESIN): object => ({ ...RESIN, [field]: undefined });

/** Bodies that create and update reject for any scene. */
const REFUSED: [what: string, body: object, code: string, message: RegExp][] = [
  ["the reserved machine type", { ...RESIN, machine_type: "UNKN-0-0" }, "INPUT_ERROR", /reserved/],
  ["an unknown machine type", { ...RESIN, machine_type: "FORM-9-9" }, "INPUT_ERROR", /machine_type/],
  ["a machine type that objects inherit", { ...RESIN, machine_type: "__proto__" }, "INPUT_ERROR", /machine_type/],
  ["an unknown material", { ...RESIN, material_code: "FLGPGR99" }, "INPUT_ERROR", /material_code/],
  ["another printer's material", { ...RESIN, material_code: "FLP12G01" }, "INPUT_ERROR", /material_code/],
  [
    "a material that an alias does not have",
    { ...RESIN, machine_type: "FORM-3-0" },
    "INPUT_ERROR",
    /for machine_type FORM-3-0/,
  ],
  ["a layer thickness that is not shipped", { ...RESIN, layer_thickness_mm: 0.11 }, "INPUT_ERROR", /layer_thickness/],
  ["a negative layer thickness", { ...RESIN, layer_thickness_mm: -0.1 }, "INPUT_ERROR", /layer_thickness/],
  ["ADAPTIVE where it is not offered", { ...RESIN, layer_thickness_mm: "ADAPTIVE" }, "INPUT_ERROR", /ADAPTIVE/],
  ["an unknown print setting", { ...RESIN, print_setting: "FASTEST" }, "INPUT_ERROR", /print_setting/],
  ["an empty print setting", { ...RESIN, print_setting: "" }, "INPUT_ERROR", /print_setting/],
  ["an .fps file of another extension", { fps_file: block }, "INPUT_ERROR", /\.fps/],
  ["an .fps file by a relative path", { fps_file: "slow.fps" }, "INPUT_ERROR", /absolute/],
  ["an .fps file that is missing", { fps_file: join(folder, "missing.fps") }, "INPUT_ERROR", /does not exist/],
  ...(["machine_type", "material_code", "layer_thickness_mm"] as const).flatMap(
    (field): [string, object, string, RegExp][] => [
      [`no ${field}`, without(field), "JSON_SCHEMA_MATCH_ERROR", new RegExp(`"/${field}"`)],
      [`${field} null`, { ...RESIN, [field]: null }, "JSON_SCHEMA_MATCH_ERROR", new RegExp(`"/${field}"`)],
      [`${field} in a list`, { ...RESIN, [field]: [0.1] }, "JSON_SCHEMA_MATCH_ERROR", new RegExp(`"/${field}"`)],
    ],
  ),
  ["print_setting as a number", { ...RESIN, print_setting: 1 }, "JSON_SCHEMA_MATCH_ERROR", /"\/print_setting"/],
  ...["", " 0.1", "0.1 mm", "thick", "NaN", "Infinity", "0x1", "adaptive", "0,1"].map(
    (text): [string, object, string, RegExp] => [
      `the layer thickness "${text}"`,
      { ...RESIN, layer_thickness_mm: text },
      "JSON_SCHEMA_MATCH_ERROR",
      /"\/layer_thickness_mm"/,
    ],
  ),
  ["an unknown field", { ...RESIN, printer: 1 }, "JSON_SCHEMA_MATCH_ERROR", /"\/printer"/],
  [
    "an unknown field with a name that objects inherit",
    { ...RESIN, constructor: 1 },
    "JSON_SCHEMA_MATCH_ERROR",
    /"\/constructor"/,
  ],
  ["both shapes at once", { ...RESIN, fps_file: fps }, "JSON_SCHEMA_MATCH_ERROR", /"\//],
  [
    "an .fps file with a field of the manual shape",
    { fps_file: fps, print_setting: "DEFAULT" },
    "JSON_SCHEMA_MATCH_ERROR",
    /"\/print_setting"/,
  ],
  ["fps_file as a number", { fps_file: 4 }, "JSON_SCHEMA_MATCH_ERROR", /"\/fps_file"/],
  ["neither shape", {}, "JSON_SCHEMA_MATCH_ERROR", /"\//],
];

for (const [what, body, code, message] of REFUSED) {
  test(`create and update refuse ${what}: ${code}, and change nothing`, async () => {
    const scenes = await list();
    assertRefused(await create(body), code, message);
    assertRefused(await update({ scene_id: scenes[0].id, ...body }), code, message);
    assert.deepEqual(await list(), scenes);
  });
}

test("a number beyond the range of doubles is not a layer thickness", async () => {
  const raw = JSON.stringify(RESIN).replace("0.1", "1e999");
  const reply = await printwright.post("/v1/scene/create/", undefined, { raw });
  assertRefused(reply, "JSON_SCHEMA_MATCH_ERROR", /"\/layer_thickness_mm"/);
});

test("a field that would set a prototype is an unknown field", async () => {
  const raw = JSON.stringify(RESIN).replace("{", '{"__proto__": {}, ');
  const reply = await printwright.post("/v1/scene/create/", undefined, { raw });
  assertRefused(reply, "JSON_SCHEMA_MATCH_ERROR", /"\/__proto__"/);
});

test("create, update, get and delete refuse a body that is not a JSON object", async () => {
  for (const raw of ["", "{", "[]", "null", '"scene"', "{}{}"]) {
    for (const action of ["create", "update", "get"]) {
      assertRefused(await printwright.post(`/v1/scene/${action}/`, undefined, { raw }), "JSON_PARSE_ERROR");
    }
    const reply = await printwright.call("DELETE", "/v1/scene/delete/", undefined, { raw });
    assertRefused(reply, "JSON_PARSE_ERROR");
  }
});

test("the list has the default scene first, then the others in the order of their creation", async () => {
  const first = (await list())[0].id;
  const created = [await newScene(RESIN), await newScene(NYLON), await newScene(RESIN)];
  const ids = idsOf(await list());
  assert.equal(ids[0], first);
  assert.deepEqual(ids.slice(-3), created);
  await remove({ scene_id: created[1] });
  assert.deepEqual(idsOf(await list()).slice(-2), [created[0], created[2]]);
});

test("get returns the scene's entry of the list, for any spelling of its id", async () => {
  const scene_id = await sceneWithBlock(NYLON);
  const entry = (await list()).find(({ id }) => id === scene_id);
  assert.equal(entry.models.length, 1);
  for (const spelling of [scene_id, scene_id.toUpperCase(), `{${scene_id}}`, `{${scene_id.toUpperCase()}}`]) {
    assert.deepEqual(await get(spelling), entry);
  }
  assert.deepEqual((await printwright.post("/v1/scene/model/list/", { scene_id })).body.models, entry.models);
});

test("a resin scene has the volume of its models, and its layers from the platform to the top, rounded up", async () => {
  const scene_id = await sceneWithBlock({ ...RESIN, layer_thickness_mm: 0.025 });
  const scene = await get(scene_id);
  assert.deepEqual(Object.keys(scene).sort(), [
    "build_volume",
    "id",
    "layer_count",
    "material_usage",
    "models",
    "scene_settings",
  ]);
  assert.deepEqual(Object.keys(scene.material_usage).sort(), ["unsupported_volume_ml", "volume_ml"]);
  const near = (actual: number, expected: number): void =>
    assert.ok(Math.abs(actual - expected) < 1e-6 * expected, `${actual} is not ${expected}`);
  near(scene.material_usage.volume_ml, 6);
  near(scene.material_usage.unsupported_volume_ml, 6);
  assert.equal(scene.layer_count, 1200);
  await change("import", { scene_id, file: block });
  await change("scale", { scene_id, model_ids: [scene.models[0].id], scale: 2 });
  const grown = await get(scene_id);
  // The smaller block is inside the larger one.
  near(grown.material_usage.volume_ml, 48);
  assert.equal(grown.layer_count, 2400);
});

test("the number of layers is rounded up; rounding errors do not add a layer", async () => {
  const scene_id = await sceneWithBlock(RESIN);
  const cases = [
    [1, 300],
    [1.1, 330],
    [1.001, 301],
    [0.7, 210],
    [0.27, 81],
    [1.33, 399],
    [0.0001, 1],
    [1 / 3, 100],
  ];
  for (const [scale, layers] of cases) {
    await change("scale", { scene_id, scale });
    assert.equal((await get(scene_id)).layer_count, layers, `scale ${scale}`);
  }
});

test("ADAPTIVE layers are counted too", async () => {
  const scene_id = await sceneWithBlock({
    machine_type: "FORM-3-1",
    material_code: "FLGPBK04",
    layer_thickness_mm: "ADAPTIVE",
  });
  const { layer_count } = await get(scene_id);
  assert.ok(Number.isInteger(layer_count));
  // Shipped layers of this material are 0.025 to 0.1 mm.
  assert.ok(layer_count >= 300 && layer_count <= 1200, `${layer_count}`);
});

test("a powder scene counts layers from z = 0, not from its lowest model", async () => {
  const scene_id = await sceneWithBlock(NYLON);
  for (const [z, layers] of [
    [100, 1046],
    [15, 273],
    [-10, 46],
    [-15, 0],
    [-40, 0],
  ]) {
    await change("translate", { scene_id, position: { x: 0, y: 0, z } });
    assert.equal((await get(scene_id)).layer_count, layers, `at z = ${z}`);
  }
});

test("the material usage of a powder scene is sintered powder, total powder and packing density", async () => {
  const scene_id = await newScene(NYLON);
  const fields = [
    "mass_packing_density",
    "total_powder_kg",
    "total_powder_ml",
    "total_sintered_powder_kg",
    "total_sintered_powder_ml",
  ];
  const empty = (await get(scene_id)).material_usage;
  assert.deepEqual(empty, Object.fromEntries(fields.map((field) => [field, 0])));
  await change("import", { scene_id, file: block });
  const used = (await get(scene_id)).material_usage;
  assert.deepEqual(Object.keys(used).sort(), fields);
  assert.ok(Math.abs(used.total_sintered_powder_ml - 6) < 1e-6);
  // The bed is filled from wall to wall, at least up to the top of the model.
  assert.ok(used.total_powder_ml >= (165 * 165 * 30) / 1000);
  assert.ok(used.total_powder_kg > used.total_sintered_powder_kg && used.total_sintered_powder_kg > 0);
  const density = used.total_sintered_powder_kg / ((165 * 165 * 300) / 1e6);
  assert.ok(Math.abs(used.mass_packing_density - density) < 2e-6);
  const { new_models } = await change("import", { scene_id, file: block });
  assert.deepEqual((await get(scene_id)).material_usage, used);
  await change("translate", {
    scene_id,
    model_ids: [new_models[0].model_id],
    position: { x: 30, y: 0, z: 0 },
    mode: "RELATIVE",
  });
  const twice = (await get(scene_id)).material_usage;
  assert.ok(Math.abs(twice.total_sintered_powder_ml - 12) < 1e-6);
  assert.equal(twice.total_powder_ml, used.total_powder_ml);
  assert.ok(Math.abs(twice.mass_packing_density - 2 * used.mass_packing_density) < 2e-6);
});

test("the build volume is the printer's", async () => {
  const cases = { "FORM-2-0": [145, 145, 175], "DGSR-1-0": [336, 200, 300], "FRML-4-0": [353, 196, 350] };
  for (const [machine_type, [x, y, z]] of Object.entries(cases)) {
    const material_code = machine_type === "FRML-4-0" ? "FLGPGR05" : "FLGPGR04";
    const { build_volume } = await get(await newScene({ ...RESIN, machine_type, material_code }));
    assert.deepEqual(build_volume.dimensions_mm, { x, y, z });
    assert.ok(build_volume.fillet_radius_mm >= 0);
  }
});

test("delete removes a scene with its models, with no body", async () => {
  const scene_id = await sceneWithBlock(RESIN);
  const others = idsOf(await list()).filter((id) => id !== scene_id);
  const { status, body } = await remove({ scene_id: `{${scene_id.toUpperCase()}}` });
  assert.equal(status, 200);
  assert.equal(body, undefined);
  assert.deepEqual(idsOf(await list()), others);
  assertRefused(await remove({ scene_id }), "INPUT_ERROR");
  assertRefused(await printwright.post("/v1/scene/model/list/", { scene_id }), "INPUT_ERROR");
});

test("deleting the default scene only empties it: its id, its place and its combination stay", async () => {
  const scene_id = (await list())[0].id;
  const combination = { machine_type: "FORM-2-0", material_code: "FLGPGR04", layer_thickness_mm: 0.05 };
  const { scene_settings } = (await update({ scene_id, ...combination })).body;
  await change("import", { scene_id, file: block });
  await newScene(RESIN);
  const before = await list();
  assert.equal(before[0].models.length, 1);
  for (let i = 0; i < 2; i++) assert.equal((await remove({ scene_id })).status, 200);
  const after = await list();
  assert.deepEqual(idsOf(after), idsOf(before));
  assert.deepEqual(after[0].models, []);
  assert.deepEqual(after[0].scene_settings, scene_settings);
  assert.equal(after[0].layer_count, 0);
  await update({ scene_id, ...RESIN });
});

test("get, update and delete have different errors for unknown scenes, malformed ids and wrong bodies", async () => {
  const scenes = await list();
  const [{ id }] = scenes;
  const requests: [(body: object) => Promise<Reply>, object][] = [
    [(body) => printwright.post("/v1/scene/get/", body), {}],
    [update, RESIN],
    [remove, {}],
  ];
  for (const [request, others] of requests) {
    for (const scene_id of [UNKNOWN_ID, `{${UNKNOWN_ID}}`, "", "no-uuid", `{${id}`, `${id}}`, `${id} `, `{{${id}}}`]) {
      assertRefused(await request({ ...others, scene_id }), "INPUT_ERROR");
    }
    assertRefused(await request(others), "JSON_SCHEMA_MATCH_ERROR", /"\/scene_id"/);
    assertRefused(await request({ ...others, scene_id: 7 }), "JSON_SCHEMA_MATCH_ERROR", /"\/scene_id"/);
    assertRefused(await request({ ...others, scene_id: id, x: 1 }), "JSON_SCHEMA_MATCH_ERROR", /"\/x"/);
  }
  assert.deepEqual(await list(), scenes);
});

test("update changes the combination, and the scene keeps its id, place and models", async () => {
  const scene_id = await sceneWithBlock(RESIN);
  await newScene(RESIN);
  const before = await list();
  const [{ id }] = (await get(scene_id)).models;
  const { status, body } = await update({
    scene_id,
    machine_type: "FORM-3-0",
    material_code: "FLGPBK04",
    layer_thickness_mm: "0.05",
  });
  assert.equal(status, 200);
  assert.deepEqual(body, {
    scene_settings: {
      machine_type: "FORM-3-1",
      material_code: "FLGPBK04",
      print_setting: "STAGE3_DEFAULT",
      layer_thickness_mm: "0.05",
    },
    unsupported_model_ids: [],
  });
  const scene = await get(scene_id);
  assert.deepEqual(scene.scene_settings, body.scene_settings);
  assert.deepEqual(scene.build_volume.dimensions_mm, { x: 145, y: 145, z: 185 });
  assert.equal(scene.layer_count, 600);
  assert.deepEqual(idsOf(scene.models), [id]);
  assert.deepEqual(idsOf(await list()), idsOf(before));
});

test("update with an .fps file sets its print setting, and a manual update removes it", async () => {
  const scene_id = await newScene({ ...RESIN, layer_thickness_mm: 0.05 });
  const { status, body } = await update({ scene_id, fps_file: fps });
  assert.equal(status, 200);
  const { custom_print_setting_id, ...settings } = body.scene_settings;
  assert.deepEqual(settings, GREY_SETTINGS);
  assert.match(custom_print_setting_id, UUID);
  assert.deepEqual(body.unsupported_model_ids, []);
  assert.deepEqual((await get(scene_id)).scene_settings, body.scene_settings);
  const manual = await update({ scene_id, ...RESIN });
  assert.deepEqual(manual.body.scene_settings, GREY_SETTINGS);
});

test("update to the other family changes the material usage; resin puts the models back on the platform", async () => {
  const scene_id = await sceneWithBlock(RESIN);
  await update({ scene_id, ...NYLON });
  assert.ok("total_powder_ml" in (await get(scene_id)).material_usage);
  await change("translate", { scene_id, position: { x: 1, y: 2, z: 100 } });
  const { body } = await update({ scene_id, ...RESIN });
  assert.deepEqual(body.unsupported_model_ids, []);
  const { models, material_usage } = await get(scene_id);
  assert.deepEqual(Object.keys(material_usage).sort(), ["unsupported_volume_ml", "volume_ml"]);
  assert.equal(models[0].bounding_box.min_corner.z, 0);
  assert.deepEqual([models[0].position.x, models[0].position.y], [1, 2]);
});

test("update to a smaller printer leaves models where they are, out of bounds", async () => {
  const scene_id = await sceneWithBlock({ ...RESIN, machine_type: "FRML-4-0" });
  await change("translate", { scene_id, position: { x: 150, y: 0, z: 0 } });
  assert.equal((await get(scene_id)).models[0].in_bounds, true);
  await update({ scene_id, ...RESIN });
  const [model] = (await get(scene_id)).models;
  assert.equal(model.position.x, 150);
  assert.equal(model.in_bounds, false);
});

test("a scene beyond --max-scenes is 409 and creates nothing, and a deleted scene makes room", async () => {
  const small = await startPrintwright(["--max-scenes", "3"]);
  try {
    const file = join(folder, "two.form");
    const [{ id }] = await list(small);
    const second = (await small.post("/v1/scene/create/", RESIN)).body.scene_id;
    assert.equal((await small.post("/v1/scene/save/", { scene_ids: [id, second], file })).status, 200);
    const held = await list(small);
    assertRefused(await small.post("/v1/scene/open/", { file }), "BUILD_VOLUME_LIMIT_EXCEEDED");
    assert.deepEqual(await list(small), held);

    assert.equal((await small.post("/v1/scene/create/", { fps_file: fps })).status, 200);
    const full = await list(small);
    assert.equal(full.length, 3);
    for (const body of [RESIN, { fps_file: fps }]) {
      assertRefused(await small.post("/v1/scene/create/", body), "BUILD_VOLUME_LIMIT_EXCEEDED");
    }
    await small.call("DELETE", "/v1/scene/delete/", { scene_id: id });
    assertRefused(await small.post("/v1/scene/create/", RESIN), "BUILD_VOLUME_LIMIT_EXCEEDED");
    assert.deepEqual(await list(small), full);

    for (const one of full.slice(1)) await small.call("DELETE", "/v1/scene/delete/", { scene_id: one.id });
    assert.equal((await small.post("/v1/scene/open/", { file })).status, 200);
    assert.equal((await list(small)).length, 3);
  } finally {
    await small.stop();
  }
});

test("--max-scenes also applies to simultaneous and to async requests", async () => {
  const small = await startPrintwright(["--max-scenes", "4"]);
  try {
    const file = join(folder, "one.form");
    const [{ id }] = await list(small);
    assert.equal((await small.post("/v1/scene/save/", { scene_ids: [id], file })).status, 200);
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        i % 2 === 0 ? small.post("/v1/scene/create/", RESIN) : small.post("/v1/scene/open/", { file }),
      ),
    );
    const taken = replies.filter(({ status }) => status === 200);
    assert.equal(taken.length, 3);
    for (const reply of replies) if (!taken.includes(reply)) assertRefused(reply, "BUILD_VOLUME_LIMIT_EXCEEDED");
    assert.equal((await list(small)).length, 4);

    const operation = await awaitOperation(small, await small.post("/v1/scene/open/?async=true", { file }));
    assert.equal(operation.status, "FAILED");
    assert.equal(operation.result.error.code, "BUILD_VOLUME_LIMIT_EXCEEDED");
    assert.equal((await list(small)).length, 4);
  } finally {
    await small.stop();
  }
});
