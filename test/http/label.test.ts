import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { box, cylinder } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import {
  POWDER,
  type TestServer,
  UNKNOWN_ID,
  assertNear,
  assertRefused,
  bodyOf,
  openTestServer,
} from "../fixture/test-server.ts";
import { longTest } from "../fixture/long.ts";

// Interface, "label" among the model endpoints; supplement, section 6.

let server: TestServer;
let slab: string;
before(async () => {
  server = await openTestServer();
  slab = server.file("slab.stl", binaryStl(box([40, 20, 10])));
});
after(() => server.close());

type Body = Reply["body"];

/** A label on the top of the slab, which is on the platform around x = y = 0. */
const ASKED = {
  orientation: { x: 0, y: 0, z: 0 },
  position: { x: 0, y: 0, z: 10 },
  label: "Label 8",
  font_size_mm: 5,
  depth_mm: 0.5,
} as const;

async function sceneWith(file = slab, combination?: object): Promise<[scene_id: string, model_id: string]> {
  const scene_id = await server.newScene(combination);
  return [scene_id, await server.importOne(scene_id, file)];
}

const label = (scene_id: string, model_id: string, changes: object = {}): Promise<Reply> =>
  server.ask("label", { scene_id, model_id, ...ASKED, ...changes });

async function modelOf(scene_id: string): Promise<Body> {
  return (await server.models(scene_id))[0];
}

async function volumeOf(scene_id: string): Promise<number> {
  return bodyOf(await server.printwright.post("/v1/scene/metadata/", { scene_id })).models[0].volume_ml * 1000;
}

test("a label is embossed by default, or engraved; the model keeps its place and fields", async () => {
  for (const [application_mode, sign, top] of [
    [undefined, 1, 10.5],
    ["EMBOSS", 1, 10.5],
    ["ENGRAVE", -1, 10],
  ] as const) {
    const [scene_id, id] = await sceneWith();
    bodyOf(await server.ask("update", { scene_id, name: "my slab", lock: "FULLY_LOCKED" }));
    const before = await modelOf(scene_id);
    const answer = bodyOf(await label(scene_id, id, { application_mode }));
    assert.deepEqual(answer, { modified_model_ids: [id], warnings: [], infos: [] });
    const made = await modelOf(scene_id);
    assertNear(made.bounding_box.max_corner, { x: 20, y: 10, z: top }, 1e-4);
    assertNear(made.bounding_box.min_corner, before.bounding_box.min_corner, 1e-4);
    for (const field of ["name", "lock", "orientation", "scale", "units", "visible", "original_file", "in_bounds"]) {
      assert.deepEqual(made[field], before[field], field);
    }
    assert.notEqual(made.raw_mesh_hash, before.raw_mesh_hash);
    const change = sign * ((await volumeOf(scene_id)) - 8000);
    assert.ok(change > 10 && change < 40, String(change));
  }
});

test("the orientation is that of the text in the scene, in each of its three forms", async () => {
  const [scene_id, id] = await sceneWith();
  const front = { position: { x: 0, y: -10, z: 5 } };
  const shapes = [
    { x: 90, y: 0, z: 0 },
    {
      linear: [
        [1, 0, 0],
        [0, 0, -1],
        [0, 1, 0],
      ],
    },
    { z_direction: [0, -1, 0], x_direction: [1, 0, 0] },
  ];
  const hashes = new Set<string>();
  for (const orientation of shapes) {
    const [scene_id, id] = await sceneWith();
    bodyOf(await label(scene_id, id, { ...front, orientation }));
    const { bounding_box, raw_mesh_hash } = await modelOf(scene_id);
    assertNear(bounding_box.min_corner, { x: -20, y: -10.5, z: 0 }, 1e-4);
    hashes.add(raw_mesh_hash);
  }
  assert.equal(hashes.size, 1);
  assertRefused(
    await label(scene_id, id, {
      orientation: {
        linear: [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 2],
        ],
      },
    }),
    "INPUT_ERROR",
  );
  assertRefused(
    await label(scene_id, id, { orientation: { z_direction: [0, 0, 2], x_direction: [1, 0, 0] } }),
    "INPUT_ERROR",
  );
});

test("y points up in the text: below the upper edge of a face a mark at the foot fits, one at the head does not", async () => {
  const nearTop = { position: { x: 0, y: -10, z: 9 }, orientation: { x: 90, y: 0, z: 0 } };
  const [scene_id, id] = await sceneWith();
  assertRefused(await label(scene_id, id, { ...nearTop, label: "'" }), "OPERATION_FAILED", /the surface ends/);
  bodyOf(await label(scene_id, id, { ...nearTop, label: "." }));
  // After half a turn about z, the foot of the text is at the upper edge.
  const turned = { ...nearTop, orientation: { z_direction: [0, -1, 0], x_direction: [-1, 0, 0] } };
  assertRefused(await label(scene_id, id, { ...turned, label: "." }), "OPERATION_FAILED", /the surface ends/);
});

test("the label follows the pose and scale of the model, and has the requested size in the scene", async () => {
  const [plain, plainId] = await sceneWith(slab, POWDER);
  bodyOf(await server.ask("translate", { scene_id: plain, position: { x: 0, y: 0, z: 50 } }));
  bodyOf(await label(plain, plainId, { position: { x: 0, y: 0, z: 55 } }));
  const added = (await volumeOf(plain)) - 8000;
  const [scene_id, id] = await sceneWith(slab, POWDER);
  bodyOf(await server.ask("scale", { scene_id, scale: 2 }));
  bodyOf(await server.ask("orient", { scene_id, orientation: { x: 90, y: 0, z: 0 } }));
  bodyOf(await server.ask("translate", { scene_id, position: { x: 30, y: 20, z: 100 } }));
  // The top is now the front, 10 mm in front of the middle.
  const reply = await label(scene_id, id, { position: { x: 30, y: 10, z: 100 }, orientation: { x: 90, y: 0, z: 0 } });
  bodyOf(reply);
  const { bounding_box, position, orientation, scale } = await modelOf(scene_id);
  assertNear(bounding_box.min_corner, { x: -10, y: 9.5, z: 80 }, 1e-3);
  assertNear(bounding_box.max_corner, { x: 70, y: 30, z: 120 }, 1e-3);
  assertNear(position, { x: 30, y: 19.75, z: 100 }, 1e-3);
  assertNear(orientation, { x: 90, y: 0, z: 0 });
  assert.equal(scale, 2);
  assertNear((await volumeOf(scene_id)) - 64_000, added, 0.02 * added);
});

longTest("labelling removes supports, and a labelled model is on the platform and can be sliced", async () => {
  const [scene_id, id] = await sceneWith();
  bodyOf(await server.ask("auto-support", { scene_id, raft_label_enabled: false, density: 0.1 }));
  const { z } = (await modelOf(scene_id)).position;
  assert.ok(z > 5);
  bodyOf(await label(scene_id, id, { position: { x: 0, y: 0, z: z + 5 } }));
  const made = await modelOf(scene_id);
  assert.equal(made.has_supports, false);
  assertNear(made.bounding_box.min_corner.z, 0, 1e-4);
  assertNear(made.bounding_box.max_corner.z, 10.5, 1e-4);
  const { total_print_time_s } = bodyOf(await server.printwright.post("/v1/scene/calculate-print-time/", { scene_id }));
  assert.ok(total_print_time_s > 0);
});

longTest("a label remains when its model is hollowed again", async () => {
  const [scene_id, id] = await sceneWith(server.file("block.stl", binaryStl(box([30, 14, 12]))));
  bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 2 }));
  bodyOf(await label(scene_id, id, { position: { x: 0, y: 0, z: 12 } }));
  assertNear((await modelOf(scene_id)).bounding_box.max_corner.z, 12.5, 1e-3);
  bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 3 }));
  assertNear((await modelOf(scene_id)).bounding_box.max_corner.z, 12.5, 1e-3);
});

test("an engraving through a wall causes a warning", async () => {
  const [scene_id, id] = await sceneWith(server.file("plate.stl", binaryStl(box([40, 20, 2]))));
  const { warnings } = bodyOf(
    await label(scene_id, id, { position: { x: 0, y: 0, z: 2 }, depth_mm: 3, application_mode: "ENGRAVE" }),
  );
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /goes through a wall of "plate"/);
});

test("Greek, Cyrillic and accents are accepted in labels; other scripts are refused with the character", async () => {
  const [scene_id, id] = await sceneWith(server.file("tube.stl", binaryStl(cylinder(12, 60, 96))));
  for (const [i, text] of ["Μέγα Ω", "Жёлтый", "Ĝis Žluť"].entries()) {
    bodyOf(
      await label(scene_id, id, {
        label: text,
        position: { x: 0, y: -12, z: 10 + 15 * i },
        orientation: { x: 90, y: 0, z: 0 },
      }),
    );
  }
  const refused = await label(scene_id, id, {
    label: "A漢",
    position: { x: 0, y: -12, z: 20 },
    orientation: { x: 90, y: 0, z: 0 },
  });
  assertRefused(refused, "OPERATION_FAILED", /^"tube" cannot be labelled: .*"漢" \(U\+6F22\)/);
});

test("models that cannot be labelled are rejected, and nothing changes", async () => {
  const [scene_id, id] = await sceneWith();
  const before = await server.scene(scene_id);
  const refusals: [object, string, RegExp][] = [
    [{ position: { x: 100, y: 0, z: 10 } }, "OPERATION_FAILED", /"slab".*no surface is within/],
    [{ orientation: { x: 90, y: 0, z: 0 } }, "OPERATION_FAILED", /leans by more than 60°/],
    [{ label: "A label far too long for the slab" }, "OPERATION_FAILED", /at "." the surface ends or has a sharp edge/],
    [{ label: "   " }, "INPUT_ERROR", /only spaces/],
    [{ label: "two\nlines" }, "INPUT_ERROR", /one line without control characters/],
    [{ label: "\u0007" }, "INPUT_ERROR", /control/],
  ];
  for (const [changes, code, message] of refusals) assertRefused(await label(scene_id, id, changes), code, message);
  assertRefused(await label(scene_id, UNKNOWN_ID), "NOT_FOUND");
  assertRefused(
    await label(scene_id, "no-uuid"),
    codeOfMalformed(await server.ask("replace", { scene_id, model_id: "no-uuid", replacement_model_id: id })),
  );
  assert.deepEqual(await server.scene(scene_id), before);
});

const codeOfMalformed = ({ body }: Reply): string => body.error.code;

test("every field but the mode is required and has its bounds", async () => {
  const [scene_id, id] = await sceneWith();
  const whole: Record<string, unknown> = { scene_id, model_id: id, ...ASKED };
  for (const field of Object.keys(whole)) {
    const { [field]: _, ...rest } = whole;
    assertRefused(await server.ask("label", rest), "JSON_SCHEMA_MATCH_ERROR", new RegExp(field));
  }
  const wrong = [
    ...[1.99, 20.01, "5", null].map((font_size_mm) => ({ font_size_mm })),
    ...[0.19, 10.01, "1", null].map((depth_mm) => ({ depth_mm })),
    ...["", "x".repeat(201), 7, null].map((text) => ({ label: text })),
    ...["emboss", "CUT", null].map((application_mode) => ({ application_mode })),
    ...[{ x: 0, y: 0 }, [0, 0, 0], null].map((position) => ({ position })),
    ...[{ x: 0, y: 0 }, {}, { x: 0, y: 0, z: 0, w: 0 }, null].map((orientation) => ({ orientation })),
    { model_ids: [id] },
  ];
  for (const changes of wrong) {
    assertRefused(await label(scene_id, id, changes), "JSON_SCHEMA_MATCH_ERROR", new RegExp(Object.keys(changes)[0]));
  }
  for (const changes of [
    { font_size_mm: 2, depth_mm: 0.2 },
    { font_size_mm: 20, label: "I", depth_mm: 10 },
  ]) {
    bodyOf(await label(...(await sceneWith()), changes));
  }
});

test("labelling runs as an operation", async () => {
  const [scene_id, id] = await sceneWith();
  const body = { scene_id, model_id: id, ...ASKED };
  const begun = await server.printwright.post("/v1/scene/model/label/?async=true", body);
  const operation = await awaitOperation(server.printwright, begun);
  assert.equal(operation.status, "SUCCEEDED");
  assert.deepEqual(operation.result, { modified_model_ids: [id], warnings: [], infos: [] });
});
