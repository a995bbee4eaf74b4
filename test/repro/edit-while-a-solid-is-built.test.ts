import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { RequestContext } from "../../src/api/endpoint.ts";
import { computeChunks } from "../../src/feature/chunk-tasks.ts";
import { BackgroundSolids } from "../../src/feature/support-preview/background-solids.ts";

// The server ended with an unhandled rejection where an edit of support points came while the solid of the edit before was built in chunks.

test("an edit that comes while a solid is built in chunks stops it and nothing else", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  const solids = new BackgroundSolids(0);
  const ran: number[] = [];
  const context = {
    async compute(_task: unknown, chunk: number) {
      ran.push(chunk);
      await sleep(1);
      if (chunk === 1) solids.stop("model");
    },
    tasksAtOnce: () => 1,
  } as unknown as RequestContext;
  // Work in the background keeps no process alive.
  const alive = setInterval(() => {}, 1000);
  await solids.start("model", context, (background) =>
    Array.fromAsync(computeChunks({} as never, { count: 4, inputOf: (chunk) => chunk, workMs: 1 }, background)),
  );
  await sleep(5);
  clearInterval(alive);
  process.off("unhandledRejection", note);
  assert.deepEqual(ran, [0, 1]);
  assert.deepEqual(unhandled, []);
});
