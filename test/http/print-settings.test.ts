import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { longTest } from "../fixture/long.ts";
import type { Reply } from "../fixture/client.ts";
import { FPS_ID, LAYERS_OF_120_UM, fpsDocument } from "../fixture/fps-file.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import {
  POWDER,
  RESIN,
  type TestServer,
  UNKNOWN_ID,
  UUID,
  assertRefused,
  bodyOf,
  openTestServer,
} from "../fixture/test-server.ts";

// Interface, "Print setting catalog entry" and "Print setting endpoints".

type Body = Reply["body"];

const GREY = { ...RESIN, print_setting: "DEFAULT" };

/** The list that `options` holds when the field is left out. */
const LISTS = {
  machine_type: "machine_types",
  material_code: "material_codes",
  print_setting: "print_settings",
  layer_thickness_mm: "layer_thicknesses_mm",
} as const;
const FIELDS = Object.keys(LISTS) as (keyof typeof LISTS)[];

let server: TestServer;
let types: Body[];
before(async () => {
  server = await openTestServer();
  types = bodyOf(await ask("list")).printer_types;
});
after(() => server.close());

const ask = (action: "list" | "validate" | "save", body?: unknown): Promise<Reply> =>
  server.printwright.post(`/v1/print-setting/${action}/`, body);
const validate = async (body: unknown): Promise<Body> => bodyOf(await ask("validate", body));
const create = (fps_file: string): Promise<Reply> => server.printwright.post("/v1/scene/create/", { fps_file });
const path = (name: string): string => join(server.folder, name);
const json = (file: string): Body => JSON.parse(readFileSync(file, "utf8"));
const scenes = async (): Promise<Body[]> => (await server.printwright.call("GET", "/v1/scene/list/")).body.scenes;
const combinations = (): Body[] =>
  types.flatMap(({ materials }) =>
    materials.flatMap((material: Body) => material.material_settings.map(({ scene_settings }: Body) => scene_settings)),
  );

test("the list has printer types, their materials and the settings of these", () => {
  assert.ok(types.length > 0);
  const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
  for (const type of types) {
    assert.deepEqual(Object.keys(type).sort(), [
      "build_volume_dimensions_mm",
      "label",
      "materials",
      "supported_machine_type_ids",
      "supported_product_names",
    ]);
    assert.ok(isText(type.label));
    for (const names of [type.supported_machine_type_ids, type.supported_product_names]) {
      assert.ok(names.length > 0 && names.every(isText), type.label);
    }
    assert.equal(type.build_volume_dimensions_mm.length, 3);
    assert.ok(type.build_volume_dimensions_mm.every((size: unknown) => typeof size === "number" && size > 0));
    assert.ok(type.materials.length > 0);
    for (const material of type.materials) {
      assert.deepEqual(Object.keys(material).sort(), ["description", "label", "material_settings"]);
      assert.ok(isText(material.label));
      assert.equal(typeof material.description, "string");
      assert.ok(material.material_settings.length > 0, material.label);
      for (const { label, scene_settings, ...rest } of material.material_settings) {
        assert.deepEqual(rest, {});
        assert.ok(isText(label));
        const { layer_thickness_mm, ...others } = scene_settings;
        assert.deepEqual(Object.keys(others).sort(), ["machine_type", "material_code", "print_setting"]);
        assert.ok(Object.values(others).every(isText));
        const isThickness = typeof layer_thickness_mm === "number" && layer_thickness_mm > 0;
        assert.ok(isThickness || layer_thickness_mm === "ADAPTIVE");
      }
    }
  }
  assert.equal(new Set(types.map(({ label }) => label)).size, types.length);
});

test("list accepts an empty body and {}, and rejects unknown fields", async () => {
  assert.deepEqual(bodyOf(await ask("list", {})).printer_types, types);
  for (const body of [{ compatible_with: 3 }, { compatible_with: null }, { printer: "x" }]) {
    assertRefused(await ask("list", body), "JSON_SCHEMA_MATCH_ERROR", /"\//);
  }
  for (const raw of ["[]", "{", "null"]) {
    assertRefused(await server.printwright.post("/v1/print-setting/list/", undefined, { raw }), "JSON_PARSE_ERROR");
  }
});

test("compatible_with a printer that is not connected is NOT_FOUND", async () => {
  for (const compatible_with of ["NoSuchPrinter", "", "Form 4", "FORM-4-0"]) {
    assertRefused(await ask("list", { compatible_with }), "NOT_FOUND");
  }
});

longTest("every combination of the list is valid, without options", async () => {
  const all = combinations();
  for (let at = 0; at < all.length; at += 64) {
    const batch = all.slice(at, at + 64);
    const replies = await Promise.all(batch.map(validate));
    replies.forEach((reply, i) => assert.deepEqual(reply, { valid: true }, JSON.stringify(batch[i])));
  }
});

test("a scene of any printer type has the build volume of the list", async () => {
  for (const { label, materials, build_volume_dimensions_mm } of types) {
    const [{ scene_settings }] = materials[0].material_settings;
    const { build_volume, scene_settings: resolved } = await server.scene(await server.newScene(scene_settings));
    const { x, y, z } = build_volume.dimensions_mm;
    assert.deepEqual([x, y, z], build_volume_dimensions_mm, label);
    assert.deepEqual(resolved, { ...scene_settings, layer_thickness_mm: String(scene_settings.layer_thickness_mm) });
  }
});

for (const field of FIELDS) {
  test(`validate without ${field} lists the values that complete the combination, and no other list`, async () => {
    const all = combinations();
    for (const combination of all.filter((_, i) => i % 41 === 0)) {
      const { [field]: _, ...rest } = combination;
      const { valid, options } = await validate(rest);
      assert.equal(valid, true);
      assert.deepEqual(Object.keys(options), [LISTS[field]]);
      const others = FIELDS.filter((other) => other !== field);
      // DEFAULT names the default profile of every combination.
      const isAny = (other: string): boolean => other === "print_setting" && combination.print_setting === "DEFAULT";
      const fitting = all.filter((one) => others.every((other) => isAny(other) || one[other] === combination[other]));
      assert.deepEqual(new Set(options[LISTS[field]]), new Set(fitting.map((one) => one[field])));
      assert.equal(options[LISTS[field]].length, new Set(options[LISTS[field]]).size);
    }
  });

  test(`an unrecognised ${field} is not valid, and nothing completes it`, async () => {
    for (const value of ["nothing", "toString", "", "__proto__"]) {
      const given = field === "layer_thickness_mm" ? 0.123 : value;
      assert.deepEqual(await validate({ ...GREY, [field]: given }), { valid: false });
      for (const other of FIELDS.filter((one) => one !== field)) {
        const reply = await validate({ ...GREY, [field]: given, [other]: undefined });
        assert.deepEqual(reply, { valid: false, options: { [LISTS[other]]: [] } });
      }
    }
  });
}

test("validate accepts numeric strings, ADAPTIVE and aliases of machine types", async () => {
  const adaptive = {
    machine_type: "DGJR-1-0",
    material_code: "FLGPBK04",
    print_setting: "LEGACY",
    layer_thickness_mm: "ADAPTIVE",
  };
  for (const [body, valid] of [
    [{ ...GREY, layer_thickness_mm: "0.1" }, true],
    [{ ...GREY, layer_thickness_mm: "1e-1" }, true],
    [{ ...GREY, layer_thickness_mm: "0.11" }, false],
    [{ ...GREY, layer_thickness_mm: "ADAPTIVE" }, false],
    [adaptive, true],
  ] as const) {
    assert.deepEqual(await validate(body), { valid }, JSON.stringify(body));
  }
  const { options } = await validate({ ...adaptive, layer_thickness_mm: undefined });
  assert.ok(options.layer_thicknesses_mm.includes("ADAPTIVE") && options.layer_thicknesses_mm.includes(0.025));
});

test("validate needs three of its fields, with their types, and accepts no others", async () => {
  const two = FIELDS.flatMap((a) => FIELDS.filter((b) => b > a).map((b) => ({ [a]: GREY[a], [b]: GREY[b] })));
  const bodies = [
    {},
    ...FIELDS.map((field) => ({ [field]: GREY[field] })),
    ...two,
    { ...GREY, label: "x" },
    { ...GREY, scene_id: UNKNOWN_ID },
    { ...GREY, machine_type: 4 },
    { ...GREY, material_code: null },
    { ...GREY, print_setting: ["DEFAULT"] },
    { ...GREY, layer_thickness_mm: true },
    ...["thin", "", " 0.1", "0.1mm", "adaptive", "0x1", "NaN"].map((text) => ({ ...GREY, layer_thickness_mm: text })),
  ];
  for (const body of bodies) assertRefused(await ask("validate", body), "JSON_SCHEMA_MATCH_ERROR", /^"/);
  assertRefused(await ask("validate", undefined), "JSON_PARSE_ERROR");
});

test("validate refuses the reserved machine type", async () => {
  const { machine_type: _, ...rest } = GREY;
  for (const field of ["material_code", "print_setting", "layer_thickness_mm"] as const) {
    assertRefused(await ask("validate", { ...GREY, machine_type: "UNKN-0-0", [field]: undefined }), "INPUT_ERROR");
  }
  assertRefused(await ask("validate", { ...rest, machine_type: "UNKN-0-0" }), "INPUT_ERROR", /reserved/);
});

test("a catalog setting saved as .fps makes a scene of the same combination, with the id of the file", async () => {
  const adaptive = { machine_type: "FORM-3-1", material_code: "FLGPBK04", layer_thickness_mm: "ADAPTIVE" };
  const finer = { ...GREY, print_setting: "FINERTOUCHPOINTS" };
  for (const [i, combination] of [GREY, finer, POWDER, adaptive].entries()) {
    const scene_id = await server.newScene(combination);
    const { scene_settings } = await server.scene(scene_id);
    const file = path(`catalog-${i}.fps`);
    const reply = await ask("save", { scene_id, file });
    assert.deepEqual([reply.status, reply.body], [200, undefined]);
    const { custom_print_setting_id, ...again } = bodyOf(await create(file)).scene_settings;
    assert.deepEqual(again, scene_settings);
    assert.match(custom_print_setting_id, UUID);
    assert.equal(json(file).metadata.id.toLowerCase().replace(/[{}]/g, ""), custom_print_setting_id);
    // Saving changes nothing in the scene.
    assert.deepEqual((await server.scene(scene_id)).scene_settings, scene_settings);
  }
});

test("a custom print setting keeps its id, its overrides and every key of its file", async () => {
  const document = fpsDocument(LAYERS_OF_120_UM);
  const content = JSON.stringify(document).replace('"opaque"', '{"__proto__": {"kept": true}, "constructor": 1}');
  const { scene_id, scene_settings } = bodyOf(await create(server.file("slow.fps", content)));
  assert.deepEqual(scene_settings, { ...GREY, layer_thickness_mm: "0.12", custom_print_setting_id: FPS_ID });
  await server.importOne(scene_id, server.file("block.stl", binaryStl(box([10, 10, 30]))));
  const scene = await server.scene(scene_id);
  assert.equal(scene.layer_count, 250);
  assert.deepEqual(scene.scene_settings, scene_settings);
  const saved = path("slow-again.fps");
  bodyOf(await ask("save", { scene_id, file: saved }));
  assert.equal(JSON.stringify(json(saved)), JSON.stringify(JSON.parse(content)));
  const again = bodyOf(await create(saved));
  assert.deepEqual(again.scene_settings, scene_settings);
  assert.notEqual(again.scene_id, scene_id);
});

test("a file with a byte order mark is read", async () => {
  const file = server.file("marked.fps", `\uFEFF${JSON.stringify(fpsDocument())}`);
  assert.equal(bodyOf(await create(file)).scene_settings.custom_print_setting_id, FPS_ID);
});

test("an .fps file is accepted with its extension in any case", async () => {
  assert.equal((await create(server.file("CASE.FPS", JSON.stringify(fpsDocument())))).status, 200);
});

test("aliases of machine types are accepted in files", async () => {
  const base = { machine_type_id: "FORM-3-2", versioned_material_code: "FLGPBK04" };
  const file = server.file("alias.fps", JSON.stringify(fpsDocument({}, base)));
  assert.equal(bodyOf(await create(file)).scene_settings.machine_type, "FORM-3-1");
});

test("only scenes of an .fps file have a custom_print_setting_id", async () => {
  const scene_id = await server.newScene();
  assert.ok(!("custom_print_setting_id" in (await server.scene(scene_id)).scene_settings));
  const fps_file = server.file("update.fps", JSON.stringify(fpsDocument()));
  const update = (body: object): Promise<Reply> => server.printwright.post("/v1/scene/update/", { scene_id, ...body });
  assert.equal(bodyOf(await update({ fps_file })).scene_settings.custom_print_setting_id, FPS_ID);
  assert.equal((await server.scene(scene_id)).scene_settings.custom_print_setting_id, FPS_ID);
  bodyOf(await update(RESIN));
  assert.ok(!("custom_print_setting_id" in (await server.scene(scene_id)).scene_settings));
});

test("save checks the body and the scene before it touches the file system", async () => {
  const scene_id = await server.newScene();
  const file = path("never.fps");
  const cases: [body: object, code: string][] = [
    [{ file }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_id }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_id, file: "" }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_id, file: 3 }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_id: 3, file }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_id, file, name: "x" }, "JSON_SCHEMA_MATCH_ERROR"],
    [{ scene_id: UNKNOWN_ID, file }, "INPUT_ERROR"],
    [{ scene_id: "no-uuid", file }, "INPUT_ERROR"],
    [{ scene_id, file: "never.fps" }, "INPUT_ERROR"],
    [{ scene_id, file: "./never.fps" }, "INPUT_ERROR"],
    // The extension is checked before the scene.
    [{ scene_id: UNKNOWN_ID, file: path("never.json") }, "OPERATION_FAILED"],
    [{ scene_id, file: path("never.form") }, "OPERATION_FAILED"],
    [{ scene_id, file: path("fps") }, "OPERATION_FAILED"],
    [{ scene_id, file: path(".fps") }, "OPERATION_FAILED"],
    [{ scene_id, file: path("never.fps.bak") }, "OPERATION_FAILED"],
  ];
  for (const [body, code] of cases) assertRefused(await ask("save", body), code);
  assert.ok(!readdirSync(server.folder).some((name) => name.startsWith("never") || name.endsWith(".part")));
});

test("save to a path that cannot be a file fails and changes nothing", async () => {
  const scene_id = await server.newScene();
  mkdirSync(path("targets/folder.fps"), { recursive: true });
  writeFileSync(path("targets/file"), "x");
  symlinkSync("/dev/full", path("targets/full.fps"));
  execFileSync("mkfifo", [path("targets/pipe.fps")]);
  const names = readdirSync(path("targets")).sort();
  const targets = [
    path("targets/missing/x.fps"),
    path("targets/folder.fps"),
    path("targets/file/x.fps"),
    path("targets/full.fps"),
    path("targets/pipe.fps"),
    "/proc/self/x.fps",
    path(`targets/${"n".repeat(300)}.fps`),
    path("targets/a\0b.fps"),
    path("targets/new.fps/"),
  ];
  for (const file of targets) assertRefused(await ask("save", { scene_id, file }), "OPERATION_FAILED");
  assert.deepEqual(readdirSync(path("targets")).sort(), names);
  assert.ok(statSync(path("targets/pipe.fps")).isFIFO());
});

test("save replaces an older file and follows a link to it", async () => {
  const scene_id = await server.newScene();
  mkdirSync(path("replaced"));
  const file = server.file("replaced/old.fps", "old");
  symlinkSync(file, path("replaced/link.fps"));
  bodyOf(await ask("save", { scene_id, file: path("replaced/link.fps") }));
  assert.equal(json(file).metadata.base_material_identifier.versioned_material_code, "FLGPGR05");
  assert.deepEqual(readdirSync(path("replaced")).sort(), ["link.fps", "old.fps"]);
});

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const metadata = (changes: object): object => {
  const document = fpsDocument();
  return { ...document, metadata: { ...(document.metadata as object), ...changes } };
};

/** Contents of files that create refuses as INPUT_ERROR. */
const HOSTILE: Record<string, string | Uint8Array | object> = {
  nothing: "",
  "no JSON": "solid part",
  "half a document": JSON.stringify(fpsDocument()).slice(0, -20),
  "two documents": `${JSON.stringify(fpsDocument())}{}`,
  null: "null",
  "a list": [fpsDocument()],
  "a string": '"fps"',
  "an empty object": {},
  "bytes that are no UTF-8": Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
  "UTF-16": new Uint8Array(new Uint16Array([...JSON.stringify(fpsDocument())].map((c) => c.charCodeAt(0))).buffer),
  "a million levels": nested(1_000_000),
  "a million brackets": "[".repeat(1_000_000),
  "a usable setting among a hundred levels": { ...fpsDocument(), deep: JSON.parse(nested(100)) },
  "no metadata": { ...fpsDocument(), metadata: undefined },
  "an id that is no UUID": metadata({ id: "one" }),
  "a name that is no string": metadata({ name: { toString: 1 } }),
  "a schema version that is not known": metadata({ schema_version: 99 }),
  "the reserved machine type": fpsDocument({}, { machine_type_id: "UNKN-0-0" }),
  "a machine type that objects inherit": fpsDocument({}, { machine_type_id: "constructor" }),
  "an unknown material": fpsDocument({}, { versioned_material_code: "FLGPGR99" }),
  "an unknown print setting": fpsDocument({}, { print_setting: "__proto__" }),
  "ADAPTIVE where it is not offered": fpsDocument({}, { layer_thickness_mm: "ADAPTIVE" }),
  "layers of nothing": fpsDocument({ layer_thickness: { layer_thickness_mm: 0 } }),
  "layers of a negative thickness": fpsDocument({ layer_thickness: { layer_thickness_mm: -0.1 } }),
  "layers as a string": fpsDocument({ layer_thickness: { layer_thickness_mm: "0.1" } }),
  "layers beyond doubles": JSON.stringify(fpsDocument(LAYERS_OF_120_UM)).replace("0.12", "1e999"),
  "a correction that is a list": fpsDocument({ x_correction_factor: [1] }),
  "categories that are no list": { ...fpsDocument(), public_fields: { categories: { length: 1e9 } } },
  "a project file": Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0),
};

for (const [what, content] of Object.entries(HOSTILE)) {
  test(`an .fps file of ${what} is refused, and no scene is created`, async () => {
    const held = await scenes();
    const isFinished = typeof content === "string" || content instanceof Uint8Array;
    const file = server.file("hostile.fps", isFinished ? content : JSON.stringify(content));
    assertRefused(await create(file), "INPUT_ERROR");
    const update = { scene_id: held[0].id, fps_file: file };
    assertRefused(await server.printwright.post("/v1/scene/update/", update), "INPUT_ERROR");
    assert.deepEqual(await scenes(), held);
  });
}

test("folders, devices, pipes, circular links, huge and missing files are refused without waiting", async () => {
  const held = await scenes();
  mkdirSync(path("unreadable/folder.fps"), { recursive: true });
  symlinkSync("/dev/zero", path("unreadable/zero.fps"));
  symlinkSync("/proc/self/mem", path("unreadable/memory.fps"));
  symlinkSync(path("unreadable/circle.fps"), path("unreadable/circle.fps"));
  symlinkSync(path("unreadable/nothing"), path("unreadable/dangling.fps"));
  execFileSync("mkfifo", [path("unreadable/pipe.fps")]);
  writeFileSync(path("unreadable/huge.fps"), JSON.stringify(fpsDocument()));
  truncateSync(path("unreadable/huge.fps"), 2 ** 36);
  const files = readdirSync(path("unreadable")).map((name) => path(`unreadable/${name}`));
  assert.equal(files.length, 7);
  for (const file of [...files, path("unreadable/missing.fps"), path("a\0b.fps")]) {
    const reply = await create(file);
    assertRefused(reply, "INPUT_ERROR");
    assert.ok(reply.body.error.message.includes(basename(file).replace("\0", "\\u0000")), reply.body.error.message);
  }
  assert.deepEqual(await scenes(), held);
});
