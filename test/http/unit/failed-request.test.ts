import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ENDPOINTS } from "../../../src/feature/endpoints.ts";
import { inputError } from "../../../src/core/api-error.ts";
import type { TaskState } from "../../../src/core/progress.ts";
import { startRequest } from "../../../src/http/run-request.ts";
import { newPrintwright } from "../../../src/printwright.ts";

const printwright = newPrintwright({ maxScenes: 100, maxMemoryBytes: 2 ** 31, threads: 1 });
after(() => printwright.close());

test("after a request has failed, the remaining work of threads for it is cancelled", async () => {
  const { runner } = printwright;
  const cancelled: TaskState[] = [];
  const pool = { ...runner.server.pool, cancel: (state: TaskState) => void cancelled.push(state) };
  const failing = {
    ...ENDPOINTS[0],
    handle: async () => {
      throw inputError("One item of a batch is wrong.");
    },
  };
  const running = startRequest({ ...runner, server: { ...runner.server, pool } }, failing, {
    body: undefined,
    query: undefined,
  });
  await assert.rejects(running.answer, /One item/);
  assert.deepEqual(cancelled, [running.state]);
  const answering = startRequest({ ...runner, server: { ...runner.server, pool } }, ENDPOINTS[0], {
    body: undefined,
    query: undefined,
  });
  await answering.answer;
  assert.equal(cancelled.length, 1);
});
