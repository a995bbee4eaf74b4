import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import type { Reply } from "../fixture/client.ts";
import { objText } from "../fixture/obj-file.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, tetrahedron, torus } from "../fixture/shapes.ts";
import { asciiStl, binaryStl } from "../fixture/stl-file.ts";
import { insideOut, moved, shuffled, unwelded } from "../fixture/surface-edits.ts";
import {
  LOCKS,
  POWDER,
  type TestServer,
  UNKNOWN_ID,
  UUID,
  assertNear,
  bodyOf,
  codeOf,
  openTestServer,
} from "../fixture/test-server.ts";
import { threeMf } from "../fixture/three-mf-file.ts";

// Interface, "Model" and the model endpoints; supplement, section 1 ("Ids", "Limits of the server") and section 6.

let server: TestServer;
let cube: string;
let spike: string;
before(async () => {
  server = await openTestServer();
  cube = server.file("cube.stl", binaryStl(box([10, 20, 30])));
  spike = server.file("spike.stl", binaryStl(tetrahedron(12)));
});
after(() => server.close());

const idsOf = (models: readonly { id: string }[]): string[] => models.map(({ id }) => id);
const keysOf = (value: object): string[] => Object.keys(value).sort();

/** A scene with `count` models, alternately cubes and spikes. */
async function sceneOf(count: number): Promise<{ scene_id: string; ids: string[] }> {
  const scene_id = await server.newScene();
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await server.importOne(scene_id, i % 2 === 0 ? cube : spike));
  return { scene_id, ids };
}

/** Asserts that a request fails with `code` and leaves its scene unchanged. */
async function assertRefused(code: string, scene_id: string, action: string, body: object): Promise<Reply> {
  const before = await server.scene(scene_id);
  const reply = await server.ask(action, { scene_id, ...body });
  assert.equal(codeOf(reply), code, `${action} ${JSON.stringify(body)}`);
  assert.deepEqual(await server.scene(scene_id), before);
  return reply;
}

type Action = readonly [action: string, rest: object];

const POSING: readonly Action[] = [
  ["scale", { scale: 2 }],
  ["orient", { orientation: { x: 10, y: 20, z: 30 } }],
  ["translate", { position: { x: 1, y: 2, z: 3 } }],
];
const UPDATING: Action = ["update", { visible: false }];
/** Endpoints that take `model_ids`, with their other required fields. */
const SELECTING: readonly Action[] = [
  ["list", {}],
  ...POSING,
  UPDATING,
  ["auto-support", { only_minima: true }],
  ["mirror", { axis: "X" }],
  ["stretch", { factors: { x: 1, y: 2, z: 1 } }],
  ["delete", {}],
  ["duplicate", { count: 1 }],
  ["validate/in-bounds", {}],
  ["validate/hold", {}],
  ["measure", {}],
];

test("the family of the scene is checked before the models", async () => {
  const scenes = { resin: await server.newScene(), powder: await server.newScene(POWDER) };
  const familied = ENDPOINTS.filter(
    ({ path, errors = [] }) => /model/.test(path) && errors.includes("UNSUPPORTED_SCENE"),
  );
  assert.equal(familied.length, 9);
  for (const { path } of familied) {
    const named = path.includes("/supports/") ? { model_id: UNKNOWN_ID, points: [] } : { model_ids: [UNKNOWN_ID] };
    const unknown = (scene_id: string) => server.printwright.post(path, { scene_id, ...named });
    const codes = [codeOf(await unknown(scenes.resin)), codeOf(await unknown(scenes.powder))];
    assert.deepEqual(codes.sort(), ["NOT_FOUND", "UNSUPPORTED_SCENE"], path);
  }
});

test("a model has exactly the fields of the interface", async () => {
  const { scene_id } = await sceneOf(1);
  const [model] = await server.models(scene_id);
  assert.match(model.id, UUID);
  assert.match(model.raw_mesh_hash, /^[0-9a-f]{64}$/);
  assert.equal(typeof model.canonical_model_hash, "string");
  const { id: _id, raw_mesh_hash: _raw, canonical_model_hash: _canonical, ...rest } = model;
  assert.deepEqual(rest, {
    name: "cube",
    position: { x: 0, y: 0, z: 15 },
    orientation: { x: 0, y: 0, z: 0 },
    scale: 1,
    units: "MILLIMETERS",
    bounding_box: { min_corner: { x: -5, y: -10, z: 0 }, max_corner: { x: 5, y: 10, z: 30 } },
    original_file: cube,
    visible: true,
    has_supports: false,
    is_group: false,
    is_cage: false,
    in_bounds: true,
    lock: "FREE",
  });
});

test("answers have exactly the fields of the interface, with ids in lower case", async () => {
  const { scene_id, ids } = await sceneOf(2);
  const [a, b] = ids;
  const model_ids = [`{${a.toUpperCase()}}`];
  for (const [action, rest] of [...POSING, UPDATING]) {
    assert.deepEqual(
      bodyOf(await server.ask(action, { scene_id, model_ids, ...rest })),
      { modified_model_ids: [a] },
      action,
    );
  }
  assert.deepEqual(bodyOf(await server.ask("validate/in-bounds", { scene_id, model_ids })), {
    per_model_results: { [a]: { in_bounds: true } },
  });
  const copied = bodyOf(await server.ask("duplicate", { scene_id, model_ids, count: 2 }));
  const { new_model_ids } = copied.results[0];
  assert.deepEqual(copied, { results: [{ source_model_id: a, new_model_ids }] });
  assert.equal(new Set(new_model_ids).size, 2);
  for (const id of new_model_ids) assert.match(id, UUID);
  assert.deepEqual(
    bodyOf(await server.ask("replace", { scene_id, model_id: a.toUpperCase(), replacement_model_id: `{${b}}` })),
    { modified_model_ids: [b], deleted_model_ids: [a] },
  );
  assert.deepEqual(bodyOf(await server.ask("delete", { scene_id, model_ids: [b] })), { deleted_model_ids: [b] });
  assert.deepEqual(keysOf(bodyOf(await server.ask("list", { scene_id }))), ["models"]);
});

test("a scene has the models that model/list lists", async () => {
  const { scene_id } = await sceneOf(2);
  const models = await server.models(scene_id);
  assert.deepEqual((await server.scene(scene_id)).models, models);
  const { scenes } = bodyOf(await server.printwright.call("GET", "/v1/scene/list/"));
  assert.deepEqual(scenes.find((scene: { id: string }) => scene.id === scene_id).models, models);
});

test("list has the models in the order of model_ids, each once", async () => {
  const {
    scene_id,
    ids: [a, b, c],
  } = await sceneOf(3);
  assert.deepEqual(idsOf(await server.models(scene_id, [c, a])), [c, a]);
  assert.deepEqual(idsOf(await server.models(scene_id, [b, c, b, a, c])), [b, c, a]);
  assert.deepEqual(idsOf(await server.models(scene_id, [c, `{${c}}`, c.toUpperCase()])), [c]);
});

test("without model_ids, or with an empty list, list has every model, in the same order each time", async () => {
  const { scene_id, ids } = await sceneOf(4);
  const listed = idsOf(await server.models(scene_id));
  assert.deepEqual([...listed].sort(), [...ids].sort());
  for (const model_ids of [undefined, []]) assert.deepEqual(idsOf(await server.models(scene_id, model_ids)), listed);
});

for (const [action, rest] of SELECTING) {
  test(`${action} accepts bare, braced and upper-case ids of scene and models`, async () => {
    const {
      scene_id,
      ids: [a, b],
    } = await sceneOf(2);
    const body = { scene_id: `{${scene_id.toUpperCase()}}`, model_ids: [a.toUpperCase(), `{${b}}`, a] };
    const answer = JSON.stringify(bodyOf(await server.ask(action, { ...body, ...rest })));
    for (const id of [a, b]) assert.equal(answer.split(id).length, 2, `${id} once in ${answer}`);
  });

  test(`${action} without model_ids, or with an empty list, selects every model`, async () => {
    for (const model_ids of [undefined, []]) {
      const { scene_id, ids } = await sceneOf(2);
      const answer = JSON.stringify(bodyOf(await server.ask(action, { scene_id, model_ids, ...rest })));
      for (const id of ids) assert.ok(answer.includes(id));
    }
  });

  test(`${action} leaves out the models that model_ids does not name`, async () => {
    const {
      scene_id,
      ids: [a, b],
    } = await sceneOf(2);
    const [untouched] = await server.models(scene_id, [b]);
    const answer = JSON.stringify(bodyOf(await server.ask(action, { scene_id, model_ids: [a], ...rest })));
    assert.ok(answer.includes(a) && !answer.includes(b), answer);
    assert.deepEqual((await server.models(scene_id, [b]))[0], untouched);
  });

  test(`${action} answers NOT_FOUND for an unknown id or one that is not a UUID, and changes nothing`, async () => {
    const {
      scene_id,
      ids: [a],
    } = await sceneOf(1);
    const other = await sceneOf(1);
    for (const unknown of [UNKNOWN_ID, "no-uuid", "", `{${a}`, `${a} `, other.ids[0], scene_id]) {
      await assertRefused("NOT_FOUND", scene_id, action, { model_ids: [a, unknown], ...rest });
    }
  });

  test(`${action} refuses model_ids that are not an array of strings`, async () => {
    const {
      scene_id,
      ids: [a],
    } = await sceneOf(1);
    for (const model_ids of [a, [3], [a, null], [[a]], {}, null]) {
      await assertRefused("JSON_SCHEMA_MATCH_ERROR", scene_id, action, { model_ids, ...rest });
    }
  });

  test(`${action} of an empty scene succeeds`, async () => {
    const scene_id = await server.newScene();
    const [answer] = Object.values(bodyOf(await server.ask(action, { scene_id, ...rest })));
    assert.equal(Object.keys(answer as object).length, 0);
  });
}

test("update sets name, lock and visibility, and nothing else", async () => {
  const {
    scene_id,
    ids: [a],
  } = await sceneOf(1);
  const [expected] = await server.models(scene_id);
  const all = { name: "x", lock: "FREE", visible: true };
  for (const edit of [{ name: "Zahn 🦷" }, { lock: "FULLY_LOCKED" }, { visible: false }, all]) {
    bodyOf(await server.ask("update", { scene_id, model_ids: [a], ...edit }));
    Object.assign(expected, edit);
    assert.deepEqual((await server.models(scene_id))[0], expected);
  }
});

test("update accepts every lock of the interface, for several models", async () => {
  const { scene_id } = await sceneOf(2);
  for (const lock of LOCKS) {
    bodyOf(await server.ask("update", { scene_id, lock }));
    assert.deepEqual(
      (await server.models(scene_id)).map((model) => model.lock),
      [lock, lock],
    );
  }
});

test("a lock applies only to layout: a fully locked model can be moved, rotated and scaled", async () => {
  const { scene_id } = await sceneOf(1);
  bodyOf(await server.ask("update", { scene_id, lock: "FULLY_LOCKED" }));
  for (const [action, rest] of POSING) bodyOf(await server.ask(action, { scene_id, ...rest }));
  const [{ scale, orientation, position }] = await server.models(scene_id);
  assert.deepEqual([scale, orientation, position.x], [2, { x: 10, y: 20, z: 30 }, 1]);
});

test("update needs at least one field to change, with a valid value", async () => {
  const { scene_id } = await sceneOf(1);
  const bodies: object[] = [
    {},
    { name: 3 },
    { name: null },
    { lock: "LOCKED" },
    { lock: "free" },
    { lock: null },
    { visible: "true" },
    { visible: 1 },
    { units: "FEET" },
    { units: "DETECTED" },
    { units: null },
    { scale: 2 },
    { name: "a", original_file: "b" },
  ];
  for (const body of bodies) await assertRefused("JSON_SCHEMA_MATCH_ERROR", scene_id, "update", body);
});

test("update can name only one model; several are INPUT_ERROR, before unknown models are looked for", async () => {
  const {
    scene_id,
    ids: [a, b],
  } = await sceneOf(2);
  const name = "new";
  for (const model_ids of [[a, b], undefined, [], [a, UNKNOWN_ID], [UNKNOWN_ID, "no-uuid"]]) {
    await assertRefused("INPUT_ERROR", scene_id, "update", { model_ids, name, lock: "FULLY_LOCKED" });
  }
  await assertRefused("NOT_FOUND", scene_id, "update", { model_ids: [UNKNOWN_ID], name });
  bodyOf(await server.ask("update", { scene_id, model_ids: [a, `{${a.toUpperCase()}}`], name }));
  assert.deepEqual(
    (await server.models(scene_id, [a, b])).map((model) => model.name),
    [name, "spike"],
  );
  const alone = await sceneOf(1);
  bodyOf(await server.ask("update", { scene_id: alone.scene_id, name }));
  assert.equal((await server.models(alone.scene_id))[0].name, name);
});

test("a change of units rescales the raw mesh about the model's origin, and back", async () => {
  const { scene_id } = await sceneOf(1);
  const [before] = await server.models(scene_id);
  bodyOf(await server.ask("update", { scene_id, units: "INCHES" }));
  const [inches] = await server.models(scene_id);
  assert.equal(inches.units, "INCHES");
  assert.equal(inches.scale, 1);
  assert.notEqual(inches.raw_mesh_hash, before.raw_mesh_hash);
  assertNear(
    inches.bounding_box,
    { min_corner: { x: -127, y: -254, z: 0 }, max_corner: { x: 127, y: 254, z: 762 } },
    1e-4,
  );
  bodyOf(await server.ask("update", { scene_id, units: "INCHES" }));
  assert.deepEqual((await server.models(scene_id))[0], inches);
  bodyOf(await server.ask("update", { scene_id, units: "MILLIMETERS" }));
  assertNear((await server.models(scene_id))[0].bounding_box, before.bounding_box, 1e-4);
});

test("a change of units applies to each model by its own units", async () => {
  const scene_id = await server.newScene(POWDER);
  const small = server.file("small.stl", binaryStl(box([1, 2, 3])));
  const a = await server.importOne(scene_id, small, { units: "INCHES" });
  const b = await server.importOne(scene_id, small);
  assert.deepEqual(
    bodyOf(await server.ask("update", { scene_id, units: "INCHES" })).modified_model_ids.sort(),
    [a, b].sort(),
  );
  const models = await server.models(scene_id, [a, b]);
  assert.equal(models[0].raw_mesh_hash, models[1].raw_mesh_hash);
  const sizeOf = ({ bounding_box: { min_corner, max_corner } }: Reply["body"]) =>
    ["x", "y", "z"].map((axis) => max_corner[axis] - min_corner[axis]);
  for (const model of models) assertNear(sizeOf(model), [25.4, 50.8, 76.2], 1e-4);
});

test("delete removes the named models and keeps the others", async () => {
  const {
    scene_id,
    ids: [a, b, c],
  } = await sceneOf(3);
  const kept = await server.models(scene_id, [b]);
  assert.deepEqual(
    bodyOf(await server.ask("delete", { scene_id, model_ids: [c, a, c] })).deleted_model_ids.sort(),
    [a, c].sort(),
  );
  assert.deepEqual(await server.models(scene_id), kept);
  await assertRefused("NOT_FOUND", scene_id, "delete", { model_ids: [a] });
  bodyOf(await server.ask("delete", { scene_id }));
  assert.deepEqual(await server.models(scene_id), []);
});

test("replace gives the replacement the position, orientation, scale and lock of the model, which is deleted", async () => {
  const scene_id = await server.newScene(POWDER);
  const model = await server.importOne(scene_id, cube, { lock: "FULLY_LOCKED", name: "old" });
  const other = await server.importOne(scene_id, cube);
  const replacement = await server.importOne(scene_id, spike);
  const selected = { scene_id, model_ids: [model] };
  bodyOf(await server.ask("scale", { ...selected, scale: 1.5 }));
  bodyOf(await server.ask("orient", { ...selected, orientation: { x: 10, y: 20, z: 30 } }));
  bodyOf(await server.ask("translate", { ...selected, position: { x: 11, y: 12, z: 113 } }));
  bodyOf(await server.ask("update", { scene_id, model_ids: [replacement], visible: false }));
  const [old, bystander, before] = await server.models(scene_id, [model, other, replacement]);
  bodyOf(await server.ask("replace", { scene_id, model_id: model, replacement_model_id: replacement }));
  const [kept, found] = await server.models(scene_id, [other, replacement]);
  assert.deepEqual((await server.models(scene_id)).length, 2);
  assert.deepEqual(kept, bystander);
  const { position, orientation, scale, lock } = old;
  const { bounding_box, canonical_model_hash } = found;
  assert.deepEqual(found, { ...before, position, orientation, scale, lock, bounding_box, canonical_model_hash });
  assert.notDeepEqual(bounding_box, before.bounding_box);
  bodyOf(await server.ask("scale", { scene_id, model_ids: [replacement], scale: 1.5 }));
  assert.deepEqual((await server.models(scene_id, [replacement]))[0], found);
});

test("a replacement is placed on the platform of a resin printer", async () => {
  const {
    scene_id,
    ids: [a, b],
  } = await sceneOf(2);
  bodyOf(await server.ask("orient", { scene_id, model_ids: [a], orientation: { x: 50, y: 20, z: 30 } }));
  bodyOf(await server.ask("replace", { scene_id, model_id: a, replacement_model_id: b }));
  const [{ orientation, bounding_box }] = await server.models(scene_id);
  assert.deepEqual(orientation, { x: 50, y: 20, z: 30 });
  assertNear(bounding_box.min_corner.z, 0, 1e-9);
});

test("replace needs two different known models", async () => {
  const {
    scene_id,
    ids: [a, b],
  } = await sceneOf(2);
  for (const same of [a, a.toUpperCase(), `{${a}}`]) {
    await assertRefused("JSON_SCHEMA_MATCH_ERROR", scene_id, "replace", { model_id: a, replacement_model_id: same });
  }
  const pair = { model_id: a, replacement_model_id: b };
  const bodies = [{ model_id: a }, { replacement_model_id: b }, { ...pair, model_id: 3 }, { ...pair, model_ids: [a] }];
  for (const body of bodies) {
    await assertRefused("JSON_SCHEMA_MATCH_ERROR", scene_id, "replace", body);
  }
  for (const unknown of [UNKNOWN_ID, "no-uuid", ""]) {
    await assertRefused("NOT_FOUND", scene_id, "replace", { model_id: unknown, replacement_model_id: b });
    await assertRefused("NOT_FOUND", scene_id, "replace", { model_id: a, replacement_model_id: unknown });
  }
});

test("duplicate makes count copies of each model, at its place, with the same mesh", async () => {
  const {
    scene_id,
    ids: [a, b],
  } = await sceneOf(2);
  bodyOf(await server.ask("translate", { scene_id, model_ids: [b], position: { x: 400, y: -3, z: 0 } }));
  bodyOf(await server.ask("orient", { scene_id, model_ids: [b], orientation: { x: 1, y: 2, z: 3 } }));
  bodyOf(await server.ask("update", { scene_id, model_ids: [b], name: "far", lock: "FULLY_LOCKED", visible: false }));
  const sources = await server.models(scene_id, [a, b]);
  const { results } = bodyOf(await server.ask("duplicate", { scene_id, model_ids: [b, a], count: 3 }));
  assert.deepEqual(results.map((one: Reply["body"]) => one.source_model_id).sort(), [a, b].sort());
  for (const { source_model_id, new_model_ids } of results) {
    assert.equal(new_model_ids.length, 3);
    const source = sources.find(({ id }) => id === source_model_id);
    for (const copy of await server.models(scene_id, new_model_ids)) {
      const { id: _copyId, name: _copyName, ...rest } = copy;
      const { id: _id, name: _name, ...expected } = source;
      assert.deepEqual(rest, expected);
    }
  }
  const all = idsOf(await server.models(scene_id));
  assert.equal(new Set(all).size, 8);
  assert.deepEqual(await server.models(scene_id, [a, b]), sources);
});

test("a copy is a separate model", async () => {
  const {
    scene_id,
    ids: [a],
  } = await sceneOf(1);
  const [source] = await server.models(scene_id);
  const copy = bodyOf(await server.ask("duplicate", { scene_id, count: 1 })).results[0].new_model_ids[0];
  bodyOf(await server.ask("scale", { scene_id, model_ids: [copy], scale: 2 }));
  assert.deepEqual((await server.models(scene_id, [a]))[0], source);
  bodyOf(await server.ask("delete", { scene_id, model_ids: [a] }));
  assert.deepEqual(idsOf(await server.models(scene_id)), [copy]);
});

test("duplicate needs a count from 1 to 10,000", async () => {
  const { scene_id } = await sceneOf(1);
  for (const count of [0, -1, 1.5, 10_001, 1e300, "2", null, undefined]) {
    await assertRefused("JSON_SCHEMA_MATCH_ERROR", scene_id, "duplicate", { count });
  }
});

test("one request makes at most 10,000 copies", async () => {
  const { scene_id } = await sceneOf(2);
  for (const count of [5001, 10_000]) await assertRefused("INPUT_ERROR", scene_id, "duplicate", { count });
});

test("a scene holds at most 10,000 models", async () => {
  const {
    scene_id,
    ids: [a],
  } = await sceneOf(1);
  await assertRefused("INPUT_ERROR", scene_id, "duplicate", { count: 10_000 });
  const { results } = bodyOf(await server.ask("duplicate", { scene_id, count: 9999 }));
  assert.equal(new Set([a, ...results[0].new_model_ids]).size, 10_000);
  for (const [action, rest] of [
    ["duplicate", { model_ids: [a], count: 1 }],
    ["import", { file: spike }],
  ] as const) {
    assert.equal(codeOf(await server.ask(action, { scene_id, ...rest })), "INPUT_ERROR");
  }
  assert.equal((await server.models(scene_id)).length, 10_000);
  bodyOf(await server.ask("delete", { scene_id, model_ids: [a] }));
  await server.importOne(scene_id, spike);
});

test("validate/in-bounds agrees with the models' in_bounds, and changes nothing", async () => {
  const {
    scene_id,
    ids: [a, b, c],
  } = await sceneOf(3);
  bodyOf(await server.ask("translate", { scene_id, model_ids: [b], position: { x: 200, y: 0, z: 0 } }));
  bodyOf(await server.ask("scale", { scene_id, model_ids: [c], scale: 50 }));
  const before = await server.models(scene_id);
  const expected = { [a]: { in_bounds: true }, [b]: { in_bounds: false }, [c]: { in_bounds: false } };
  assert.deepEqual(bodyOf(await server.ask("validate/in-bounds", { scene_id })).per_model_results, expected);
  assert.deepEqual(bodyOf(await server.ask("validate/in-bounds", { scene_id, model_ids: [b] })).per_model_results, {
    [b]: { in_bounds: false },
  });
  const after = await server.models(scene_id);
  assert.deepEqual(after, before);
  assert.deepEqual(Object.fromEntries(after.map(({ id, in_bounds }) => [id, { in_bounds }])), expected);
});

const RING = torus(20, 5, 12, 8);
const rounded = (surface: Surface): Surface => ({
  ...surface,
  vertices: surface.vertices.map((value) => Math.round(value * 64) / 64),
});

test("raw_mesh_hash is the same for the same mesh, whatever format, order of facets or name", async () => {
  const ring = rounded(RING);
  const random = randomFrom(3);
  const files = [
    server.file("ring.stl", binaryStl(ring)),
    server.file("other name.stl", binaryStl(shuffled(ring, random), "another head")),
    server.file("ascii.stl", asciiStl(shuffled(ring, random), { name: "torus", upperCase: true, newline: "\r\n" })),
    server.file("ring.obj", objText(ring)),
    server.file("soup.obj", objText(unwelded(shuffled(ring, random)))),
    server.file("ring.3mf", threeMf([{ surface: shuffled(ring, random), name: "ring" }])),
  ];
  const scene_id = await server.newScene();
  for (const file of files) await server.importOne(scene_id, file);
  const models = await server.models(scene_id);
  assert.equal(models.length, files.length);
  assert.equal(new Set(models.map((model) => model.raw_mesh_hash)).size, 1);
  assert.equal(new Set(models.map((model) => model.canonical_model_hash)).size, 1);
});

test("raw_mesh_hash differs for an inverted mesh, one moved in its file, one with a moved vertex, and another body", async () => {
  const ring = rounded(RING);
  const dented = { ...ring, vertices: ring.vertices.map((value, i) => (i === 5 ? value + 0.015625 : value)) };
  const scene_id = await server.newScene();
  for (const [i, surface] of [ring, insideOut(ring), moved(ring, [1, 0, 0]), dented, box([10, 10, 10])].entries()) {
    await server.importOne(scene_id, server.file(`mesh-${i}.stl`, binaryStl(surface)), { repair_behavior: "IGNORE" });
  }
  assert.equal(new Set((await server.models(scene_id)).map((model) => model.raw_mesh_hash)).size, 5);
});

test("canonical_model_hash depends on position, orientation and scale, raw_mesh_hash does not", async () => {
  const { scene_id } = await sceneOf(1);
  const [{ raw_mesh_hash, canonical_model_hash, position }] = await server.models(scene_id);
  const seen = [canonical_model_hash];
  const edits: [string, object][] = [
    ["translate", { position: { x: 5, y: 0, z: 0 } }],
    ["orient", { orientation: { x: 0, y: 0, z: 1 } }],
    ["scale", { scale: 1.001 }],
  ];
  for (const [action, body] of edits) {
    bodyOf(await server.ask(action, { scene_id, ...body }));
    const [model] = await server.models(scene_id);
    assert.equal(model.raw_mesh_hash, raw_mesh_hash, action);
    seen.push(model.canonical_model_hash);
  }
  assert.equal(new Set(seen).size, seen.length);
  const back: [string, object][] = [
    ["scale", { scale: 1 }],
    ["orient", { orientation: { x: 0, y: 0, z: 0 } }],
    ["translate", { position }],
  ];
  for (const [action, body] of back) {
    bodyOf(await server.ask(action, { scene_id, ...body }));
  }
  assert.equal((await server.models(scene_id))[0].canonical_model_hash, canonical_model_hash);
});

test("canonical_model_hash has the position in µm, and does not depend on name, lock, visibility or id", async () => {
  const {
    scene_id,
    ids: [a],
  } = await sceneOf(1);
  const hash = async (): Promise<string> => (await server.models(scene_id, [a]))[0].canonical_model_hash;
  const at = async (x: number): Promise<string> => {
    bodyOf(await server.ask("translate", { scene_id, model_ids: [a], position: { x, y: 0, z: 0 } }));
    return hash();
  };
  const there = await at(5);
  assert.equal(await at(5.0004), there);
  assert.notEqual(await at(5.001), there);
  assert.equal(await at(5), there);
  bodyOf(await server.ask("update", { scene_id, name: "renamed", lock: "FULLY_LOCKED", visible: false }));
  assert.equal(await hash(), there);
  const copies = bodyOf(await server.ask("duplicate", { scene_id, count: 1 })).results[0].new_model_ids;
  assert.equal((await server.models(scene_id, copies))[0].canonical_model_hash, there);
});
