import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reply } from "../fixture/client.ts";
import { inProcess } from "../fixture/in-process.ts";
import { longTest } from "../fixture/long.ts";
import { box } from "../fixture/shapes.ts";
import { POWDER } from "../fixture/test-server.ts";

// `overflow` of auto-layout and auto-pack: models that do not fit stand beside the build volume.

const { ask, newScene, importShape, models, scene, refused } = inProcess();
const LAYOUT = "/v1/scene/model/auto-layout/";
const PACK = "/v1/scene/model/auto-pack/";

type Model = Reply["body"];
type Size = [x: number, y: number, z: number];

/** A scene of blocks, and the ids of these. */
async function blocks(sizes: readonly Size[], combination?: object): Promise<{ scene_id: string; ids: string[] }> {
  const scene_id = await newScene(combination);
  const ids: string[] = [];
  for (const size of sizes) ids.push(await importShape(scene_id, box(size)));
  return { scene_id, ids };
}

const sizeOf = (scene_id: string): readonly number[] => scene(scene_id).setting.printerType.volume.dimensionsMm;

/** Whether the boxes of two models are `mm` apart along x or y, or along z as well in a chamber. */
function areApart({ bounding_box: a }: Model, { bounding_box: b }: Model, mm: number): boolean {
  const gaps = ["x", "y", "z"].map((axis) =>
    Math.max(a.min_corner[axis] - b.max_corner[axis], b.min_corner[axis] - a.max_corner[axis]),
  );
  return Math.max(...gaps) >= mm - 1e-6;
}

/** Asserts that these models alone are out of bounds, 10 mm beside the volume, on the floor and apart. */
async function assertBeside(scene_id: string, unplaced: readonly string[], gapMm: number): Promise<void> {
  const all = await models(scene_id);
  const beside = all.filter(({ id }) => unplaced.includes(id));
  assert.deepEqual(
    all
      .filter(({ in_bounds }) => !in_bounds)
      .map(({ id }) => id)
      .sort(),
    [...unplaced].sort(),
  );
  const [width, depth] = sizeOf(scene_id);
  const left = Math.min(...beside.map(({ bounding_box }) => bounding_box.min_corner.x));
  assert.ok(Math.abs(left - (width / 2 + 10)) < 1e-6, `${left} mm`);
  for (const [i, model] of beside.entries()) {
    assert.ok(Math.abs(model.bounding_box.min_corner.z) < 1e-6);
    assert.ok(model.bounding_box.min_corner.y >= -depth / 2 - 1e-6);
    assert.ok(beside.slice(0, i).every((other) => areApart(model, other, gapMm)));
  }
}

test("BESIDE places as many models as fit and puts the others beside the platform; FAIL moves none", async () => {
  const [width, depth] = sizeOf(await newScene());
  // One of two plates fits, and the bar is too long for the platform.
  const plate: Size = [width - 10, 0.7 * depth, 4];
  const { scene_id, ids } = await blocks([plate, [1.6 * width, 5, 5], plate]);
  const body = { scene_id, model_spacing_mm: 3, lock_rotation: true };
  await refused(LAYOUT, body, "OPERATION_FAILED");
  await refused(LAYOUT, { ...body, overflow: "FAIL" }, "OPERATION_FAILED");
  await refused(LAYOUT, { scene_id, overflow: "NEW_SCENE" }, "JSON_SCHEMA_MATCH_ERROR", /overflow/);
  const answer = await ask("auto-layout", { ...body, overflow: "BESIDE" });
  assert.deepEqual(answer.modified_model_ids, ids);
  assert.equal(answer.unplaced_model_ids.length, 2);
  assert.ok(answer.unplaced_model_ids.includes(ids[1]));
  await assertBeside(scene_id, answer.unplaced_model_ids, 3);
  // Models that are laid out later stand beside those.
  const last = await importShape(scene_id, box([width - 20, depth / 2, 4]));
  const next = await ask("auto-layout", { ...body, model_ids: [last], overflow: "BESIDE" });
  assert.deepEqual(next.unplaced_model_ids, [last]);
  await assertBeside(scene_id, [...answer.unplaced_model_ids, last], 3);
});

test("all models that fit have the same layout with BESIDE as with FAIL", async () => {
  const sizes: Size[] = [
    [30, 20, 10],
    [50, 10, 5],
    [12, 40, 8],
  ];
  const [one, other] = [await blocks(sizes), await blocks(sizes)];
  assert.ok(!("unplaced_model_ids" in (await ask("auto-layout", { scene_id: one.scene_id }))));
  const { unplaced_model_ids } = await ask("auto-layout", { scene_id: other.scene_id, overflow: "BESIDE" });
  assert.deepEqual(unplaced_model_ids, []);
  const places = async (scene_id: string): Promise<unknown[]> =>
    (await models(scene_id)).map(({ position, orientation }) => [position, orientation]);
  assert.deepEqual(await places(other.scene_id), await places(one.scene_id));
});

longTest("supports go along with the models that do not fit", async () => {
  const { scene_id } = await blocks([
    [30, 20, 10],
    [50, 10, 5],
  ]);
  await ask("auto-support", { scene_id });
  const custom_bounds = { x_max_mm: -50, y_max_mm: -50 };
  const { unplaced_model_ids } = await ask("auto-layout", { scene_id, custom_bounds, overflow: "BESIDE" });
  assert.ok(unplaced_model_ids.length > 0);
  await assertBeside(scene_id, unplaced_model_ids, 2);
  assert.ok((await models(scene_id)).every(({ has_supports }) => has_supports));
});

/** Packs blocks of which `count` remain beside the chamber, among them all that are longer than it. */
async function packBeside(sizes: readonly Size[], count: number): Promise<void> {
  const { scene_id, ids } = await blocks(sizes, POWDER);
  const lengthMm = Math.hypot(...sizeOf(scene_id));
  await refused(PACK, { scene_id, packing_mode: "HEIGHT" }, "OPERATION_FAILED");
  const answer = await ask("auto-pack", { scene_id, packing_mode: "HEIGHT", overflow: "BESIDE" });
  assert.deepEqual(answer.modified_model_ids.toSorted(), ids.toSorted());
  assert.equal(answer.unplaced_model_ids.length, count);
  for (const [i, size] of sizes.entries())
    if (Math.max(...size) > lengthMm) assert.ok(answer.unplaced_model_ids.includes(ids[i]));
  await assertBeside(scene_id, answer.unplaced_model_ids, 1);
}

longTest("BESIDE packs the models that are not too large for a chamber, and puts the others beside it", () =>
  packBeside(
    [
      [400, 4, 4],
      [10, 12, 14],
    ],
    1,
  ),
);

longTest("BESIDE packs as many models as fit into a chamber", () => {
  const half: Size = [145, 145, 135];
  return packBeside([half, [4, 400, 4], half, [400, 4, 4], half], 3);
});
