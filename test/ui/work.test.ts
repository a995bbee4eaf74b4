import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Stage } from "../../src/api/running-work.ts";
import { newId } from "../../src/core/id.ts";
import { newTaskState, taskProgress } from "../../src/core/progress.ts";
import { type RunningRequest, newRunningRequests } from "../../src/http/running-requests.ts";
import { newWorkWatch } from "../../src/ui/work-watch.ts";
import { type RunningServer, startServer } from "../../src/server.ts";
import type { PageDefaults } from "../../src/ui/replies.ts";
import type { PageOperation, PageWork } from "../../src/ui/work-replies.ts";
import { bumpySphere } from "../bench/models.ts";
import { type Reply, call } from "../fixture/client.ts";
import { type EventListener, type PageClient, pageClient } from "../fixture/page-client.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { RESIN, UNKNOWN_ID, bodyOf } from "../fixture/test-server.ts";

// Events about running requests, which each page gets for those of all clients.

const file = temporaryFiles();
const LARGE = file("large.stl", binaryStl(bumpySphere(200_000)));

let running: RunningServer;
let page: PageClient;
let scene_id: string;
before(async () => {
  running = await startServer({ port: 0, allowedHosts: [], maxScenes: 10, maxMemoryBytes: 2 ** 32 });
  page = pageClient(running.port);
  scene_id = bodyOf(await post("/v1/scene/create/", RESIN)).scene_id;
});
after(() => running.stop());

const post = (path: string, body: unknown): Promise<Reply> => call(running.port, "POST", path, body);
const importLarge = (query = ""): Promise<Reply> => post(`/v1/scene/model/import/${query}`, { scene_id, file: LARGE });

/** The next report for which `isWanted` holds. */
async function reportWith(
  listener: EventListener<PageWork>,
  isWanted: (operations: readonly PageOperation[]) => boolean,
): Promise<readonly PageOperation[]> {
  for (;;) {
    const { operations } = await listener.next();
    if (isWanted(operations)) return operations;
  }
}

const isIdle = (operations: readonly PageOperation[]): boolean => operations.length === 0;

test("each page sees an operation of another client, and its end", async () => {
  const listener = await page.listenToWork();
  assert.deepEqual(await listener.next(), { operations: [] });
  const beganMs = Date.now();
  const { operation_id } = (await importLarge("?async=true")).body;
  const [begun] = await reportWith(listener, (operations) => !isIdle(operations));
  const { progress, since, ...others } = begun;
  assert.deepEqual(others, {
    id: operation_id,
    path: "/v1/scene/model/import/",
    scene_ids: [scene_id],
    title: "Import",
    stage: null,
    can_cancel: true,
  });
  assert.ok(progress >= 0 && progress < 1);
  assert.ok(Date.parse(since) >= beganMs && Date.parse(since) <= Date.now());
  await reportWith(listener, isIdle);
  await listener.stop();
});

test("the steps of a scene tell on which of them an operation works, and come alone as well", async () => {
  const { operation_id } = (await importLarge("?async=true")).body;
  const { version, steps } = await page.scene(scene_id);
  const [parts] = steps;
  assert.deepEqual([parts.step, parts.state, parts.text], ["PARTS", "RUNNING", "Import"]);
  const alone = await page.get(`/ui/scene/${scene_id}/steps/`);
  assert.deepEqual(await alone.json(), { version, steps });
  await post("/v1/operation/cancel/", { operations: [operation_id] });
  const [after] = (await page.scene(scene_id)).steps;
  assert.deepEqual([after.step, after.state], ["PARTS", "DONE"]);
  const { fields } = (await (await page.get(`/ui/scene/${scene_id}/defaults/`)).json()) as PageDefaults;
  assert.deepEqual(Object.keys(fields), ["/v1/scene/model/auto-support/"]);
});

test("a cancelled operation is no longer reported", async () => {
  const listener = await page.listenToWork();
  const { operation_id } = (await importLarge("?async=true")).body;
  await reportWith(listener, (operations) => !isIdle(operations));
  assert.equal((await post("/v1/operation/cancel/", { operations: [operation_id] })).status, 200);
  await reportWith(listener, isIdle);
  await listener.stop();
});

/** A request as the watch sees it. */
const request = (changes: Partial<RunningRequest>): RunningRequest =>
  ({
    id: newId(),
    path: "/v1/scene/check/",
    sceneIds: [UNKNOWN_ID],
    title: "Check",
    started: new Date(),
    state: newTaskState(),
    stage: () => undefined,
    stageTitles: () => [],
    isOperation: true,
    ...changes,
  }) as Partial<RunningRequest> as RunningRequest;

/** The running requests, the watch over them, and its reports from now on. */
function watched() {
  const unanswered = newRunningRequests();
  const work = newWorkWatch({ unanswered });
  let wake = (): void => {};
  const stop = work.watch(() => wake());
  const nextReport = async (): Promise<readonly PageOperation[]> => {
    await new Promise<void>((resolve) => (wake = resolve));
    return work.now().operations;
  };
  return { unanswered, work, nextReport, stop };
}

test("a page that is opened sees what runs, and each report has the stage and the progress of then", async () => {
  const { unanswered, work, nextReport, stop } = watched();
  let stage: Stage | undefined;
  const one = request({ stage: () => stage });
  unanswered.add(one);
  assert.deepEqual(
    (await nextReport()).map(({ id, stage }) => [id, stage]),
    [[one.id, null]],
  );
  stage = { title: "Supporting", index: 2, count: 4 };
  taskProgress(one.state).report(0.25);
  unanswered.notify();
  assert.deepEqual(
    (await nextReport()).map(({ progress, stage }) => [progress, stage]),
    [[0.25, stage]],
  );
  // Nothing is notified: this report comes by itself.
  taskProgress(one.state).report(0.5);
  assert.deepEqual(
    (await nextReport()).map(({ progress }) => progress),
    [0.5],
  );
  assert.equal(work.now().operations.length, 1);
  unanswered.delete(one);
  assert.deepEqual(await nextReport(), []);
  stop();
});

test("a synchronous request is reported once it has taken long, and cannot be cancelled", async () => {
  const { unanswered, nextReport, work, stop } = watched();
  const [quick, slow] = [request({ isOperation: false }), request({ isOperation: false })];
  unanswered.add(quick);
  unanswered.add(slow);
  assert.deepEqual(work.now().operations, []);
  unanswered.delete(quick);
  assert.deepEqual(
    (await nextReport()).map(({ id, can_cancel }) => [id, can_cancel]),
    [[slow.id, false]],
  );
  unanswered.delete(slow);
  assert.deepEqual(await nextReport(), []);
  stop();
});

test("a report has the hundred oldest of many requests", () => {
  const { unanswered, work, stop } = watched();
  const many = Array.from({ length: 150 }, () => request({}));
  for (const one of many) unanswered.add(one);
  assert.deepEqual(
    work.now().operations.map(({ id }) => id),
    many.slice(0, 100).map(({ id }) => id),
  );
  stop();
});
