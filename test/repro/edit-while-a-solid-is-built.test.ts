import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { BackgroundWork, Endpoint } from "../../src/api/endpoint.ts";
import { computeChunks } from "../../src/feature/chunk-tasks.ts";
import { barredPointsTask } from "../../src/feature/support-plan/task.ts";
import { startRequest } from "../../src/http/run-request.ts";
import { inProcess } from "../fixture/in-process.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/stage.ts";

// The server ended with an unhandled rejection where an edit of support points came while the solid of the edit before was built in chunks.

const { runner, newScene, post } = inProcess();

/** What goes on after the answer of a request that reads a scene. */
async function backgroundOf(scene_id: string): Promise<BackgroundWork> {
  const endpoint: Endpoint = {
    method: "POST",
    path: "/test/",
    summary: "",
    isQueued: false,
    scenesOf: () => [scene_id],
    handle: async (_request, _server, context) => context.inBackground(),
  };
  return (await startRequest(runner, endpoint, { body: undefined, query: undefined }).answer) as BackgroundWork;
}

/** Work in chunks, one after the other; `onFirst` is called after the first. Returns how many were done before it ended. */
async function chunksDone({ context }: BackgroundWork, onFirst: () => unknown): Promise<number> {
  const mesh = meshOf(box([1, 1, 1]));
  const chunks = { count: 20, inputOf: () => ({ mesh, points: [], areas: [] }), workMs: 1 };
  let done = 0;
  try {
    for await (const _ of computeChunks(barredPointsTask, chunks, context)) {
      if (done++ === 0) await onFirst();
    }
  } catch (thrown) {
    assert.equal((thrown as Error).name, "CancelledError");
  }
  return done;
}

test("work in the background ends once it is cancelled or its scene is deleted, and nothing else does", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  const scene_id = await newScene();
  const [first, second, third] = [
    await backgroundOf(scene_id),
    await backgroundOf(scene_id),
    await backgroundOf(scene_id),
  ];
  assert.ok((await chunksDone(first, first.cancel)) < 10);
  assert.equal(await chunksDone(second, () => {}), 20);
  assert.ok((await chunksDone(third, () => post("/v1/scene/delete/", { scene_id }))) < 10);
  await sleep(5);
  process.off("unhandledRejection", note);
  assert.deepEqual(unhandled, []);
});
