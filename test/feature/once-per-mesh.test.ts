import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../src/core/id.ts";
import { validateManifoldness, validateThinFeatures } from "../../src/feature/check/mesh-endpoints.ts";
import { validateInterferences } from "../../src/feature/check/placement-endpoints.ts";
import { recordingServer } from "../fixture/recording-server.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { sceneModel, someScene } from "../fixture/some-scene.ts";
import { moved as offset } from "../fixture/surface-edits.ts";

test("the tree of a large mesh is built for the first check of interferences, and serves those of other scenes", async () => {
  const { ran, ask } = recordingServer();
  const large = sceneModel({ mesh: meshOf(uvSphere(5, 800, 200)) });
  const [x, y, z] = large.pose.position;
  const near = sceneModel({ mesh: meshOf(uvSphere(2)), pose: large.pose });
  const raised = { ...near, pose: { ...near.pose, position: [x, y, z + 5] as const } };
  for (const other of [near, raised]) {
    const found = await ask(validateInterferences, someScene([large, other]), { collision_offset_mm: 0 });
    assert.deepEqual(found, { interferences: [[large.id, near.id]] });
  }
  // The small tree is built twice: that takes less time than it is worth memory.
  assert.equal(ran.filter((name) => name === "buildMeshTree").length, 3);
});

test("manifoldness and thin regions of a mesh are found once for the models of all scenes, which have them in their places", async () => {
  const { ran, ask } = recordingServer();
  const model = sceneModel({ mesh: meshOf(box([5, 5, 3]), offset(box([5, 0.4, 3]), [0, 8, 0])) });
  const [x, y, z] = model.pose.position;
  const beside = sceneModel({ ...model, id: newId(), pose: { ...model.pose, position: [x + 30, y, z] } });
  const larger = sceneModel({ ...model, id: newId(), pose: { ...model.pose, scale: 3 * model.pose.scale } });
  const thinOf = async (...models: (typeof model)[]): Promise<any[]> =>
    Object.values((await ask(validateThinFeatures, someScene(models), { threshold_mm: 1 })).per_model_results);
  const [alone] = await thinOf(model);
  const [first, second, third] = await thinOf(model, beside, larger);
  assert.equal(ran.filter((name) => name === "beginThinFeatures").length, 2);
  assert.deepEqual(first, alone);
  assert.equal(second.thin_volume_mm3, first.thin_volume_mm3);
  const leftOf = ({ thin_regions: [region] }: any): number => region.bounding_box.min_corner.x;
  assert.ok(Math.abs(leftOf(second) - leftOf(first) - 30) < 1e-6);
  assert.deepEqual(
    [first, third].map(({ thin_region_count }) => thin_region_count),
    [1, 0],
  );
  for (const models of [[model], [beside, larger]]) {
    const { per_model_results } = await ask(validateManifoldness, someScene(models), {});
    for (const { is_manifold } of Object.values<any>(per_model_results)) assert.ok(is_manifold);
  }
  assert.equal(ran.filter((name) => name === "checkManifoldness").length, 1);
});
