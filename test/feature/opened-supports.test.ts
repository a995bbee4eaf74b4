import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcess } from "../fixture/in-process.ts";
import { box } from "../fixture/shapes.ts";

const server = inProcess();

interface Got {
  readonly points: readonly { readonly reached: boolean; readonly tree: number; readonly load_n: number }[];
  readonly struts: readonly (readonly (number | string)[])[];
}

/** What is known of the supports of a block at a place, and what is known of them once its scene is saved and opened. */
async function beforeAndAfter(x: number): Promise<[before: Got, after: Got]> {
  const scene_id = await server.newScene();
  const model_id = await server.importShape(scene_id, box([8, 8, 4]));
  await server.ask("translate", { scene_id, model_ids: [model_id], position: { x, y: 3, z: 0 }, mode: "RELATIVE" });
  await server.ask("auto-support", { scene_id });
  const before = await server.ask("supports/get", { scene_id, model_id, include_struts: true });
  const file = server.file(`supported-${x}.form`, "");
  await server.post("/v1/scene/save/", { scene_ids: [scene_id], file });
  const { scenes } = await server.post("/v1/scene/open/", { file });
  const ids = { scene_id: scenes[0].scene_id, model_id: scenes[0].new_model_ids[0] };
  assert.equal(server.scene(ids.scene_id).models[0].supports!.routed, undefined);
  return [before, await server.ask("supports/get", { ...ids, include_struts: true })];
}

// The volume is 200 mm wide: in its middle, near its rim, and partly outside.
for (const x of [20, 95.5, 99]) {
  test(`supports of a file are known as they were before it was saved, ${x} mm from the middle of the platform`, async () => {
    const [before, after] = await beforeAndAfter(x);
    assert.ok(before.struts.length > 8);
    assert.deepEqual(
      after.points.map(({ reached, tree }) => [reached, tree]),
      before.points.map(({ reached, tree }) => [reached, tree]),
    );
    after.points.forEach(({ load_n }, i) => assert.ok(Math.abs(load_n - before.points[i].load_n) < 1e-3));
    assert.equal(after.struts.length, before.struts.length);
    after.struts.forEach((strut, i) => {
      strut.forEach((value, k) => {
        const was = before.struts[i][k];
        if (typeof value === "string") assert.equal(value, was);
        else assert.ok(Math.abs(value - Number(was)) < 2e-3, `strut ${i}: ${strut.join(" ")}`);
      });
    });
  });
}
