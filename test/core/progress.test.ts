import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { fc } from "../fixture/property.ts";
import {
  CancelledError,
  type Progress,
  askToYield,
  cancelTask,
  isCancelled,
  newTaskState,
  newYieldFlag,
  noProgress,
  readProgress,
  taskProgress,
} from "../../src/core/progress.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyNumber = fc.oneof(share, fc.double({ min: -2, max: 2 }));
const part = fc.tuple(share, share).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

/** Progress is counted in millionths, rounded down; parts of parts round twice. */
const STEP = 1e-6;
const ROUNDING = 1e-12;

test("a new task has no progress and is not cancelled", () => {
  const state = newTaskState();
  assert.deepEqual([readProgress(state), isCancelled(state)], [0, false]);
});

test("a reported share is the progress of the task, to a millionth", () => {
  fc.assert(
    fc.property(share, (done) => {
      const state = newTaskState();
      taskProgress(state).report(done);
      assert.ok(readProgress(state) <= done && readProgress(state) > done - STEP - ROUNDING, `${readProgress(state)}`);
    }),
  );
});

test("progress never decreases and stays within 0 and 1 for any report", () => {
  fc.assert(
    fc.property(fc.array(anyNumber, { maxLength: 20 }), part, (reports, [from, to]) => {
      const state = newTaskState();
      const reporter = taskProgress(state, from, to);
      let last = 0;
      for (const done of reports) {
        reporter.report(done);
        const progress = readProgress(state);
        assert.ok(progress >= last && progress <= to, `${progress} after ${last}, up to ${to}`);
        last = progress;
      }
    }),
  );
});

test("a part maps its 0 to 1 to its share of the whole, at any depth", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), share, (parts, done) => {
      const state = newTaskState();
      parts.reduce<Progress>((progress, [from, to]) => progress.part(from, to), taskProgress(state)).report(done);
      const expected = parts.reduceRight((inner, [from, to]) => from + (to - from) * inner, done);
      assert.ok(
        Math.abs(readProgress(state) - expected) <= STEP + ROUNDING,
        `${readProgress(state)} is not ${expected}`,
      );
    }),
  );
});

test("after a cancel every report of every part throws CancelledError and changes nothing", () => {
  const state = newTaskState();
  const progress = taskProgress(state);
  progress.report(0.25);
  cancelTask(state);
  assert.equal(isCancelled(state), true);
  const parts = [
    progress.part(0, 0.5),
    progress.part(0.5, 1).part(0, 1),
    progress.silent(),
    progress.silent().part(0, 1),
  ];
  for (const one of [progress, ...parts, taskProgress(state)]) {
    assert.throws(() => one.report(1), CancelledError);
  }
  assert.equal(readProgress(state), 0.25);
});

test("tasks are independent of each other", () => {
  const [one, other] = [newTaskState(), newTaskState()];
  taskProgress(one).report(0.5);
  cancelTask(one);
  assert.deepEqual([readProgress(other), isCancelled(other)], [0, false]);
  taskProgress(other).report(0.125);
  assert.deepEqual([readProgress(one), readProgress(other)], [0.5, 0.125]);
});

test("the state is in shared memory: another view of it cancels and reads progress", () => {
  const state = newTaskState();
  assert.ok(state.buffer instanceof SharedArrayBuffer);
  const elsewhere = new Int32Array(state.buffer);
  taskProgress(state).report(0.5);
  assert.equal(readProgress(elsewhere), 0.5);
  cancelTask(elsewhere);
  assert.throws(() => taskProgress(state).report(0.75), CancelledError);
});

test("silent work reports nothing", () => {
  const state = newTaskState();
  const progress = taskProgress(state, 0.5, 1);
  progress.silent().report(1);
  progress.silent().part(0, 1).report(1);
  assert.equal(readProgress(state), 0);
});

test("without a task nothing throws", () => {
  noProgress.report(1);
  noProgress.part(0, 0.5).part(0.5, 1).report(Number.NaN);
});

test("if a task is both cancelled and committed, the first of the two counts", () => {
  const [cancelled, committed] = [newTaskState(), newTaskState()];
  assert.equal(cancelTask(cancelled), true);
  assert.throws(() => taskProgress(cancelled).commit(), CancelledError);
  assert.equal(isCancelled(cancelled), true);
  taskProgress(committed).commit();
  assert.equal(cancelTask(committed), false);
  taskProgress(committed).report(1);
  assert.equal(isCancelled(committed), false);
});

test("a task that is asked to yield ends at its next report, also in its parts, and its request is not cancelled", () => {
  const [state, flag] = [newTaskState(), newYieldFlag()];
  const progress = taskProgress(state, 0, 1, flag);
  progress.part(0, 0.5).report(0.5);
  askToYield(flag);
  for (const asked of [progress, progress.part(0, 0.5), progress.silent()]) {
    assert.throws(() => asked.report(1), CancelledError);
  }
  assert.throws(() => progress.commit(), CancelledError);
  assert.equal(isCancelled(state), false);
});

test("a report does not lower what another thread reports at the same time", () => {
  const load = Atomics.load;
  for (let step = 0; step < 10; step++) {
    const state = newTaskState();
    // The other thread reports after this step.
    let steps = 0;
    const loading = mock.method(Atomics, "load", (array: Int32Array, index: number): number => {
      const value = load(array, index);
      if (steps++ === step) taskProgress(state).report(0.8);
      return value;
    });
    taskProgress(state).report(0.5);
    loading.mock.restore();
    assert.equal(readProgress(state), step < steps ? 0.8 : 0.5);
  }
});
