import assert from "node:assert/strict";
import { test } from "node:test";
import { containerLimits } from "../../src/core/machine-memory.ts";
import {
  MemoryError,
  claimBytes,
  claimOf,
  freeBytes,
  heldBytes,
  holdBytes,
  inWords,
  limitBytesOf,
  newMemoryBudget,
  releaseClaim,
} from "../../src/core/memory-budget.ts";
import { fc } from "../fixture/property.ts";

const KIB = 1024;
const LIMIT = 1000 * KIB;
const SLOTS = 4;

/**
 * A step of a thread: a claim or the end of its task, the resident bytes of the process at that time, and what a request then begins to hold
 * or ceases to.
 */
const step = fc.record({
  hold: fc.option(fc.integer({ min: 0, max: 200 * KIB })),
  slot: fc.integer({ min: 0, max: SLOTS - 1 }),
  claim: fc.option(fc.integer({ min: 0, max: 1200 * KIB })),
  resident: fc.integer({ min: 1, max: 1200 * KIB }),
});

test("claims that exceed the limit together with the resident memory are refused, and change nothing", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const budget = newMemoryBudget(LIMIT);
      assert.equal(limitBytesOf(budget), LIMIT);
      const claimed = new Map<number, number>();
      const releases: (() => void)[] = [];
      for (const { hold, slot, claim, resident: measured } of steps) {
        if (hold === null) releases.pop()?.();
        else releases.push(holdBytes(budget, hold));
        const held = heldBytes(budget);
        // What is held is resident.
        const resident = Math.max(measured, held);
        if (claim === null) {
          releaseClaim(budget, slot);
          claimed.delete(slot);
          continue;
        }
        const isAlone = claimed.size === 0;
        if (claimBytes(budget, slot, claim, resident)) {
          claimed.set(slot, Math.max(claimed.get(slot) ?? 0, KIB * Math.ceil(claim / KIB)));
          const sum = [...claimed.values()].reduce((a, b) => a + b, 0);
          assert.ok(Math.max(held + sum, resident) <= LIMIT);
          if (isAlone) assert.ok(resident + claim <= LIMIT);
        } else if (isAlone) assert.ok(resident + claim > LIMIT - 2 * KIB);
        for (let other = 0; other < SLOTS; other++) assert.equal(claimOf(budget, other), claimed.get(other) ?? 0);
        if (claimed.get(slot) === 0) claimed.delete(slot);
        assert.ok(freeBytes(budget, resident) >= 0 && freeBytes(budget, resident) <= LIMIT - resident + LIMIT);
      }
    }),
  );
});

test("memory that a task has allocated counts once, although it is both claimed and resident", () => {
  const budget = newMemoryBudget(LIMIT);
  assert.ok(claimBytes(budget, 0, 600 * KIB, 100 * KIB));
  assert.ok(!claimBytes(budget, 1, 400 * KIB, 100 * KIB));
  // Half of the first claim is allocated.
  assert.ok(!claimBytes(budget, 1, 400 * KIB, 400 * KIB));
  assert.ok(claimBytes(budget, 1, 300 * KIB, 400 * KIB));
  assert.equal(freeBytes(budget, 400 * KIB), 0);
});

test("memory that an ended task allocated counts until it is no longer resident", () => {
  const budget = newMemoryBudget(LIMIT);
  assert.ok(claimBytes(budget, 0, 600 * KIB, 100 * KIB));
  assert.ok(claimBytes(budget, 1, 100 * KIB, 700 * KIB));
  releaseClaim(budget, 0);
  assert.ok(!claimBytes(budget, 0, 300 * KIB, 800 * KIB));
  assert.ok(claimBytes(budget, 0, 300 * KIB, 150 * KIB));
});

test("memory that a request holds between its tasks counts once, until it is released and no longer resident", () => {
  const budget = newMemoryBudget(LIMIT);
  // A task claims 500 and makes a value of 300 while another task, with a claim of 200, has allocated 100.
  assert.ok(claimBytes(budget, 0, 200 * KIB, 100 * KIB));
  assert.ok(claimBytes(budget, 1, 500 * KIB, 100 * KIB));
  releaseClaim(budget, 1);
  const release = holdBytes(budget, 300 * KIB);
  assert.equal(heldBytes(budget), 300 * KIB);
  assert.equal(freeBytes(budget, 500 * KIB), 200 * KIB);
  // Its scratch memory is free again: 100 before the tasks, 300 held, 200 claimed.
  assert.ok(!claimBytes(budget, 1, 401 * KIB, 400 * KIB));
  assert.ok(claimBytes(budget, 1, 400 * KIB, 400 * KIB));
  releaseClaim(budget, 1);
  release();
  release();
  assert.equal(heldBytes(budget), 0);
  assert.ok(!claimBytes(budget, 1, 700 * KIB, 500 * KIB));
  assert.ok(claimBytes(budget, 1, 600 * KIB, 200 * KIB));
});

test("memory that nothing but a request holds counts as held, not as kept", () => {
  const budget = newMemoryBudget(LIMIT);
  holdBytes(budget, 300 * KIB);
  assert.ok(!claimBytes(budget, 0, 601 * KIB, 400 * KIB));
  assert.ok(claimBytes(budget, 0, 600 * KIB, 400 * KIB));
});

test("a later claim of a task counts only if it is larger", () => {
  const budget = newMemoryBudget(LIMIT);
  assert.ok(claimBytes(budget, 0, 500 * KIB, 100 * KIB));
  assert.ok(claimBytes(budget, 0, 200 * KIB, 100 * KIB));
  assert.equal(claimOf(budget, 0), 500 * KIB);
  assert.ok(claimBytes(budget, 0, 900 * KIB, 100 * KIB));
  assert.ok(!claimBytes(budget, 0, 901 * KIB, 100 * KIB));
  assert.equal(claimOf(budget, 0), 900 * KIB);
});

test("the error for a claim names the needed memory, the free memory and the way out", () => {
  const need = { bytes: 3.21 * 2 ** 30, what: 'The import of "a.stl"', wayOut: "import a coarser file" };
  const error = new MemoryError(need, 512 * 2 ** 20, 2 ** 31);
  assert.equal(error.code, "OPERATION_FAILED");
  assert.match(error.message, /"a\.stl" needs about 3\.2 GiB of memory, and 512 MiB of the server's 2\.0 GiB are free/);
  assert.match(
    error.message,
    /: import a coarser file, or start the server with a greater --max-memory\. Nothing was changed\.$/,
  );
  assert.ok(!error.fitsAlone && new MemoryError({ ...need, bytes: 2 ** 20 }, 0, 2 ** 31).fitsAlone);
  assert.deepEqual([0, 2 ** 20, 15.4 * 2 ** 20, 2 ** 30, 12.6 * 2 ** 30].map(inWords), [
    "0.0 MiB",
    "1.0 MiB",
    "15 MiB",
    "1.0 GiB",
    "13 GiB",
  ]);
});

test("limits of control groups are found in both versions, at the path of the group and above it", () => {
  const limits = (files: Record<string, string>): number[] => containerLimits((path) => files[path]);
  const own = "/proc/self/cgroup";
  assert.deepEqual(limits({}), []);
  assert.deepEqual(limits({ [own]: "0::/a/b\n", "/sys/fs/cgroup/a/memory.max": "1000\n" }), [1000]);
  assert.deepEqual(limits({ [own]: "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "max\n" }), []);
  // In a container, the group of the process is at the root.
  assert.deepEqual(limits({ [own]: "0::/docker/f00\n", "/sys/fs/cgroup/memory.max": "2000\n" }), [2000]);
  const first = "9:name=systemd:/\n4:cpu,memory:/a\n";
  const file = "memory.limit_in_bytes";
  assert.deepEqual(limits({ [own]: first, [`/sys/fs/cgroup/memory/a/${file}`]: "3000\n" }), [3000]);
  assert.deepEqual(limits({ [own]: first, [`/sys/fs/cgroup/memory/${file}`]: "4000\n" }), [4000]);
});

test("on a machine with 512 cores every thread has a slot, and so has one more for short tasks", () => {
  const budget = newMemoryBudget(LIMIT);
  for (let slot = 0; slot <= 512; slot++) assert.ok(claimBytes(budget, slot, KIB, KIB));
  assert.equal(claimOf(budget, 512), KIB);
  assert.equal(claimBytes(budget, 0, LIMIT, KIB), false);
});
