import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cancelTask,
  CancelledError,
  newTaskState,
  noProgress,
  type Progress,
  STEPS_PER_REPORT,
  taskProgress,
} from "../../src/core/progress.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { type Mesh, type Surface, concatenateSurfaces, triangleCount } from "../../src/mesh/mesh.ts";
import { newRepairBudget } from "../../src/repair/repair-budget.ts";
import { repairGroups } from "../../src/repair/repair-groups.ts";
import { repair } from "../../src/repair/repair.ts";
import { repairWithoutRemeshing } from "../../src/repair/repair-without-remeshing.ts";
import { knot } from "../fixture/assembly.ts";
import { CROSSING } from "../fixture/crossing.ts";
import { longTest } from "../fixture/long.ts";
import { box } from "../fixture/shapes.ts";
import { moved } from "../fixture/surface-edits.ts";

const meshOf = (...surfaces: Surface[]): Mesh => canonicalMesh(concatenateSurfaces(surfaces), 1, noProgress);
const cube = box([10, 10, 10]);
const pair = [moved(cube, [0, 0, 60]), moved(cube, [4, 3, 62])];
const rods = [box([100, 2, 2]), moved(box([2, 2, 6]), [40, 0.5, -2])];

/** Work that reports `count` times and counts the reports that did not throw. */
function reporting(
  count: number,
  steps?: number,
): { readonly work: (progress: Progress) => string; done: () => number } {
  let done = 0;
  const work = (progress: Progress): string => {
    const part = progress.part(0, 0.5).silent().part(0, 1);
    for (; done < count; done++) part.report(done / count, steps);
    return "finished";
  };
  return { work, done: () => done };
}

test("an attempt ends at the report that exceeds its share, and later attempts get the remaining steps", async () => {
  const budget = newRepairBudget(100 * STEPS_PER_REPORT);
  assert.equal(await budget.attempt(0.4, noProgress, reporting(40).work), "finished");
  assert.equal(budget.isExceeded(), false);
  const half = reporting(1000, STEPS_PER_REPORT / 2);
  assert.equal(await budget.attempt(0.5, noProgress, half.work), undefined);
  assert.deepEqual([half.done(), budget.isExceeded()], [100, true]);
  const rest = reporting(1000);
  assert.equal(await budget.attempt(1, noProgress, rest.work), undefined);
  assert.equal(rest.done(), 10);
});

test("the error of an attempt that is cancelled or throws is passed on", async () => {
  const budget = newRepairBudget(100 * STEPS_PER_REPORT);
  const state = newTaskState();
  cancelTask(state);
  await assert.rejects(budget.attempt(1, taskProgress(state), reporting(1).work), CancelledError);
  await assert.rejects(
    budget.attempt(1, noProgress, () => Promise.reject(new RangeError("a fault"))),
    RangeError,
  );
  assert.equal(budget.isExceeded(), false);
});

/** The result of a repair with a bound, and the number of steps that it reported. */
async function bounded(
  mesh: Mesh,
  bound: { readonly maxSteps?: number } = {},
): Promise<[Awaited<ReturnType<typeof repair>>, number]> {
  let steps = 0;
  const counting: Progress = {
    report: (_, reported = STEPS_PER_REPORT) => (steps += reported),
    part: () => counting,
    silent: () => counting,
  };
  return [await repair(mesh, counting, bound), steps];
}

longTest(
  "a repair that runs out of steps reports it, changes nothing, and ends after the same steps each time",
  async () => {
    const [first, steps] = await bounded(meshOf(...rods), { maxSteps: 1 });
    const mesh = meshOf(...rods);
    const [again, stepsAgain] = await bounded(mesh, { maxSteps: 1 });
    assert.deepEqual([first.isClosedManifold, first.isOutOfSteps, again.isOutOfSteps], [false, true, true]);
    assert.equal(again.mesh, mesh);
    assert.equal(stepsAgain, steps);
    const [enough] = await bounded(mesh, { maxSteps: 1e9 });
    assert.deepEqual([enough.isClosedManifold, enough.isOutOfSteps], [true, undefined]);
  },
);

test("closed bodies that cannot be cut, with walls thinner than the voxels of a remesh, stay unchanged", async () => {
  const cross = meshOf(box([100, 0.02, 0.5]), box([100, 0.5, 0.02]));
  const enclosedMm3 = 100 * (2 * 0.02 * 0.5 - 0.02 ** 2);
  const { mesh, isClosedManifold, refused } = await repair(cross, noProgress, { maxSteps: 1 });
  assert.deepEqual([mesh, isClosedManifold], [cross, false]);
  assert.ok(Math.abs(refused!.enclosedMm3 / enclosedMm3 - 1) < 1e-3);
  assert.ok(Math.abs(refused!.remeshedMm3 / enclosedMm3 - 1) > 0.03);
  const enough = await repair(cross, noProgress);
  assert.ok(enough.isClosedManifold && Math.abs(enough.mesh.volumeMm3 / enclosedMm3 - 1) < 1e-3);
  assert.equal(enough.refused, undefined);
});

test("a group that takes too many steps leaves enough for the others, which are repaired exactly", async () => {
  const budget = newRepairBudget(1600 * STEPS_PER_REPORT);
  await budget.attempt(0.7, noProgress, reporting(Infinity).work);
  const large = knot(80, 10);
  const { sound, broken } = await repairGroups(meshOf(large, ...pair), budget, noProgress);
  const exact = await repairWithoutRemeshing(meshOf(...pair), noProgress);
  assert.deepEqual([meshOf(sound).hash, meshOf(broken).hash], [exact?.hash, meshOf(large).hash]);
});

longTest(
  "a repair takes no more steps than its bound, except for its check and a remesh, and reports that it was ended",
  async () => {
    const [, make] = CROSSING[0];
    const mesh = meshOf(make());
    const [{ isOutOfSteps, isClosedManifold }, steps] = await bounded(mesh);
    assert.deepEqual([isOutOfSteps, isClosedManifold], [true, false]);
    // 12 s and 100 µs for each facet. Checks and the remesh take a tenth of that.
    const boundMs = 12_000 + 0.1 * triangleCount(mesh);
    assert.ok(steps < 1.1 * boundMs * STEPS_PER_REPORT && steps > 0.5 * boundMs * STEPS_PER_REPORT, `${steps}`);
  },
);
