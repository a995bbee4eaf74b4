import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  Cancelled, cancelJob, isCancelled, newJobState, progressOf, unwatched, watchJob,
} from "../../src/core/watch.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyNumber = fc.oneof(share, fc.double({ min: -2, max: 2 }));
const part = fc.tuple(share, share).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

/** Progress is counted in millionths, rounded down; parts of parts round twice. */
const STEP = 1e-6;
const ROUNDING = 1e-12;

test("a new job has made no progress and is not cancelled", () => {
  const state = newJobState();
  assert.deepEqual([progressOf(state), isCancelled(state)], [0, false]);
});

test("what a watch reports is the progress of its job, to a millionth", () => {
  fc.assert(fc.property(share, (done) => {
    const state = newJobState();
    watchJob(state).report(done);
    assert.ok(progressOf(state) <= done && progressOf(state) > done - STEP - ROUNDING, `${progressOf(state)}`);
  }));
});

test("progress never goes down and stays within 0 and 1, whatever is reported", () => {
  fc.assert(fc.property(fc.array(anyNumber, { maxLength: 20 }), part, (reports, [from, to]) => {
    const state = newJobState();
    const watch = watchJob(state, from, to);
    let last = 0;
    for (const done of reports) {
      watch.report(done);
      const progress = progressOf(state);
      assert.ok(progress >= last && progress <= to, `${progress} after ${last}, up to ${to}`);
      last = progress;
    }
  }));
});

test("a part maps its own 0 to 1 onto its share of the whole, however deep it lies", () => {
  fc.assert(fc.property(fc.array(part, { maxLength: 4 }), share, (parts, done) => {
    const state = newJobState();
    parts.reduce((watch, [from, to]) => watch.part(from, to), watchJob(state)).report(done);
    const expected = parts.reduceRight((inner, [from, to]) => from + (to - from) * inner, done);
    assert.ok(Math.abs(progressOf(state) - expected) <= STEP + ROUNDING, `${progressOf(state)} is not ${expected}`);
  }));
});

test("after its job was cancelled, every report of every part throws Cancelled and tells nothing", () => {
  const state = newJobState();
  const watch = watchJob(state);
  watch.report(0.25);
  cancelJob(state);
  assert.equal(isCancelled(state), true);
  for (const one of [watch, watch.part(0, 0.5), watch.part(0.5, 1).part(0, 1), watchJob(state)]) {
    assert.throws(() => one.report(1), Cancelled);
  }
  assert.equal(progressOf(state), 0.25);
});

test("jobs know nothing of each other", () => {
  const [one, other] = [newJobState(), newJobState()];
  watchJob(one).report(0.5);
  cancelJob(one);
  assert.deepEqual([progressOf(other), isCancelled(other)], [0, false]);
  watchJob(other).report(0.125);
  assert.deepEqual([progressOf(one), progressOf(other)], [0.5, 0.125]);
});

test("state lies in shared memory: another view of it cancels and sees progress", () => {
  const state = newJobState();
  assert.ok(state.buffer instanceof SharedArrayBuffer);
  const elsewhere = new Int32Array(state.buffer);
  watchJob(state).report(0.5);
  assert.equal(progressOf(elsewhere), 0.5);
  cancelJob(elsewhere);
  assert.throws(() => watchJob(state).report(0.75), Cancelled);
});

test("the watch of nobody never throws, nor do its parts", () => {
  unwatched.report(1);
  unwatched.part(0, 0.5).part(0.5, 1).report(Number.NaN);
});
