import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { perFacet } from "../../src/feature/facet-memory.ts";
import { taskNamed } from "../../src/feature/tasks.ts";
import { noProgress } from "../../src/core/progress.ts";
import { bySize } from "../../src/worker/expected-time.ts";
import { type Task, defineTask, phase, phaseOfEachItem, phaseOfItems } from "../../src/worker/task.ts";

const FEATURES = new URL("../../src/feature/", import.meta.url);

test("threads know every task of the features by the name of its constant", async () => {
  const files = readdirSync(fileURLToPath(FEATURES), { recursive: true, encoding: "utf8" });
  const declarations = files.filter((file) => file.endsWith("task.ts"));
  assert.ok(declarations.length > 15);
  for (const file of declarations) {
    const exported: Record<string, unknown> = await import(new URL(file.replaceAll("\\", "/"), FEATURES).href);
    const tasks = Object.entries(exported).filter(([, value]) => typeof value === "object");
    assert.ok(tasks.length > 0, file);
    for (const [name, task] of tasks) assert.equal(taskNamed(name), task, `${name} of ${file}`);
  }
});

const echo = async () => (input: number) => input + 1;
const REST = { memory: "small", repeatable: true, transfer: "copy", expectedMs: bySize } as const;

test("a task covers its share of the progress of the request or of its item", async () => {
  const partsOf = async (task: Task<never, unknown>, input: unknown): Promise<[number, number]> => {
    let [from, to] = [0, 1];
    const progress = {
      ...noProgress,
      part(a: number, b: number) {
        [from, to] = [from + a * (to - from), from + b * (to - from)];
        return progress;
      },
    };
    assert.equal(await task.run(input as never, progress), 42);
    return [from, to];
  };
  const item = { input: 41, index: 1, count: 2 };
  const define = { name: "echo", load: echo, ...REST } as const;
  assert.deepEqual(await partsOf(defineTask({ ...define, progress: "whole" }), 41), [0, 1]);
  assert.deepEqual(await partsOf(defineTask({ ...define, progress: phase(0.5, 1) }), 41), [0.5, 1]);
  assert.deepEqual(await partsOf(defineTask({ ...define, progress: "items" }), item), [0.5, 1]);
  assert.deepEqual(await partsOf(defineTask({ ...define, progress: phaseOfItems(0, 0.5) }), item), [0.25, 0.5]);
  assert.deepEqual(await partsOf(defineTask({ ...define, progress: phaseOfEachItem(0, 0.5) }), item), [0.5, 0.75]);
});

test("a task that does not state its memory does not compile", () => {
  const { memory: _, ...rest } = REST;
  // @ts-expect-error: `memory` is missing.
  assert.ok(defineTask({ name: "echo", load: echo, progress: "whole", ...rest }));
  // @ts-expect-error: the memory is that of another input.
  assert.ok(defineTask({ name: "echo", load: echo, progress: "whole", ...REST, memory: perFacet(10) }));
});
