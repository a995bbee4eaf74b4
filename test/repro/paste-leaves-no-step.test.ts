import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type RunningServer, startServer } from "../../src/server.ts";
import { call } from "../fixture/client.ts";
import { type PageClient, pageClient } from "../fixture/page-client.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { RESIN, bodyOf } from "../fixture/test-server.ts";

// Pasting parts into another scene copies them where they are and moves the copies: their own scene got a step to undo that changed nothing.

const file = temporaryFiles();
let running: RunningServer;
let page: PageClient;
before(async () => {
  running = await startServer({ port: 0, allowedHosts: [], maxScenes: 10, maxMemoryBytes: 2 ** 32 });
  page = pageClient(running.port);
});
after(() => running.stop());

const post = async (path: string, body?: object): Promise<any> => bodyOf(await call(running.port, "POST", path, body));
const model = (action: string, body: object): Promise<any> => post(`/v1/scene/model/${action}/`, body);

test("changes that take each other back leave no step to undo, others leave one", async () => {
  const listener = await page.listen();
  const block = file("block.stl", binaryStl(box([10, 20, 30])));
  const [{ scene_id }, { scene_id: target_scene_id }] = [
    await post("/v1/scene/create/", RESIN),
    await post("/v1/scene/create/", RESIN),
  ];
  const { new_models } = await model("import", { scene_id, file: block });
  const model_ids = [new_models[0].model_id];
  const copy = async (): Promise<string[]> => {
    const copied = await model("duplicate", { scene_id, model_ids, count: 1 });
    return copied.results[0].new_model_ids;
  };
  const counts = async (id: string): Promise<number> => (await page.summary(id)).undo_count;
  const before = await page.summary(scene_id);
  await model("move-to-scene", { scene_id, model_ids: await copy(), target_scene_id });
  await post(`/ui/scene/${scene_id}/join/?since=${before.version}`);
  assert.equal(await counts(scene_id), before.undo_count);
  assert.equal(await counts(target_scene_id), 1);
  // One copy stays: this is a change.
  const { version } = await page.summary(scene_id);
  await copy();
  await model("move-to-scene", { scene_id, model_ids: await copy(), target_scene_id });
  await post(`/ui/scene/${scene_id}/join/?since=${version}`);
  assert.equal(await counts(scene_id), before.undo_count + 1);
  await post(`/ui/scene/${scene_id}/undo/`);
  assert.deepEqual(
    (await page.scene(scene_id)).models.map(({ id }) => id),
    model_ids,
  );
  await listener.stop();
});
