import assert from "node:assert/strict";
import { test } from "node:test";
import { type OperationRecords, type RunningOperation, newOperationRecords } from "../../src/api/operation-records.ts";
import { ApiError, type ErrorCode, operationFailed } from "../../src/core/api-error.ts";
import { newId } from "../../src/core/id.ts";
import { newTaskState, taskProgress } from "../../src/core/progress.ts";
import { UNKNOWN_ID, UUID } from "../fixture/test-server.ts";

// Interface, "Operation status" and "Operation endpoints"; supplement, section 1, "Operations".

const hasCode =
  (code: ErrorCode) =>
  (thrown: unknown): boolean =>
    thrown instanceof ApiError && thrown.code === code;
const idsOf = (records: OperationRecords): string[] => records.list([]).map(({ id }) => id);

const STARTED = "2026-02-03T04:05:06.789Z";

/** An operation on one scene. */
const operation = (changes: Partial<RunningOperation> = {}): RunningOperation => ({
  id: newId(),
  path: "/v1/scene/model/auto-support/",
  sceneIds: [UNKNOWN_ID],
  title: "Generate supports",
  started: new Date(STARTED),
  state: newTaskState(),
  stage: () => undefined,
  cancel() {},
  ...changes,
});

/** What the records say of {@link operation} apart from its id and its end. */
const DESCRIBED = {
  path: "/v1/scene/model/auto-support/",
  scene_ids: [UNKNOWN_ID],
  title: "Generate supports",
  stage: null,
  started: STARTED,
};

/** Records of `count` operations, the first ones first. */
const begun = (records: OperationRecords, count: number): string[] =>
  Array.from({ length: count }, () => records.begin(operation()));

test("a new operation is in progress, without a result", () => {
  const records = newOperationRecords();
  const [id] = begun(records, 1);
  assert.match(id, UUID);
  assert.deepEqual(records.get(id, false), { id, status: "IN_PROGRESS", progress: 0, result: undefined, ...DESCRIBED });
});

test("the progress of an operation is that of its running job, and never 1", () => {
  const records = newOperationRecords();
  const state = newTaskState();
  const id = records.begin(operation({ state }));
  taskProgress(state).report(0.5);
  assert.equal(records.get(id, false).progress, 0.5);
  taskProgress(state).report(1);
  const { progress } = records.get(id, false);
  assert.ok(progress > 0.99 && progress < 1, `${progress}`);
});

test("a success has progress 1, whatever the task reported, and the reply as its result", () => {
  const records = newOperationRecords();
  const [one, bodiless] = begun(records, 2);
  records.succeed(one, { new_models: [] });
  records.succeed(bodiless, undefined);
  assert.deepEqual(records.get(one, false), {
    id: one,
    status: "SUCCEEDED",
    progress: 1,
    result: { new_models: [] },
    ...DESCRIBED,
  });
  assert.equal(records.get(bodiless, false).result, undefined);
});

test("failure has the error envelope as its result and keeps the progress made, below 1", () => {
  const records = newOperationRecords();
  const states = [newTaskState(), newTaskState()];
  const [half, whole] = states.map((state) => records.begin(operation({ state })));
  taskProgress(states[0]).report(0.5);
  taskProgress(states[1]).report(1);
  for (const id of [half, whole]) records.fail(id, operationFailed("why"));
  const result = { error: { code: "OPERATION_FAILED", message: "why" } };
  assert.deepEqual(records.get(half, false), { id: half, status: "FAILED", progress: 0.5, result, ...DESCRIBED });
  assert.ok(records.get(whole, false).progress < 1);
});

test("a finished record can be read once with oneshot, any number of times without", () => {
  const records = newOperationRecords();
  const [done, failed, running] = begun(records, 3);
  records.succeed(done, { a: 1 });
  records.fail(failed, operationFailed("why"));
  for (const id of [done, failed]) {
    const record = records.get(id, false);
    assert.deepEqual(records.get(id, false), record);
    assert.deepEqual(records.get(id, true), record);
    assert.throws(() => records.get(id, true), hasCode("NOT_FOUND"));
  }
  for (const once of [true, true, false]) assert.equal(records.get(running, once).status, "IN_PROGRESS");
});

test("ids are accepted in any case, with or without braces; unknown and malformed ids are NOT_FOUND", () => {
  const records = newOperationRecords();
  const [id] = begun(records, 1);
  for (const spelt of [id, `{${id}}`, id.toUpperCase()]) {
    assert.equal(records.get(spelt, false).id, id);
    assert.deepEqual(
      records.list([spelt]).map((one) => one.id),
      [id],
    );
  }
  for (const wrong of [UNKNOWN_ID, "", "no id"]) {
    assert.throws(() => records.get(wrong, false), hasCode("NOT_FOUND"));
    assert.throws(() => records.list([id, wrong]), hasCode("NOT_FOUND"));
    assert.throws(() => records.remove([wrong]), hasCode("NOT_FOUND"));
  }
});

test("a list has the named operations, each once in the given order, or all of them, oldest first; results are left out", () => {
  const records = newOperationRecords();
  const ids = begun(records, 4);
  records.succeed(ids[2], { a: 1 });
  assert.deepEqual(idsOf(records), ids);
  assert.deepEqual(records.list([ids[2], ids[0], ids[2]]), [
    { id: ids[2], status: "SUCCEEDED", progress: 1, ...DESCRIBED },
    { id: ids[0], status: "IN_PROGRESS", progress: 0, ...DESCRIBED },
  ]);
});

test("remove removes all named records, or none", () => {
  const records = newOperationRecords();
  const ids = begun(records, 4);
  for (const id of ids.slice(0, 3)) records.succeed(id, undefined);
  assert.throws(() => records.remove([ids[0], ids[3]]), hasCode("OPERATION_IN_PROGRESS"));
  assert.throws(() => records.remove([ids[0], UNKNOWN_ID]), hasCode("NOT_FOUND"));
  assert.throws(() => records.remove([ids[3], UNKNOWN_ID]), hasCode("NOT_FOUND"));
  assert.deepEqual(idsOf(records), ids);
  records.remove([ids[0], `{${ids[0]}}`, ids[2]]);
  assert.deepEqual(idsOf(records), [ids[1], ids[3]]);
});

test("the records that finished last are kept, and all running ones", () => {
  const records = newOperationRecords(3);
  const ids = begun(records, 8);
  for (const i of [6, 0, 5, 1, 4]) records.succeed(ids[i], undefined);
  assert.deepEqual(
    idsOf(records),
    [1, 2, 3, 4, 5, 7].map((i) => ids[i]),
  );
  assert.throws(() => records.get(ids[6], false), hasCode("NOT_FOUND"));
  records.fail(ids[7], operationFailed("why"));
  assert.deepEqual(
    idsOf(records),
    [1, 2, 3, 4, 7].map((i) => ids[i]),
  );
});

test("records that were read with oneshot or removed make room for others", () => {
  const records = newOperationRecords(2);
  const ids = begun(records, 4);
  for (const id of ids.slice(0, 2)) records.succeed(id, undefined);
  records.get(ids[0], true);
  records.succeed(ids[2], undefined);
  assert.deepEqual(idsOf(records), ids.slice(1));
  records.remove([ids[1]]);
  records.succeed(ids[3], undefined);
  assert.deepEqual(idsOf(records), ids.slice(2));
});

test("10,000 finished records are kept", () => {
  const records = newOperationRecords();
  const ids = begun(records, 10_001);
  for (const id of ids.slice(0, 10_000)) records.succeed(id, undefined);
  assert.equal(records.get(ids[0], false).status, "SUCCEEDED");
  records.succeed(ids[10_000], undefined);
  assert.throws(() => records.get(ids[0], false), hasCode("NOT_FOUND"));
  assert.equal(records.list([]).length, 10_000);
});

test("cancel asks each running operation once to end, and leaves ended ones unchanged", () => {
  const records = newOperationRecords();
  const cancelled: string[] = [];
  const begin = (name: string): string =>
    records.begin(operation({ cancel: ({ code }) => void cancelled.push(`${name} ${code}`) }));
  const [running, ended, other] = [begin("running"), begin("ended"), begin("other")];
  records.succeed(ended, { done: 1 });
  records.cancel([running, ended, running]);
  assert.deepEqual(cancelled, ["running OPERATION_CANCELLED"]);
  assert.equal(records.get(ended, false).status, "SUCCEEDED");
  assert.throws(() => records.cancel([other, UNKNOWN_ID]), hasCode("NOT_FOUND"));
  assert.equal(cancelled.length, 1);
});

test("a record has the present stage, and the last one after the end", () => {
  const records = newOperationRecords();
  const stages = [
    { title: "Orienting", index: 1, count: 2 },
    { title: "Supporting", index: 2, count: 2 },
  ];
  let [stage] = stages;
  const id = records.begin(operation({ stage: () => stage }));
  assert.deepEqual(records.get(id, false).stage, stages[0]);
  [, stage] = stages;
  assert.deepEqual(records.list([id])[0].stage, stages[1]);
  records.succeed(id, undefined);
  assert.deepEqual(records.get(id, false).stage, stages[1]);
});
