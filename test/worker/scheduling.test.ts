import assert from "node:assert/strict";
import { test } from "node:test";
import {
  LONG_MS,
  type StartedTask,
  type ScheduledTask,
  type WaitingTask,
  canStartAny,
  isLong,
  mayContinue,
  nextTask,
  taskToPreempt,
  threadsOf,
} from "../../src/worker/scheduling.ts";
import { fc } from "../fixture/property.ts";

const THREADS = { size: 2, spare: 1 };
const long = (owner: string, ownerMs = 0, id = 0): WaitingTask => ({ owner, expectedMs: LONG_MS, ownerMs, id });
/** Too much for a quick task, little for a long one. */
const UNQUICK_MS = 100;
const short = (owner: string, expectedMs = 0, ownerMs = 0, id = 0): WaitingTask => ({ owner, expectedMs, ownerMs, id });

test("long tasks take as many threads as there are cores, a short one the spare thread", () => {
  const running = [long("a"), long("b")];
  assert.equal(nextTask([long("c")], running, THREADS), undefined);
  const small = short("c");
  assert.equal(nextTask([long("c"), small], running, THREADS), small);
  assert.equal(nextTask([short("d", UNQUICK_MS)], [...running, small], THREADS), undefined);
});

test("one quick task runs beside the others, whatever these are", () => {
  const full = [short("a", UNQUICK_MS), short("a", UNQUICK_MS), short("b", UNQUICK_MS)];
  const quick = short("c");
  assert.ok(canStartAny(full, THREADS));
  assert.equal(nextTask([short("d", UNQUICK_MS), quick], full, THREADS), quick);
  assert.equal(nextTask([short("d")], [...full, quick], THREADS), undefined);
  assert.equal(nextTask([short("d")], [...full, short("c", UNQUICK_MS)], THREADS), undefined);
  assert.equal(nextTask([short("a")], full, THREADS), undefined);
});

test("an owner whose threads all run long tasks still gets the spare one for a short task", () => {
  const picture = short("a", UNQUICK_MS, 9000);
  const chunks = [long("a", 9000), long("a", 9000)];
  assert.equal(nextTask([long("a", 9000), picture], chunks, THREADS), picture);
  assert.equal(nextTask([long("a", 9000), picture], [...chunks, short("a", UNQUICK_MS)], THREADS), undefined);
});

test("one owner's tasks leave the spare thread to others", () => {
  assert.equal(nextTask([short("a")], [short("a"), short("a")], THREADS), undefined);
  const other = short("b");
  assert.equal(nextTask([short("a"), other], [short("a"), short("a")], THREADS), other);
});

test("an owner that holds all threads with long tasks does not prevent the first task of another owner", () => {
  const [first, more] = [long("b"), long("a")];
  assert.equal(nextTask([more, first], [long("a"), long("a")], THREADS), first);
  assert.equal(nextTask([long("c")], [long("a"), long("a"), long("b")], THREADS), undefined);
});

test("as many short tasks as there are spare threads can run, even with more long ones than cores", () => {
  const crowd = [long("a"), long("a"), long("b")];
  const first = short("c");
  assert.ok(canStartAny(crowd, THREADS));
  assert.equal(nextTask([first], crowd, THREADS), first);
  assert.ok(!canStartAny([...crowd, first], THREADS));
  assert.equal(nextTask([short("d", UNQUICK_MS)], [...crowd, first], THREADS), undefined);
});

test("a stream of short tasks does not take the threads of long ones", () => {
  const waiting = [short("x"), long("y")];
  assert.equal(nextTask(waiting, [short("p"), short("q")], THREADS), waiting[1]);
});

test("tasks are ordered by the time that their owner has used, then short ones by their expected time, then by arrival", () => {
  const order = [short("a", 5, 0, 4), short("b", 9, 0, 3), short("c", 0, 150, 1), long("d", 0, 7), long("e", 700, 2)];
  const waiting = order.toReversed();
  for (const expected of order) {
    assert.equal(nextTask(waiting, [], THREADS), expected);
    waiting.splice(waiting.indexOf(expected), 1);
  }
});

test("a short task that becomes long keeps its thread if a long one may run there", () => {
  assert.equal(mayContinue(long("a"), [long("b")], THREADS), true);
  assert.equal(mayContinue(long("c"), [long("a"), long("b")], THREADS), false);
  assert.equal(mayContinue(long("b"), [long("a"), long("a")], THREADS), true);
});

const started = (task: WaitingTask, isRepeatable = true, ranMs = 0): StartedTask => ({ ...task, isRepeatable, ranMs });

test("a quick task preempts the short task of the request that has used the most time, never a long one", () => {
  const [probe, other] = [started(short("a", 200)), started(short("d", 100))];
  const quick = short("b", 3);
  const full = [started(long("c")), probe, other];
  assert.equal(taskToPreempt([quick], full, THREADS), probe);
  assert.equal(taskToPreempt([short("d", 60)], full, THREADS), undefined);
  assert.equal(taskToPreempt([short("a", 3)], [started(long("c")), probe, probe], THREADS), undefined);
  assert.equal(taskToPreempt([quick], [started(long("c")), started(long("d"))], THREADS), undefined);
  assert.equal(taskToPreempt([quick], [started(long("c")), { ...probe, isRepeatable: false }, other], THREADS), other);
});

test("of the chunks of a request, the one that has run for the least time is preempted", () => {
  const chunks = [120, 40, 90].map((ranMs) => started(short("a", 1000 + ranMs), true, ranMs));
  assert.equal(taskToPreempt([short("b", 3)], chunks, THREADS), chunks[1]);
});

test("a long task that starts may continue", () => {
  const task = fc
    .tuple(fc.constantFrom("a", "b", "c", "d"), fc.boolean())
    .map(([owner, large]) => (large ? long : short)(owner));
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(task, { maxLength: 8 }),
      fc.array(task),
      (size, running, waiting) => {
        const next = nextTask(waiting, running, { size, spare: 1 });
        if (next && isLong(next)) assert.ok(mayContinue(next, running, { size, spare: 1 }));
      },
    ),
  );
});

test("no task is preempted if another task than the quick one would get its thread", () => {
  const full = [started(short("a", 200)), started(short("d", 100)), started(short("e", 70))];
  const quick = short("b", 3, 500);
  assert.equal(taskToPreempt([quick, short("f", 300)], full, THREADS), undefined);
  const spent = full.map((one) => ({ ...one, ownerMs: 900 }));
  assert.equal(taskToPreempt([quick, short("f", 300, 900)], spent, THREADS), spent[0]);
});

test("the spare thread is never held by long tasks, and no thread is idle while a task could run", () => {
  const task = fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.boolean(), fc.nat(1000));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(task, { maxLength: 12 }), (size, tasks) => {
      const threads = { size, spare: 1 };
      const waiting = tasks.map(([owner, large, ownerMs], id) => (large ? long : short)(owner, ownerMs, id));
      const running: ScheduledTask[] = [];
      for (let next; (next = nextTask(waiting, running, threads));) {
        assert.ok(canStartAny(running, threads), "a task starts where none could");
        waiting.splice(waiting.indexOf(next), 1);
        running.push(next);
      }
      const owners = new Set(running.map(({ owner }) => owner));
      const longCount = running.filter(isLong).length;
      assert.ok(longCount < 2 * size, "long tasks beyond their threads");
      if (longCount > size) assert.ok(new Set(running.filter(isLong).map(({ owner }) => owner)).size <= size);
      assert.ok(running.length >= Math.min(size, tasks.length), "a thread idles");
      if (waiting.some((one) => !isLong(one) && !owners.has(one.owner))) assert.ok(running.length > size);
    }),
  );
});

test("an owner uses the threads that others leave, and at least an equal share; all owners together use all threads", () => {
  const counts = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 });
  assert.equal(threadsOf("a", new Map([["a", 17]]), 16), 16);
  assert.equal(threadsOf("a", new Map([["b", 1]]), 16), 15);
  assert.equal(
    threadsOf(
      "a",
      new Map([
        ["a", 1],
        ["b", 17],
      ]),
      16,
    ),
    8,
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 16 }), counts, (size, perOwner) => {
      const tasks = new Map(perOwner.map((count, owner) => [owner, count]));
      const shares = perOwner.map((_, owner) => threadsOf(owner, tasks, size));
      const sum = shares.reduce((a, b) => a + b, 0);
      assert.ok(sum >= size && shares.every((share) => share >= 1 && share <= size && share >= size / shares.length));
    }),
  );
});
