import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bumpySphere } from "../bench/models.ts";
import { longTest } from "../fixture/long.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";

// Interface, "Ordering"; supplement, section 1: "Order of requests".

const folder = mkdtempSync(join(tmpdir(), "printwright-order-"));
const small = join(folder, "small.stl");
const medium = join(folder, "medium.stl");
const large = join(folder, "large.stl");
const combination = { machine_type: "FORM-4-0", material_code: "FLGPBK05", layer_thickness_mm: 0.1 };

let printwright: Printwright;
before(async () => {
  writeFileSync(small, binaryStl(box([10, 10, 10])));
  writeFileSync(medium, binaryStl(bumpySphere(40_000)));
  writeFileSync(large, binaryStl(bumpySphere(300_000)));
  printwright = await startPrintwright();
});
after(async () => {
  await printwright.stop();
  rmSync(folder, { recursive: true });
});

const newScene = async (): Promise<string> => (await printwright.post("/v1/scene/create/", combination)).body.scene_id;
const modelsOf = async (scene_id: string) =>
  (await printwright.post("/v1/scene/model/list/", { scene_id })).body.models;

test("changes of one scene run in the order of arrival, each on the result of the one before", async () => {
  const scene_id = await newScene();
  const { new_models } = (await printwright.post("/v1/scene/model/import/", { scene_id, file: small })).body;
  const model_ids = [new_models[0].model_id];
  // The import is slow; later requests wait, then move the model six times.
  const slow = await printwright.post("/v1/scene/model/import/?async=true", { scene_id, file: medium });
  assert.equal(slow.status, 202);
  const steps = Array.from({ length: 6 }, () =>
    printwright.post("/v1/scene/model/translate/", {
      scene_id,
      model_ids,
      position: { x: 0.5, y: 0, z: 0 },
      mode: "RELATIVE",
    }),
  );
  for (const { status } of await Promise.all(steps)) assert.equal(status, 200);
  const models = await modelsOf(scene_id);
  assert.equal(models.length, 2);
  assert.equal(models.find((model: { id: string }) => model.id === model_ids[0]).position.x, 3);
});

test("reads do not wait for a running change, and see the last finished state", async () => {
  const scene_id = await newScene();
  const { operation_id } = (await printwright.post("/v1/scene/model/import/?async=true", { scene_id, file: large }))
    .body;
  const statusOf = async () =>
    (await printwright.call("GET", `/v1/operation/get/?operation_id=${operation_id}`)).body.status;
  assert.deepEqual(await modelsOf(scene_id), []);
  while ((await statusOf()) === "IN_PROGRESS") await sleep(5);
  assert.equal((await modelsOf(scene_id)).length, 1);
});

longTest("changes of one scene do not wait for those of another", async () => {
  const [busy, free] = [await newScene(), await newScene()];
  const { operation_id } = (
    await printwright.post("/v1/scene/model/import/?async=true", { scene_id: busy, file: large })
  ).body;
  assert.equal((await printwright.post("/v1/scene/model/import/", { scene_id: free, file: small })).status, 200);
  const { body } = await printwright.call("GET", `/v1/operation/get/?operation_id=${operation_id}`);
  assert.equal(body.status, "IN_PROGRESS");
});

test("saving several scenes waits for the changes of all of them", async () => {
  const [a, b] = [await newScene(), await newScene()];
  const file = join(folder, "both.form");
  for (const scene_id of [a, b])
    await printwright.post("/v1/scene/model/import/?async=true", { scene_id, file: medium });
  assert.equal((await printwright.post("/v1/scene/save/", { scene_ids: [a, b], file })).status, 200);
  const { scenes } = (await printwright.post("/v1/scene/open/", { file })).body;
  assert.deepEqual(
    scenes.map((scene: { new_model_ids: string[] }) => scene.new_model_ids.length),
    [1, 1],
  );
});

test("if a scene is deleted while a change of it waits, only that change fails", async () => {
  const scene_id = await newScene();
  await printwright.post("/v1/scene/model/import/?async=true", { scene_id, file: large });
  const [deleted, late] = await Promise.all([
    printwright.call("DELETE", "/v1/scene/delete/", { scene_id }),
    sleep(20).then(() => printwright.post("/v1/scene/model/import/", { scene_id, file: small })),
  ]);
  assert.equal(deleted.status, 200);
  assert.equal(late.body.error.code, "INPUT_ERROR");
});

test("scene/delete cancels running and waiting requests of its scene, also without async, and no others", async () => {
  const [scene_id, other] = [await newScene(), await newScene()];
  const importing = (scene: string, query = "") =>
    printwright.post(`/v1/scene/model/import/${query}`, { scene_id: scene, file: large });
  const [running, waiting, elsewhere] = [
    (await importing(scene_id, "?async=true")).body,
    importing(scene_id),
    importing(other),
  ];
  await sleep(50);
  assert.equal((await printwright.call("DELETE", "/v1/scene/delete/", { scene_id })).status, 200);
  const { body } = await printwright.call("GET", running.operation_url);
  assert.deepEqual([body.status, body.result.error.code], ["FAILED", "OPERATION_CANCELLED"]);
  const { status, body: answer } = await waiting;
  assert.deepEqual([status, answer.error.code], [409, "OPERATION_CANCELLED"]);
  assert.equal((await elsewhere).status, 200);
});

longTest("deleting the default scene cancels its requests and empties it, and two deletes succeed", async () => {
  const [{ id: scene_id }] = (await printwright.call("GET", "/v1/scene/list/")).body.scenes;
  const { operation_url } = (await printwright.post("/v1/scene/model/import/?async=true", { scene_id, file: large }))
    .body;
  const deleting = () => printwright.call("DELETE", "/v1/scene/delete/", { scene_id });
  for (const { status } of await Promise.all([deleting(), deleting()])) assert.equal(status, 200);
  assert.equal((await printwright.call("GET", operation_url)).body.result.error.code, "OPERATION_CANCELLED");
  assert.deepEqual(await modelsOf(scene_id), []);
});

test("a client that disconnects does not cancel its request", async () => {
  const scene_id = await newScene();
  const controller = new AbortController();
  const request = fetch(`http://127.0.0.1:${printwright.port}/v1/scene/model/import/`, {
    method: "POST",
    body: JSON.stringify({ scene_id, file: large }),
    signal: controller.signal,
  });
  await sleep(50);
  controller.abort();
  await assert.rejects(request);
  // The next change waits for the abandoned one.
  await printwright.post("/v1/scene/model/scale/", { scene_id, scale: 1 });
  assert.equal((await modelsOf(scene_id)).length, 1);
});
