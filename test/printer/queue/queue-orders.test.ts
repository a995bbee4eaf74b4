import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { operationFailed } from "../../../src/core/api-error.ts";
import type { PrintJob, Printer, QueuedJob } from "../../../src/printer/printer.ts";
import { type QueueBench, type QueuePrinter, openQueue, queuePrinter } from "../../fixture/queue-bench.ts";
import { someJob } from "../../fixture/some-job.ts";
import { until } from "../../fixture/until.ts";

// Actions of people on held jobs. Nothing starts on a platform that nobody has cleared.

const root = mkdtempSync(join(tmpdir(), "printwright-orders-"));
after(() => rmSync(root, { recursive: true }));

interface Member extends QueuePrinter {
  /** Names of the jobs that the printer was given. */
  readonly taken: string[];
  /** Called before the printer receives the job. */
  before(job: PrintJob): void;
}

/** A printer that is busy after a print until the test makes it ready. */
function member(id: string, ready = true): Member {
  const one: Member = queuePrinter(id, ["FORM-4-0"], {
    taken: [] as string[],
    before: ({ task }: PrintJob): void => task.commit(),
    async submit(job: PrintJob) {
      one.before(job);
      await job.writeTo(join(root, `${job.id}.arrived`), () => {});
      if (job.printNow) one.ready = false;
      one.taken.push(job.name);
    },
  });
  one.ready = ready;
  return one;
}

const open = (
  printers: readonly Printer[],
  options: { folder?: string; starts?: "automatic"; paused?: boolean } = {},
) => openQueue(printers, { root, starts: "released", ...options });

const statesOf = ({ queue }: QueueBench): Record<string, QueuedJob["state"]> =>
  Object.fromEntries(queue.jobs().map(({ name, state }) => [name, state]));
const idOf = ({ queue }: QueueBench, name: string): string => queue.jobs().find((job) => job.name === name)!.id;
/** The queue checks its jobs each 2 ms. */
const someTicks = (): Promise<void> => sleep(25);

test("the next held job starts only once a person releases it", async () => {
  const a = member("a");
  const bench = open([a]);
  await bench.queue.submit(someJob({ name: "1" }));
  await bench.queue.submit(someJob({ name: "2" }));
  assert.deepEqual([a.taken, statesOf(bench)], [["1"], { 2: "WAITING_FOR_RELEASE" }]);
  assert.match(bench.queue.describe().status, /holds 1 job; 1 to be released/);
  assert.throws(() => bench.queue.order(idOf(bench, "2"), "RELEASE"), /No printer .* is ready for the job "2"/);
  a.ready = true;
  await someTicks();
  await bench.queue.submit(someJob({ name: "3" }));
  assert.deepEqual(a.taken, ["1"], "neither the held one nor another is started on the print that is there");
  bench.queue.order(idOf(bench, "3"), "RELEASE", "a");
  await until("the released one is printed", () => a.taken.length === 2);
  a.ready = true;
  await someTicks();
  assert.deepEqual([a.taken, statesOf(bench)], [["1", "3"], { 2: "WAITING_FOR_RELEASE" }]);
  await bench.close();
});

test("a release applies only to the cleared platform, and only until something else is printed there", async () => {
  const [a, b] = [member("a"), member("b")];
  const bench = open([a, b]);
  await bench.queue.submit(someJob({ name: "1" }));
  await bench.queue.submit(someJob({ name: "2" }));
  await bench.queue.submit(someJob({ name: "3" }));
  a.ready = b.ready = true;
  await someTicks();
  const unknown = { code: "NOT_FOUND", message: 'The printer "c" is not in the queue "All": give one of "a", "b".' };
  assert.throws(() => bench.queue.order(idOf(bench, "3"), "RELEASE", "c"), unknown);
  // The job is refused once, and somebody starts another print in the meantime.
  b.before = (): never => {
    b.ready = false;
    throw operationFailed("Not now.");
  };
  bench.queue.order(idOf(bench, "3"), "RELEASE", "b");
  await someTicks();
  assert.match(bench.queue.jobs()[0].reason!, /^"b": Not now\.$/);
  assert.throws(() => bench.queue.order(idOf(bench, "3"), "RELEASE", "b"), /printer "b" is not ready for the job "3"/);
  b.before = ({ task }) => task.commit();
  b.ready = true;
  await someTicks();
  assert.deepEqual([a.taken, b.taken, statesOf(bench)], [["1"], ["2"], { 3: "WAITING_FOR_RELEASE" }]);
  await bench.close();
});

test("a restart does not clear a platform, and a print that somebody else starts occupies it", async () => {
  const a = member("a", false);
  const first = open([a]);
  await someTicks();
  await first.close();
  a.ready = true;
  const second = open([a], { folder: first.folder });
  await second.queue.submit(someJob({ name: "1" }));
  await someTicks();
  assert.deepEqual([a.taken, statesOf(second)], [[], { 1: "WAITING_FOR_RELEASE" }]);
  await second.close();
});

test("a job is not released to a printer that prints other jobs", async () => {
  const [a, b] = [member("a", false), queuePrinter("b", ["FORM-3-1"], { submit: () => assert.fail("it is asked") })];
  const bench = open([a, b]);
  await bench.queue.submit(someJob({ name: "1" }));
  assert.throws(() => bench.queue.order(idOf(bench, "1"), "RELEASE", "b"), /"b" prints no jobs for FORM-4-0/);
  await bench.close();
});

test("prints start by themselves if the printers file says so", async () => {
  const a = member("a", false);
  const bench = open([a], { starts: "automatic" });
  await bench.queue.submit(someJob({ name: "1" }));
  await bench.queue.submit(someJob({ name: "2" }));
  for (const count of [1, 2]) {
    a.ready = true;
    await until(`${count} jobs are printed`, () => a.taken.length === count);
  }
  assert.deepEqual(a.taken, ["1", "2"]);
  await bench.close();
});

test("a job without print_now needs no release, and does not wait for jobs that need one", async () => {
  const a = member("a", false);
  const bench = open([a]);
  await bench.queue.submit(someJob({ name: "print" }));
  await bench.queue.submit(someJob({ name: "held", printNow: false }));
  assert.deepEqual(statesOf(bench), { print: "WAITING_FOR_RELEASE", held: "WAITING_FOR_PRINTER" });
  a.ready = true;
  await until("it is sent", () => a.taken.length === 1);
  await bench.queue.submit(someJob({ name: "direct", printNow: false }));
  assert.deepEqual(a.taken, ["held", "direct"]);
  await bench.close();
});

test("FIRST puts a job before the others and CANCEL removes a job with its archive, also across a restart", async () => {
  const a = member("a", false);
  const bench = open([a]);
  for (const name of ["1", "2", "3"]) await bench.queue.submit(someJob({ name }));
  bench.queue.order(idOf(bench, "3"), "FIRST");
  bench.queue.order(idOf(bench, "1"), "CANCEL");
  assert.deepEqual(
    bench.queue.jobs().map(({ name }) => name),
    ["3", "2"],
  );
  assert.throws(() => bench.queue.order("nobody", "CANCEL"), { code: "NOT_FOUND" });
  await bench.close();
  const names = readdirSync(join(bench.folder, "held")).filter((name) => !name.startsWith("."));
  assert.equal(names.length, 4, "two archives and what is known of them");
  const again = open([a], { folder: bench.folder });
  assert.deepEqual(
    again.queue.jobs().map(({ name }) => name),
    ["3", "2"],
  );
  await again.queue.submit(someJob({ name: "4" }));
  assert.deepEqual(
    again.queue.jobs().map(({ name }) => name),
    ["3", "2", "4"],
  );
  await again.close();
});

test("a job that was set aside is sent again after RETRY, and needs another release", async () => {
  const a = member("a", false);
  const bench = open([a]);
  await bench.queue.submit(someJob({ name: "1" }));
  a.before = ({ task }): never => {
    task.commit();
    throw operationFailed("It does not answer any more.");
  };
  a.ready = true;
  await someTicks();
  bench.queue.order(idOf(bench, "1"), "RELEASE");
  await until("it is set aside", () => statesOf(bench)[1] === "SET_ASIDE");
  assert.match(bench.queue.jobs()[0].reason ?? "", /does not answer any more/);
  assert.throws(() => bench.queue.order(idOf(bench, "1"), "RELEASE"), /RETRY first/);
  a.before = ({ task }) => task.commit();
  bench.queue.order(idOf(bench, "1"), "RETRY");
  assert.throws(() => bench.queue.order(idOf(bench, "1"), "RETRY"), /was not set aside/);
  await someTicks();
  assert.deepEqual([a.taken, statesOf(bench)], [[], { 1: "WAITING_FOR_RELEASE" }]);
  bench.queue.order(idOf(bench, "1"), "RELEASE", "a");
  await until("it is printed", () => a.taken.length === 1 && bench.held().length === 0);
  await bench.close();
});

test("actions on a job that is being sent, or in a paused queue, are refused", async () => {
  const a = member("a");
  const bench = open([a], { paused: true });
  await bench.queue.submit(someJob({ name: "1" }));
  assert.throws(() => bench.queue.order(idOf(bench, "1"), "RELEASE"), /is paused: set "paused" to false/);
  await bench.close();
  const again = open([a], { folder: bench.folder });
  const arrived = Promise.withResolvers<void>();
  a.submit = () => arrived.promise;
  again.queue.order(idOf(again, "1"), "RELEASE");
  for (const action of ["RELEASE", "CANCEL", "FIRST", "RETRY"] as const)
    assert.throws(() => again.queue.order(idOf(again, "1"), action), /is being given to a printer/);
  assert.deepEqual(statesOf(again), { 1: "SENDING" });
  arrived.resolve();
  await until("it is gone", () => again.held().length === 0);
  await again.close();
});

test("jobs without print_now are spread over the idle printers", async () => {
  const members = ["a", "b", "c"].map((id) => member(id));
  const bench = openQueue(members, { root, names: ["a", "b", "c"] });
  for (let i = 0; i < 6; i++) await bench.queue.submit(someJob({ name: `${i}`, printNow: false }));
  assert.deepEqual(
    members.map(({ taken }) => taken),
    [
      ["0", "3"],
      ["1", "4"],
      ["2", "5"],
    ],
  );
  members[1].ready = false;
  for (let i = 6; i < 8; i++) await bench.queue.submit(someJob({ name: `${i}`, printNow: false }));
  assert.deepEqual(
    members.map(({ taken }) => taken.length),
    [3, 2, 3],
  );
  for (const one of members) one.ready = false;
  for (let i = 8; i < 11; i++) await bench.queue.submit(someJob({ name: `${i}`, printNow: false }));
  for (const one of members) one.ready = true;
  await until("all are sent", () => bench.held().length === 0);
  assert.deepEqual(members.map(({ taken }) => taken.length).toSorted(), [3, 4, 4]);
  assert.equal(existsSync(join(bench.folder, "held", ".uncleared")), false);
  await bench.close();
});
