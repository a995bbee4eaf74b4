import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openSqliteQueue } from "../../src/farm/queue/sqlite-queue.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { RESIN, type TestServer, UNKNOWN_ID, bodyOf, codeOf, openTestServer } from "../fixture/test-server.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

const STEPS = [
  { name: "plate", request: "scene/create", body: RESIN },
  { request: "scene/model/import", body: { scene_id: { $: "plate.scene_id" }, file: "part.stl" } },
  { request: "scene/save", body: { scene_ids: [{ $: "plate.scene_id" }], file: "plate.form" } },
];

test("jobs of workers are submitted, listed, described, cancelled and run again", async () => {
  const ask = (what: string, body: object) => server.printwright.post(`/v1/job/${what}/`, body);
  server.file("part.stl", binaryStl(box([5, 5, 5])));
  const due = "2031-02-03T04:05:06.000Z";
  const request = { steps: STEPS, folder: server.folder, group: "order 7", due, priority: 4 };
  const { job_id, is_new } = bodyOf(await ask("submit", request));
  assert.equal(is_new, true);
  assert.deepEqual(bodyOf(await ask("submit", request)), { job_id, is_new: false });
  const again = bodyOf(await ask("submit", { ...request, again: true }));
  assert.notEqual(again.job_id, job_id);

  const { jobs } = bodyOf(await ask("list", { group: "order 7", state: "ready" }));
  assert.deepEqual(
    jobs.map(({ id }: { id: string }) => id),
    [again.job_id, job_id],
  );
  const job = bodyOf(await ask("get", { job_id }));
  assert.deepEqual(
    [job.lane, job.state, job.priority, job.due, job.group, job.attempt, job.max_attempts],
    ["plate", "ready", 4, due, "order 7", 0, 3],
  );
  assert.equal(bodyOf(await ask("cancel", { job_id })).state, "cancelled");
  assert.equal(bodyOf(await ask("retry", { job_id })).state, "ready");
  assert.equal(codeOf(await ask("retry", { job_id })), "OPERATION_FAILED");
  assert.equal(bodyOf(await ask("list", {})).jobs.length, 2);

  const refused: [object, string][] = [
    [{ ...request, folder: "orders" }, "INPUT_ERROR"],
    [{ ...request, inputs: { "part.stl": "part.stl" } }, "INPUT_ERROR"],
    [{ ...request, folder: join(server.folder, "nowhere") }, "INPUT_ERROR"],
    [{ ...request, steps: [{ request: "scene/creat" }] }, "NOT_FOUND"],
    [{ ...request, steps: [{ request: "scene/create", body: { machine_type: 7 } }] }, "INPUT_ERROR"],
    [{ ...request, steps: [{ request: "scene/save", body: { scene_ids: [], file: "../x.form" } }] }, "INPUT_ERROR"],
    [{ ...request, due: "tomorrow" }, "JSON_SCHEMA_MATCH_ERROR"],
  ];
  for (const [body, code] of refused) assert.equal(codeOf(await ask("submit", body)), code, JSON.stringify(body));
  for (const what of ["get", "cancel", "retry"])
    assert.equal(codeOf(await ask(what, { job_id: UNKNOWN_ID })), "NOT_FOUND");
  assert.equal(bodyOf(await ask("list", {})).jobs.length, 2);
});

test("workers see what the server submits", async () => {
  const queue = await openSqliteQueue(server.queue);
  const claimed = await queue.claim("w", { plate: 5, quote: 5 });
  const { jobs } = bodyOf(await server.printwright.post("/v1/job/list/", { state: "running" }));
  assert.deepEqual(jobs.map(({ id }: { id: string }) => id).sort(), claimed.map(({ id }) => id).sort());
  assert.equal(claimed.length, 2);
  const [first] = claimed;
  assert.ok(first);
  await queue.finish(first, { outputs: {}, seconds: 1 });
  const done = bodyOf(await server.printwright.post("/v1/job/get/", { job_id: first.id }));
  assert.deepEqual([done.state, done.result, done.worker], ["done", { outputs: {}, seconds: 1 }, "w"]);
  await queue.close();
});
