import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type RunningServer, startServer } from "../../src/server.ts";
import type { PageOperation, PageWork } from "../../src/ui/replies.ts";
import { bumpySphere } from "../bench/models.ts";
import { type Reply, call } from "../fixture/client.ts";
import { type EventListener, type PageClient, pageClient } from "../fixture/page-client.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { RESIN, bodyOf } from "../fixture/test-server.ts";

// Events about running requests, which each page gets for those of all clients.

const file = temporaryFiles();
/** Its import takes more than twice the time after which synchronous requests are shown. */
const LARGE = file("large.stl", binaryStl(bumpySphere(400_000)));

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

test("each page sees an operation of another client at once, its progress and end, and other requests if they take long", async () => {
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
  assert.ok(Date.parse(since) >= beganMs && Date.parse(since) <= Date.now());
  // A page that is opened meanwhile sees it in its first event.
  const late = await page.listenToWork();
  assert.deepEqual(
    (await late.next()).operations.map(({ id }) => id),
    [operation_id],
  );
  await late.stop();
  // A synchronous request waits behind it long enough to be reported; one that is answered quickly is not.
  bodyOf(await post("/v1/scene/get/", { scene_id }));
  const moving = post("/v1/scene/model/translate/", { scene_id, position: { x: 1, y: 0, z: 0 } });
  const [same, other, ...more] = await reportWith(listener, ({ length }) => length !== 1);
  assert.deepEqual(
    [same?.id, other?.path, other?.can_cancel, more],
    [operation_id, "/v1/scene/model/translate/", false, []],
  );
  assert.ok(same.progress > progress);
  bodyOf(await moving);
  await reportWith(listener, isIdle);
  await listener.stop();
});

test("a cancelled operation is no longer reported", async () => {
  const listener = await page.listenToWork();
  const { operation_id } = (await importLarge("?async=true")).body;
  await reportWith(listener, (operations) => !isIdle(operations));
  assert.equal((await post("/v1/operation/cancel/", { operations: [operation_id] })).status, 200);
  await reportWith(listener, isIdle);
  await listener.stop();
});
