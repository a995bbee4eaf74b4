import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { longTest } from "../fixture/long.ts";
import { bumpySphere } from "../bench/models.ts";
import type { Reply } from "../fixture/client.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";

// Interface, "Operation status" and "Operation endpoints"; supplement, section 1: "?async=true", "Operations".

const folder = mkdtempSync(join(tmpdir(), "printwright-operations-"));
const small = join(folder, "small.stl");
const large = join(folder, "large.stl");
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

let printwright: Printwright;
let scene_id: string;
before(async () => {
  writeFileSync(small, binaryStl(box([10, 10, 10])));
  writeFileSync(large, binaryStl(bumpySphere(400_000)));
  printwright = await startPrintwright();
  scene_id = (await printwright.call("GET", "/v1/scene/list/")).body.scenes[0].id;
});
after(async () => {
  await printwright.stop();
  rmSync(folder, { recursive: true });
});

const importAsync = (file: string): Promise<Reply> =>
  printwright.post("/v1/scene/model/import/?async=true", { scene_id, file });
const get = (id: string, mode?: string): Promise<Reply> =>
  printwright.call("GET", `/v1/operation/get/?operation_id=${id}${mode === undefined ? "" : `&mode=${mode}`}`);
const codeOf = ({ body }: Reply): string => body.error.code;

async function finished(id: string): Promise<Reply["body"]> {
  for (;;) {
    const { body } = await get(id);
    if (body.status !== "IN_PROGRESS") return body;
    await sleep(5);
  }
}

test("a request with async=true answers 202 with the operation and its Location", async () => {
  const { status, body, headers } = await importAsync(small);
  assert.equal(status, 202);
  assert.match(body.operation_id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(body.operation_url, `/v1/operation/get/?operation_id=${body.operation_id}`);
  assert.equal(headers.location, body.operation_url);
  assert.equal(typeof body.message, "string");
  const byUrl = await printwright.call("GET", body.operation_url);
  assert.equal(byUrl.body.id, body.operation_id);
});

test("a finished operation has the reply of the endpoint, and progress 1", async () => {
  const operation = await finished((await importAsync(small)).body.operation_id);
  assert.equal(operation.status, "SUCCEEDED");
  assert.equal(operation.progress, 1);
  assert.equal(operation.result.new_models.length, 1);
  const { body } = await printwright.post("/v1/scene/model/list/", {
    scene_id,
    model_ids: [operation.result.new_models[0].model_id],
  });
  assert.equal(body.models[0].name, "small");
});

test("an operation has no result if the success of its endpoint has no body", async () => {
  const file = join(folder, "saved.form");
  const { body } = await printwright.post("/v1/scene/save/?async=true", { scene_ids: [scene_id], file });
  const operation = await finished(body.operation_id);
  assert.equal(operation.status, "SUCCEEDED");
  assert.ok(!("result" in operation));
});

test("a failed operation has the error envelope, and its progress is below 1", async () => {
  const operation = await finished((await importAsync(join(folder, "missing.stl"))).body.operation_id);
  assert.equal(operation.status, "FAILED");
  assert.equal(operation.result.error.code, "OPERATION_FAILED");
  assert.equal(typeof operation.result.error.message, "string");
  assert.ok(operation.progress < 1);
});

test("request errors and unknown scenes are reported at once, without an operation", async () => {
  const before = (await printwright.post("/v1/operation/list/")).body.count;
  const path = "/v1/scene/model/import/?async=true";
  assert.equal(codeOf(await printwright.post(path, undefined, { raw: "{" })), "JSON_PARSE_ERROR");
  assert.equal(
    codeOf(await printwright.post(path, { scene_id, file: small, units: "FEET" })),
    "JSON_SCHEMA_MATCH_ERROR",
  );
  assert.equal(codeOf(await printwright.post(path, { scene_id, file: "/a.form" })), "INPUT_ERROR");
  assert.equal(codeOf(await printwright.post(path, { scene_id: UNKNOWN, file: small })), "INPUT_ERROR");
  assert.equal((await printwright.post("/v1/operation/list/")).body.count, before);
});

longTest("the progress of the work rises, never falls, and is below 1 while the work runs", async () => {
  const { operation_id } = (await importAsync(large)).body;
  const seen: number[] = [];
  for (;;) {
    const { body } = await get(operation_id);
    if (body.status !== "IN_PROGRESS") break;
    assert.ok(!("result" in body));
    seen.push(body.progress);
    await sleep(5);
  }
  assert.deepEqual(
    seen,
    [...seen].sort((a, b) => a - b),
  );
  assert.ok(seen.every((progress) => progress >= 0 && progress < 1));
  assert.ok(new Set(seen).size >= 3, `saw ${[...new Set(seen)]}`);
});

test("persistent is the default mode: the record is kept", async () => {
  const { operation_id } = (await importAsync(small)).body;
  await finished(operation_id);
  for (const mode of [undefined, "persistent", undefined]) assert.equal((await get(operation_id, mode)).status, 200);
});

test("oneshot returns a finished record once and removes it", async () => {
  const { operation_id } = (await importAsync(small)).body;
  await finished(operation_id);
  const once = await get(operation_id, "oneshot");
  assert.equal(once.body.status, "SUCCEEDED");
  assert.ok(once.body.result);
  const again = await get(operation_id);
  assert.equal(again.status, 404);
  assert.equal(codeOf(again), "NOT_FOUND");
});

longTest("oneshot never removes a running operation", async () => {
  const { operation_id } = (await importAsync(large)).body;
  assert.equal((await get(operation_id, "oneshot")).body.status, "IN_PROGRESS");
  assert.equal((await get(operation_id)).status, 200);
  await finished(operation_id);
});

test("an operation id may have braces and any case", async () => {
  const { operation_id } = (await importAsync(small)).body;
  assert.equal((await get(`%7B${operation_id.toUpperCase()}%7D`)).body.id, operation_id);
});

test("operation/get has different errors for a missing id, a wrong mode and an unknown id", async () => {
  const missing = await printwright.call("GET", "/v1/operation/get/");
  assert.equal(missing.status, 400);
  assert.equal(codeOf(missing), "MISSING_QUERY_PARAMETER");
  assert.equal(codeOf(await get(UNKNOWN, "twice")), "INVALID_QUERY_PARAMETER");
  for (const id of [UNKNOWN, "no-uuid"]) {
    const reply = await get(id);
    assert.equal(reply.status, 404);
    assert.equal(codeOf(reply), "NOT_FOUND");
  }
});

test("operation/list counts and lists the named records, or all, without results", async () => {
  const ids = [(await importAsync(small)).body.operation_id, (await importAsync(small)).body.operation_id];
  await Promise.all(ids.map(finished));
  const named = (await printwright.post("/v1/operation/list/", { operations: [ids[1], ids[0], ids[1]] })).body;
  assert.equal(named.count, 2);
  assert.deepEqual(new Set(named.operations.map((one: { id: string }) => one.id)), new Set(ids));
  for (const { started, ...operation } of named.operations) {
    assert.match(started, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { id, ...others } = operation;
    assert.deepEqual(others, {
      status: "SUCCEEDED",
      progress: 1,
      path: "/v1/scene/model/import/",
      scene_ids: [scene_id],
      title: "Import",
      stage: null,
    });
    assert.ok(ids.includes(id));
  }
  for (const body of [undefined, {}, { operations: [] }]) {
    const all = (await printwright.post("/v1/operation/list/", body)).body;
    assert.equal(all.count, all.operations.length);
    assert.ok(all.count >= 2);
  }
});

test("operation/list answers NOT_FOUND when an id is unknown", async () => {
  for (const id of [UNKNOWN, "no-uuid"]) {
    const reply = await printwright.post("/v1/operation/list/", { operations: [id] });
    assert.equal(reply.status, 404);
    assert.equal(codeOf(reply), "NOT_FOUND");
  }
});

const remove = (body: object): Promise<Reply> => printwright.call("DELETE", "/v1/operation/delete/", body);

test("operation/delete removes finished records, with no body", async () => {
  const { operation_id } = (await importAsync(small)).body;
  await finished(operation_id);
  const reply = await remove({ operations: [operation_id] });
  assert.equal(reply.status, 200);
  assert.equal(reply.body, undefined);
  assert.equal((await get(operation_id)).status, 404);
});

test("operation/delete with one unknown id deletes nothing", async () => {
  const { operation_id } = (await importAsync(small)).body;
  await finished(operation_id);
  const reply = await remove({ operations: [operation_id, UNKNOWN] });
  assert.equal(reply.status, 404);
  assert.equal((await get(operation_id)).status, 200);
});

test("operation/delete of a running operation is refused with 409 and deletes nothing", async () => {
  const done = (await importAsync(small)).body.operation_id;
  await finished(done);
  const running = (await importAsync(large)).body.operation_id;
  const reply = await remove({ operations: [done, running] });
  assert.equal(reply.status, 409);
  assert.equal(codeOf(reply), "OPERATION_IN_PROGRESS");
  assert.equal((await get(done)).status, 200);
  assert.equal((await finished(running)).status, "SUCCEEDED");
});

test("operation/delete needs a non-empty array of strings", async () => {
  for (const body of [
    {},
    { operations: [] },
    { operations: "x" },
    { operations: [3] },
    { operations: [UNKNOWN], x: 1 },
  ]) {
    assert.equal(codeOf(await remove(body)), "JSON_SCHEMA_MATCH_ERROR", JSON.stringify(body));
  }
});

const cancel = (operations: readonly string[]): Promise<Reply> =>
  printwright.post("/v1/operation/cancel/", { operations });
const modelCount = async (): Promise<number> =>
  (await printwright.post("/v1/scene/model/list/", { scene_id })).body.models.length;

test("operation/cancel ends running and waiting operations: they are FAILED with OPERATION_CANCELLED and change nothing", async () => {
  const before = await modelCount();
  const [running, waiting] = [await importAsync(large), await importAsync(large)].map(({ body }) => body.operation_id);
  while ((await get(running)).body.progress === 0) await sleep(5);
  const reply = await cancel([running, waiting, running]);
  assert.equal(reply.status, 200);
  assert.equal(reply.body, undefined);
  for (const id of [running, waiting]) {
    const { status, progress, result } = (await get(id)).body;
    assert.deepEqual([status, result.error.code], ["FAILED", "OPERATION_CANCELLED"]);
    assert.ok(progress < 1);
  }
  // The scene is free again once the kernel has noticed the cancel.
  assert.equal((await finished((await importAsync(small)).body.operation_id)).status, "SUCCEEDED");
  assert.equal(await modelCount(), before + 1);
});

longTest("a cancelled save either leaves the old file, or has written the new one and succeeded", async () => {
  const file = join(folder, "raced.form");
  const outcomes = new Set<string>();
  // If no save was quick enough to succeed, later ones get more time.
  for (let wait = 0; wait < 40 || (wait < 5000 && !outcomes.has("SUCCEEDED")); wait = wait < 40 ? wait + 4 : 2 * wait) {
    writeFileSync(file, "old");
    const { body } = await printwright.post("/v1/scene/save/?async=true", { scene_ids: [scene_id], file });
    await sleep(wait);
    await cancel([body.operation_id]);
    const { status } = await finished(body.operation_id);
    // A cancelled save ends in the background.
    await printwright.post("/v1/scene/save/", { scene_ids: [scene_id], file: join(folder, "behind.form") });
    assert.equal(readFileSync(file, "utf8") === "old", status === "FAILED", `${status} after ${wait} ms`);
    outcomes.add(status);
  }
  assert.ok(outcomes.has("SUCCEEDED"), [...outcomes].join());
});

test("operation/cancel leaves ended operations unchanged, and cancels nothing if one id is unknown", async () => {
  const done = (await importAsync(small)).body.operation_id;
  await finished(done);
  const running = (await importAsync(large)).body.operation_id;
  const reply = await cancel([running, UNKNOWN]);
  assert.deepEqual([reply.status, codeOf(reply)], [404, "NOT_FOUND"]);
  assert.equal((await cancel([done])).status, 200);
  assert.equal((await get(done)).body.status, "SUCCEEDED");
  assert.equal((await finished(running)).status, "SUCCEEDED");
  assert.equal(codeOf(await cancel([])), "JSON_SCHEMA_MATCH_ERROR");
});
