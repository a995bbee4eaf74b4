import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Surface } from "../../src/mesh/mesh.ts";
import { arch } from "../fixture/arch.ts";
import type { Reply } from "../fixture/client.ts";
import { CONE } from "../fixture/orienting.ts";
import { box, mug, uvSphere } from "../fixture/shapes.ts";
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

// Interface, "auto-orient" and "lock values"; supplement, section 4.

let server: TestServer;
let cone: string;
let dental: string;
before(async () => {
  server = await openTestServer();
  cone = server.file("cone.stl", binaryStl(CONE));
  dental = server.file("arch.stl", binaryStl(arch({ widthMm: 60, depthMm: 45, bandMm: 12, heightMm: 14 })));
});
after(() => server.close());

type Body = Reply["body"];

const askew = { x: 140, y: 35, z: 20 };
const sizeOf = ({ bounding_box: { min_corner, max_corner } }: Body): number[] =>
  ["x", "y", "z"].map((axis) => max_corner[axis] - min_corner[axis]);

async function sceneWith(
  file: string,
  options: object = {},
  combination?: object,
): Promise<[scene: string, id: string]> {
  const scene_id = await server.newScene(combination);
  const id = await server.importOne(scene_id, file, options);
  bodyOf(await server.ask("orient", { scene_id, orientation: askew }));
  return [scene_id, id];
}

longTest(
  "the orientation does not depend on the earlier one, copies get the same one, and models end on the platform",
  async () => {
    const [scene_id, id] = await sceneWith(cone);
    const { results } = bodyOf(await server.ask("duplicate", { scene_id, count: 2 }));
    bodyOf(await server.ask("orient", { scene_id, model_ids: [id], orientation: { x: 0, y: -77, z: 0 } }));
    const answer = bodyOf(await server.ask("auto-orient", { scene_id }));
    assert.deepEqual(answer.modified_model_ids.toSorted(), [id, ...results[0].new_model_ids].sort());
    const models = await server.models(scene_id);
    for (const { orientation, bounding_box, in_bounds } of models) {
      assert.deepEqual(orientation, models[0].orientation);
      assertNear(bounding_box.min_corner.z, 0, 1e-6);
      assert.equal(in_bounds, true);
    }
    assertNear(sizeOf(models[0])[2], 40, 1e-3);
    bodyOf(await server.ask("auto-orient", { scene_id }));
    assert.deepEqual(await server.models(scene_id), models);
  },
);

test("the answer names the models whose lock lets them turn, and no other model changes", async () => {
  const [scene_id, id] = await sceneWith(cone);
  for (const [lock, turns] of [
    ["FULLY_LOCKED", false],
    ["LOCKED_ROTATION_FREE_TRANSLATION", false],
    ["LOCKED_XY_ROTATION_FREE_TRANSLATION", true],
    ["LOCKED_XY_FLIP_ENABLED", true],
  ] as const) {
    bodyOf(await server.ask("update", { scene_id, lock }));
    const before = await server.models(scene_id);
    const answer = bodyOf(await server.ask("auto-orient", { scene_id }));
    assert.deepEqual(answer, { modified_model_ids: turns ? [id] : [] }, lock);
    if (!turns) assert.deepEqual(await server.models(scene_id), before, lock);
    const height = sizeOf((await server.models(scene_id))[0])[2];
    assertNear(height, sizeOf(before[0])[2], 1e-3, lock);
  }
});

test("a model in powder keeps its place, but is moved inside the volume", async () => {
  const bar = server.file("bar.stl", binaryStl(box([20, 20, 90])));
  const [scene_id] = await sceneWith(bar, {}, POWDER);
  bodyOf(await server.ask("translate", { scene_id, position: { x: 3, y: -4, z: 120 } }));
  bodyOf(await server.ask("auto-orient", { scene_id }));
  assertNear((await server.models(scene_id))[0].position, { x: 3, y: -4, z: 120 });
  bodyOf(await server.ask("translate", { scene_id, position: { x: 3, y: -4, z: 0 } }));
  assert.equal((await server.models(scene_id))[0].in_bounds, false);
  bodyOf(await server.ask("auto-orient", { scene_id }));
  assert.equal((await server.models(scene_id))[0].in_bounds, true);
});

longTest("a turn removes supports, a spin within a lock moves them along", async () => {
  const [scene_id] = await sceneWith(cone, { lock: "LOCKED_XY_ROTATION_FREE_TRANSLATION" });
  bodyOf(await server.ask("auto-support", { scene_id, raft_label_enabled: false, only_minima: true }));
  bodyOf(await server.ask("auto-orient", { scene_id }));
  assert.equal((await server.models(scene_id))[0].has_supports, true);
  bodyOf(await server.ask("update", { scene_id, lock: "FREE" }));
  bodyOf(await server.ask("auto-orient", { scene_id }));
  assert.equal((await server.models(scene_id))[0].has_supports, false);
});

test("a dental arch is placed on its base, and tilts", async () => {
  const [scene_id] = await sceneWith(dental);
  for (const [tilt, expected] of [
    [undefined, [60, 45, 14]],
    [0, [60, 45, 14]],
    [90, [60, 14, 45]],
    [180, [60, 45, 14]],
    [-450, [60, 14, 45]],
    [36_000_000_090, [60, 14, 45]],
  ] as const) {
    bodyOf(await server.ask("auto-orient", { scene_id, mode: "DENTAL", tilt }));
    sizeOf((await server.models(scene_id))[0]).forEach((mm, axis) => assertNear(mm, expected[axis], 0.05, `${tilt}`));
  }
});

longTest(
  "warnings state how much a model retains in its best orientation, and which printer fits a model that is too large",
  async () => {
    const warningsOf = async (surface: Surface, options: object = {}): Promise<string[]> => {
      const scene_id = await server.newScene();
      await server.importOne(scene_id, server.file("it.stl", binaryStl(surface)), options);
      return bodyOf(await server.ask("auto-orient", { scene_id })).warnings ?? [];
    };
    assert.deepEqual(await warningsOf(CONE), []);
    const [cup, ...others] = await warningsOf(mug(20, 30), { lock: "LOCKED_XY_ROTATION_FREE_TRANSLATION" });
    assert.match(cup, /"it" still holds about \d+\.\d ml of resin.*drill/);
    assert.deepEqual(others, []);
    const [misfit] = await warningsOf(box([300, 30, 30]));
    assert.match(
      misfit,
      /"it" does not fit .* in any orientation\. It is \d+\.\d mm too large in the best one; it fits Form 3L/,
    );
    const [huge] = await warningsOf(box([900, 900, 900]));
    assert.match(huge, /no printer of its family is large enough/);
  },
);

test("requests that cannot be done are rejected, and nothing is rotated", async () => {
  const [scene_id, id] = await sceneWith(server.file("ball.stl", binaryStl(uvSphere(10))));
  const before = await server.models(scene_id);
  const refused = async (body: object, code: string, message: RegExp): Promise<void> =>
    assertRefused(await server.ask("auto-orient", { scene_id, ...body }), code, message);
  await refused({ tilt: 10 }, "JSON_SCHEMA_MATCH_ERROR", /"\/tilt"/);
  await refused({ tilt: 0 }, "JSON_SCHEMA_MATCH_ERROR", /"\/tilt"/);
  await refused({ mode: "DENTAL", tilt: 1.5 }, "JSON_SCHEMA_MATCH_ERROR", /"\/tilt"/);
  await refused({ mode: "FAST" }, "JSON_SCHEMA_MATCH_ERROR", /"\/mode"/);
  await refused({ model_ids: [id, UNKNOWN_ID] }, "OPERATION_FAILED", new RegExp(UNKNOWN_ID));
  await refused({ mode: "DENTAL" }, "OPERATION_FAILED", /base/);
  assert.deepEqual(await server.models(scene_id), before);
});
