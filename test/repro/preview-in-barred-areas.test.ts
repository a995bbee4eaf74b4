import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcess } from "../fixture/in-process.ts";
import { lathe } from "../fixture/shapes.ts";

// A preview let supports stand on areas that no support may touch, which the supports then did not have.

const { ask, newScene, importShape, models } = inProcess();

/** A wide foot, a stem and a plate over the foot: what holds the plate stands on the foot. */
const TABLE = lathe(
  [
    [0, 0],
    [26, 0],
    [26, 3],
    [3, 3],
    [3, 12],
    [10, 12],
    [10, 15],
    [0, 15],
  ],
  24,
  false,
);

test("a preview reaches no point from an area that no support may touch", async () => {
  const scene_id = await newScene();
  await importShape(scene_id, TABLE);
  const [{ id: model_id, bounding_box }] = await models(scene_id);
  const [x, y, z] = (["x", "y", "z"] as const).map((axis) =>
    axis === "z" ? bounding_box.min_corner.z : (bounding_box.min_corner[axis] + bounding_box.max_corner[axis]) / 2,
  ) as [number, number, number];
  const points = [{ position: { x: x + 7, y, z: z + 12 }, normal: { x: 0, y: 0, z: -1 } }];
  const body = { scene_id, model_id, points, internal_supports_enabled: true };
  const before = await ask("supports/preview", body);
  assert.deepEqual([before.unreached_indices, before.trees.length], [[], 1]);
  const top = { x: x + 20, y, z: z + 3 };
  const shape = { kind: "BALL", centre: top, normal: { x: 0, y: 0, z: 1 }, radius_mm: 60 };
  await ask("supports/set", { ...body, areas: [{ mode: "NEVER", shape }] });
  const after = await ask("supports/preview", body);
  assert.deepEqual([after.unreached_indices, after.trees], [[0], []]);
});
