import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { longTest } from "../../fixture/long.ts";
import { type RunningServer, startServer } from "../../../src/server.ts";
import { bumpySphere } from "../../bench/models.ts";
import { type Reply, awaitOperation, call } from "../../fixture/client.ts";
import { box } from "../../fixture/shapes.ts";
import { binaryStl } from "../../fixture/stl-file.ts";
import { moved } from "../../fixture/surface-edits.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";
import { RESIN } from "../../fixture/test-server.ts";

// Interface supplement, section 1, "Time-out", with a short time instead of ten minutes.

const TIMEOUT_MS = 250;
const file = temporaryFiles();
/** Next to the large model, because a common volume would be computed at its import. */
const SMALL = file("small.stl", binaryStl(moved(box([10, 10, 10]), [60, 0, 0])));
/** A model whose import takes several times as long as a call may. */
const LARGE = file("large.stl", binaryStl(bumpySphere(1_000_000)));

let running: RunningServer;
before(async () => {
  running = await startServer({ port: 0, allowedHosts: [], maxScenes: 100, maxMemoryBytes: 2 ** 32 }, TIMEOUT_MS);
});
after(() => running.stop());

const post = (path: string, body: unknown): Promise<Reply> => call(running.port, "POST", path, body);
const importInto = (scene_id: string, path: string, query = ""): Promise<Reply> =>
  post(`/v1/scene/model/import/${query}`, { scene_id, file: path });
const scenes = async (): Promise<Reply["body"]> => (await call(running.port, "GET", "/v1/scene/list/")).body;

/** Repeats a request until its answer is in time: the first calls of a process also start its threads, and a machine may be busy. */
async function inTime(ask: () => Promise<Reply>): Promise<Reply["body"]> {
  for (let tries = 0; tries < 20; tries++) {
    const { status, body } = await ask();
    if (status === 200) return body;
    assert.equal(body.error.code, "TIMED_OUT", JSON.stringify(body));
  }
  assert.fail("a small request never was in time");
}

const newScene = async (): Promise<string> => (await inTime(() => post("/v1/scene/create/", RESIN))).scene_id;
const importSmall = (scene_id: string): Promise<unknown> => inTime(() => importInto(scene_id, SMALL));

test("a request that exceeds the time-out is 500 TIMED_OUT with advice", async () => {
  const { status, body } = await importInto(await newScene(), LARGE);
  assert.equal(status, 500);
  assert.deepEqual(Object.keys(body), ["error"]);
  assert.equal(body.error.code, "TIMED_OUT");
  assert.match(body.error.message, /nothing was changed.*async=true/);
});

test("a timed-out request has changed nothing, also later", async () => {
  const scene_id = await newScene();
  await importSmall(scene_id);
  const was = await scenes();
  assert.equal((await importInto(scene_id, LARGE)).body.error.code, "TIMED_OUT");
  assert.deepEqual(await scenes(), was);
  await importSmall(await newScene());
  const now = await scenes();
  assert.deepEqual(now.scenes.slice(0, was.scenes.length), was.scenes);
});

test("the next request of the scene runs", async () => {
  const scene_id = await newScene();
  assert.equal((await importInto(scene_id, LARGE)).body.error.code, "TIMED_OUT");
  await importSmall(scene_id);
  const { body } = await post("/v1/scene/model/list/", { scene_id });
  assert.deepEqual(
    body.models.map(({ name }: { name: string }) => name),
    ["small"],
  );
});

longTest(
  "a request that waits too long for its turn is timed out and does nothing; one with async=true has no limit",
  async () => {
    const scene_id = await newScene();
    const started = await importInto(scene_id, LARGE, "?async=true");
    const waiting = await importInto(scene_id, SMALL);
    assert.equal(waiting.body.error?.code, "TIMED_OUT", JSON.stringify(waiting.body));
    const operation = await awaitOperation(running, started);
    assert.equal(operation.status, "SUCCEEDED", JSON.stringify(operation));
    assert.equal(operation.result.new_models.length, 1);
    await importSmall(scene_id);
    const { body } = await post("/v1/scene/model/list/", { scene_id });
    assert.deepEqual(
      body.models.map(({ name }: { name: string }) => name),
      ["large", "small"],
    );
  },
);
