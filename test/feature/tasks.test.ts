import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { perFacet } from "../../src/feature/facet-memory.ts";
import { checkGroupTask } from "../../src/feature/check/task.ts";
import { hollowModelTask } from "../../src/feature/hollow/task.ts";
import { taskNamed } from "../../src/feature/tasks.ts";
import { noProgress } from "../../src/core/progress.ts";
import { runAtOnce } from "../../src/core/steps.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { checkGroups } from "../../src/scene/check-groups.ts";
import { planHollow } from "../../src/solid/hollow/hollow-plan.ts";
import { taskBytes } from "../../src/worker/task-memory.ts";
import { bySize } from "../../src/worker/expected-time.ts";
import { type Task, defineTask, phase, phaseOfEachItem, phaseOfItems } from "../../src/worker/task.ts";
import { checkRequest, modelBody } from "../fixture/check-request.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { subdivided } from "../fixture/surface-edits.ts";

const FEATURES = new URL("../../src/feature/", import.meta.url);

test("threads find every task of the features by the name of its constant", async () => {
  const files = readdirSync(fileURLToPath(FEATURES), { recursive: true, encoding: "utf8" });
  const declarations = files.filter((file) => file.endsWith("task.ts"));
  assert.ok(declarations.length > 15);
  for (const file of declarations) {
    const exported: Record<string, unknown> = await import(new URL(file.replaceAll("\\", "/"), FEATURES).href);
    const tasks = Object.entries(exported).filter(([, value]) => typeof value === "object");
    assert.ok(tasks.length > 0, file);
    for (const [constant, task] of tasks) {
      const { name } = task as Task<never, unknown>;
      assert.equal(constant, `${name}Task`, file);
      assert.equal(taskNamed(name), task, `${name} of ${file}`);
    }
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

test("a check of a group claims memory by its facets, and for overhangs also by its area", async () => {
  const claimsOf = async (surface: Surface): Promise<number[]> => {
    const [{ centred: group }] = runAtOnce(checkGroups(checkRequest([modelBody(0, meshOf(surface))]), 0.1));
    const angles = { selfSupportingAngleDeg: 45, bridgingDistanceMm: 5 };
    return [
      Number(await taskBytes(checkGroupTask, { check: "CUPS", group })),
      Number(await taskBytes(checkGroupTask, { check: "SUPPORTEDNESS", group, ...angles })),
    ];
  };
  const [cups, overhangs] = await claimsOf(box([20, 10, 1]));
  const [wideCups, wideOverhangs] = await claimsOf(box([40, 30, 1]));
  const [fineCups, fineOverhangs] = await claimsOf(subdivided(box([20, 10, 1])));
  assert.equal(wideCups, cups);
  // The area is 1000 mm² larger, in pixels of 0.1 mm.
  assert.ok(Math.abs(wideOverhangs - overhangs - 220 * 1e5) < 1);
  assert.ok(fineCups > cups && fineOverhangs > overhangs);
});

test("a task that does not state its memory does not compile", () => {
  const { memory: _, ...rest } = REST;
  // @ts-expect-error: `memory` is missing.
  assert.ok(defineTask({ name: "echo", load: echo, progress: "whole", ...rest }));
  // @ts-expect-error: the memory is that of another input.
  assert.ok(defineTask({ name: "echo", load: echo, progress: "whole", ...REST, memory: perFacet(10) }));
});

test("the last step of a hollow also claims memory for the facets of the cavity", async () => {
  const mesh = meshOf(box([20, 20, 20]));
  const plan = planHollow({ mesh, scale: 1, wallMm: 2, featureMm: 1, accuracy: 0 }, noProgress);
  const bytesWith = async (cavity: Surface[]): Promise<number> =>
    Number(
      await taskBytes(hollowModelTask, {
        input: { plan, surfaces: cavity.map((surface) => ({ surface, low: 0, high: 0 })), holes: [] },
        index: 0,
        count: 1,
      }),
    );
  const facets = 5000;
  const surface = { vertices: new Float64Array(9), triangles: new Uint32Array(3 * facets) };
  assert.ok((await bytesWith([surface])) - (await bytesWith([])) >= 200 * facets);
});
