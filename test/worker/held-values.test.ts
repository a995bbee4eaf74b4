import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type MemoryBudget,
  claimBytes,
  heldBytes,
  newMemoryBudget,
  releaseClaim,
} from "../../src/core/memory-budget.ts";
import { type Compute, whileHeld } from "../../src/worker/compute.ts";
import { newHeldValues } from "../../src/worker/held-values.ts";

const MIB = 2 ** 20;
const MINUTE_MS = 60_000;
/** Of this budget, 128 MiB are kept. */
const LIMIT_BYTES = 4096 * MIB;
const RESIDENT_BYTES = 100 * MIB;

/** A value that takes no memory before it is written. */
const valueOf = (mib: number) => ({ tree: { boxes: new Float32Array(new SharedArrayBuffer(mib * MIB)) } });

function heldIn(budget: MemoryBudget) {
  const clock = { ms: 0 };
  const held = newHeldValues(budget, { nowMs: () => clock.ms, residentBytes: () => RESIDENT_BYTES });
  const made: string[] = [];
  const mesh = {};
  const keep = (key: string, mib: number) =>
    held.keep(key, mesh, () => {
      made.push(key);
      return Promise.resolve(valueOf(mib));
    });
  return { held, keep, made, clock };
}

test("a value counts as claimed once, until everyone who holds it has released it", () => {
  const budget = newMemoryBudget(LIMIT_BYTES);
  const { held } = heldIn(budget);
  const value = valueOf(10);
  const [one, other] = [held.hold(value), held.hold(value)];
  assert.equal(heldBytes(budget), 10 * MIB);
  one();
  one();
  assert.equal(heldBytes(budget), 10 * MIB);
  other();
  assert.equal(heldBytes(budget), 0);
});

test("values of earlier tasks count until the work with them ends, and when it fails", async () => {
  const budget = newMemoryBudget(LIMIT_BYTES);
  const context = { held: newHeldValues(budget) } as unknown as Compute;
  const values = [valueOf(3), undefined, valueOf(4)];
  const seen = await whileHeld(values, context, () => Promise.resolve(heldBytes(budget)));
  assert.deepEqual([seen, heldBytes(budget)], [7 * MIB, 0]);
  await assert.rejects(
    whileHeld(values, context, () => Promise.reject(new Error("cancelled"))),
    /cancelled/,
  );
  assert.equal(heldBytes(budget), 0);
});

test("large values are made once and kept for later requests, the least recently used ones not beyond the share", async () => {
  const budget = newMemoryBudget(LIMIT_BYTES);
  const { keep, made } = heldIn(budget);
  const first = await keep("a", 48);
  await keep("b", 48);
  assert.equal(await keep("a", 48), first);
  assert.equal(heldBytes(budget), 96 * MIB);
  await keep("c", 48);
  assert.equal(heldBytes(budget), 96 * MIB);
  await keep("a", 48);
  await keep("b", 48);
  assert.deepEqual(made, ["a", "b", "c", "b"]);
  await keep("too large", 400);
  await keep("too large", 400);
  await keep("small", 15);
  await keep("small", 15);
  assert.deepEqual(made.slice(4), ["too large", "too large", "small", "small"]);
});

test("small values are kept if the request asks for it, and are found by their key without being made", async () => {
  const { held } = heldIn(newMemoryBudget(LIMIT_BYTES));
  const [mesh, value] = [{}, valueOf(1)];
  assert.equal(held.kept("a"), undefined);
  assert.equal(await held.keep("a", mesh, () => Promise.resolve(value), 0), value);
  assert.equal(held.kept("a"), value);
  held.dropKept();
  assert.equal(held.kept("a"), undefined);
});

test("kept values are dropped after minutes without use, and when memory is short, but not those that a request holds", async () => {
  const budget = newMemoryBudget(LIMIT_BYTES);
  const { held, keep, made, clock } = heldIn(budget);
  await keep("a", 32);
  clock.ms = 2 * MINUTE_MS;
  await keep("b", 32);
  clock.ms = 4 * MINUTE_MS;
  await keep("c", 32);
  assert.equal(heldBytes(budget), 64 * MIB);
  const release = held.hold(await keep("b", 32));
  held.dropKept();
  assert.equal(heldBytes(budget), 32 * MIB);
  release();
  assert.equal(heldBytes(budget), 0);
  await keep("b", 32);
  assert.deepEqual(made, ["a", "b", "c", "b"]);
});

test("nothing is kept while little memory is free", async () => {
  const budget = newMemoryBudget(LIMIT_BYTES);
  const { keep, made } = heldIn(budget);
  assert.ok(claimBytes(budget, 0, 0.8 * LIMIT_BYTES, RESIDENT_BYTES));
  await keep("a", 32);
  assert.equal(heldBytes(budget), 0);
  releaseClaim(budget, 0);
  assert.ok(claimBytes(budget, 0, MIB, RESIDENT_BYTES));
  await keep("a", 32);
  await keep("a", 32);
  assert.deepEqual(made, ["a", "a"]);
});

test("a value whose making fails is made again", async () => {
  const { held } = heldIn(newMemoryBudget(LIMIT_BYTES));
  await assert.rejects(
    held.keep("a", {}, () => Promise.reject(new Error("broken"))),
    /broken/,
  );
  const value = valueOf(8);
  assert.equal(await held.keep("a", {}, () => Promise.resolve(value)), value);
});
