import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { operationFailed } from "../../../src/core/api-error.ts";
import type { LogDetails } from "../../../src/core/event-log.ts";
import type { PrintJob, Printer } from "../../../src/printer/printer.ts";
import { type QueuePrinter, openQueue, queuePrinter } from "../../fixture/queue-bench.ts";
import { someJob } from "../../fixture/some-job.ts";
import { until } from "../../fixture/until.ts";

const root = mkdtempSync(join(tmpdir(), "printwright-queue-"));
after(() => rmSync(root, { recursive: true }));

/** A printer that records the jobs that it is given. */
interface FakePrinter extends QueuePrinter {
  readonly taken: PrintJob[];
  /** Called with each job that the printer keeps. */
  onTake(job: PrintJob): Promise<void>;
}

function fakePrinter(id: string, machineTypes: readonly string[] = ["FORM-4-0"]): FakePrinter {
  const taken: PrintJob[] = [];
  const printer: FakePrinter = queuePrinter(id, machineTypes, {
    taken,
    onTake: async (job: PrintJob): Promise<void> => {
      await job.writeTo(join(root, `${job.id}.arrived`), job.task.commit);
    },
    async submit(job: PrintJob) {
      const wasReady = printer.ready;
      if (job.printNow) printer.ready = false;
      try {
        await printer.onTake(job);
      } catch (thrown) {
        printer.ready = wasReady;
        throw thrown;
      }
      taken.push(job);
    },
  });
  return printer;
}

const open = (printers: readonly Printer[], options: { folder?: string; paused?: boolean; hold?: boolean } = {}) =>
  openQueue(printers, { root, typeByName: { c: "FORM-3-0" }, ...options });

const idsOf = (printer: FakePrinter): string[] => printer.taken.map(({ name }) => name);

test("the first ready printer that fits gets the job unchanged", async () => {
  const [a, b, c] = [fakePrinter("a"), fakePrinter("b", ["FORM-4-0", "FRML-4-0"]), fakePrinter("c")];
  const { queue, close } = open([c, b, a]);
  a.ready = false;
  const job = someJob({ name: "first" });
  await queue.submit(job);
  assert.deepEqual([idsOf(a), idsOf(b), idsOf(c)], [[], ["first"], []]);
  assert.deepEqual([b.taken[0].id, b.taken[0].printNow], [job.id, true]);
  b.ready = true;
  await queue.submit(someJob({ name: "of b alone", machineType: "FRML-4-0", printNow: false }));
  assert.deepEqual([b.taken[1].name, b.taken[1].printNow], ["of b alone", false]);
  await close();
});

test("a queue serves the machine types of its printers, also of absent ones whose types were named or seen", async () => {
  const printers = [fakePrinter("a"), fakePrinter("b", ["FRML-4-0"])];
  const { queue, close } = open(printers);
  assert.ok(["FORM-4-0", "FRML-4-0"].every((type) => queue.machineTypes.includes(type)));
  const withAll = queue.machineTypes.length;
  assert.ok(withAll > 2, "that of c is known by the file");
  printers.length = 0;
  assert.equal(queue.machineTypes.length, withAll);
  await close();
});

test("held jobs are sent in their order, past those that fit no printer, and no new job overtakes them", async () => {
  const [a, c] = [fakePrinter("a"), fakePrinter("c", ["FORM-3-0"])];
  const { queue, held, events, close } = open([a, c]);
  a.ready = c.ready = false;
  await queue.submit(someJob({ name: "1" }));
  await queue.submit(someJob({ name: "2" }));
  await queue.submit(someJob({ name: "other", machineType: "FORM-3-0" }));
  assert.equal(held().length, 3);
  c.ready = true;
  await until("the one that fits is sent", () => c.taken.length === 1);
  a.ready = true;
  // Whether the queue has noticed the printer or not, held jobs go first.
  await queue.submit(someJob({ name: "3" }));
  for (const name of ["1", "2", "3"]) {
    await until(`${name} is sent`, () => a.taken.at(-1)?.name === name);
    await sleep(15);
    assert.equal(a.taken.at(-1)!.name, name, "one at a time");
    a.ready = true;
  }
  assert.deepEqual([idsOf(a), idsOf(c)], [["1", "2", "3"], ["other"]]);
  assert.deepEqual(held(), []);
  const order = events.map(({ event, details }) => `${event} ${details?.job_name}`);
  assert.deepEqual(order.filter((line) => line.startsWith("job held")).length, 4);
  await close();
});

test("a refused job is submitted to the next printer, or held; if a printer may have it, the request fails", async () => {
  const [a, b] = [fakePrinter("a"), fakePrinter("b")];
  const { queue, held, close } = open([a, b]);
  a.onTake = () => Promise.reject(operationFailed("It is offline."));
  await queue.submit(someJob({ name: "next" }));
  assert.deepEqual(idsOf(b), ["next"]);
  await queue.submit(someJob({ name: "held", layerThicknessMm: 0.05 }));
  assert.equal(held().length, 1);
  b.ready = true;
  await until("b gets it", () => b.taken.length === 2);
  assert.equal(b.taken[1].layerThicknessMm, 0.05);
  const failure = operationFailed("It broke off.");
  a.onTake = (job) => job.writeTo(join(root, "half"), job.task.commit).then(() => Promise.reject(failure));
  await assert.rejects(queue.submit(someJob()), (thrown) => thrown === failure);
  assert.deepEqual(held(), []);
  await close();
});

test("a job that fails, or that a queue without a folder refuses, leaves nothing behind", async () => {
  const failure = operationFailed("The disk is full.");
  const held = open([], {});
  await assert.rejects(
    held.queue.submit(someJob({ writeTo: () => Promise.reject(failure) })),
    (thrown) => thrown === failure,
  );
  await held.close();
  assert.deepEqual(readdirSync(join(held.folder, "held")), []);
  const without = open([], { hold: false });
  const writeTo = (): never => assert.fail("it was sliced");
  await assert.rejects(without.queue.submit(someJob({ writeTo })), /--job-dir FOLDER/);
  await without.close();
});

test("a held job that the only fitting printer refuses five times is set aside, with its archive and the reason", async () => {
  const a = fakePrinter("a");
  a.ready = false;
  const { queue, folder, events, held, close } = open([a, fakePrinter("b", ["FORM-3-0"])]);
  await queue.submit(someJob({ name: "bad" }));
  let refusals = 0;
  a.onTake = () => {
    refusals++;
    return Promise.reject(operationFailed("The file is wrong."));
  };
  a.ready = true;
  const setAside = (): LogDetails | undefined => events.find(({ event }) => event === "job set aside")?.details;
  await until("it is set aside", () => setAside() !== undefined);
  assert.match(String(setAside()!.reason), /Refused 5 times by "a": The file is wrong\./);
  const before = refusals;
  await sleep(60);
  assert.equal(refusals, before);
  const job = JSON.parse(readFileSync(join(folder, "held", held()[0]), "utf8"));
  assert.equal(job.state, "set aside");
  assert.ok(existsSync(join(folder, "held", job.archive)));
  await close();
});

test("a job whose printer failed when the print could have started is set aside at once, also after a restart", async () => {
  const a = fakePrinter("a");
  a.ready = false;
  const first = open([a]);
  await first.queue.submit(someJob());
  let tries = 0;
  a.onTake = async (job) => {
    tries++;
    job.task.commit();
    throw operationFailed("It does not answer any more.");
  };
  a.ready = true;
  await until("it is set aside", () => first.events.some(({ event }) => event === "job set aside"));
  await first.close();
  const second = open([a], { folder: first.folder });
  await sleep(40);
  assert.equal(tries, 1);
  assert.deepEqual(
    second.events.map(({ event }) => event),
    ["job set aside"],
  );
  await second.close();
});

const LEFT_OVER = ["left-over-0badcafe.goo", "left-over-0badcafe.pm5s"];

test("at any moment when the process ends, no held job is lost or sent twice, and its folder is clean afterwards", async () => {
  const a = fakePrinter("a");
  a.ready = false;
  const first = open([a]);
  await first.queue.submit(someJob({ name: "plate" }));
  /** Folders that a killed process leaves: before and after the first irreversible step, and when the printer has the job. */
  const moments: string[] = [];
  const freeze = (): void => {
    const copy = join(root, `moment ${moments.length}`);
    // An ended process has no claim.
    cpSync(first.folder, copy, { recursive: true, filter: (name) => !name.endsWith(".claim") });
    moments.push(copy);
  };
  freeze();
  a.onTake = async (job) => {
    freeze();
    await job.writeTo(join(root, "arrived"), () => {});
    freeze();
    job.task.commit();
    freeze();
  };
  a.ready = true;
  await until("it is sent", () => a.taken.length === 1);
  await until("it is gone", () => first.held().length === 0);
  freeze();
  await first.close();
  const outcomes: string[] = [];
  for (const folder of moments) {
    for (const name of LEFT_OVER) writeFileSync(join(folder, "held", name), "of a job that was being added");
    const printer = fakePrinter("a");
    const again = open([printer], { folder });
    await until(
      "it is decided",
      () => again.held().length === 0 || again.events.some(({ event }) => event === "job set aside"),
    );
    outcomes.push(again.held().length > 0 ? "set aside" : `sent ${printer.taken.length} times`);
    for (const name of LEFT_OVER) assert.equal(existsSync(join(folder, "held", name)), false, name);
    await again.close();
  }
  assert.deepEqual(outcomes, ["sent 1 times", "sent 1 times", "sent 1 times", "set aside", "sent 0 times"]);
});

test("a damaged JSON file stays unchanged, with every archive, and the log names it", async () => {
  const first = open([], { paused: true });
  await first.queue.submit(someJob());
  await first.close();
  const held = join(first.folder, "held");
  const [json] = first.held();
  for (const damage of [
    "{",
    '{"id": 3}',
    JSON.stringify({ ...JSON.parse(readFileSync(join(held, json), "utf8")), archive: "../../etc/passwd" }),
  ]) {
    writeFileSync(join(held, json), damage);
    const names = readdirSync(held);
    const again = open([fakePrinter("a")], { folder: first.folder });
    await sleep(15);
    await again.close();
    assert.deepEqual(readdirSync(held), names);
    assert.equal(again.events.length, 1);
    assert.match(String(again.events[0].details!.reason), new RegExp(json));
  }
});

test("a job that its printer has is not sent again if the disk does not allow its removal", async () => {
  const a = fakePrinter("a");
  a.ready = false;
  const { queue, folder, held, close } = open([a]);
  await queue.submit(someJob());
  const json = join(folder, "held", held()[0]);
  let isGone = false;
  a.onTake = async () => {
    // A folder replaces the file, so that it can be neither removed nor written.
    rmSync(json);
    mkdirSync(json);
    isGone = true;
  };
  a.ready = true;
  await until("it is sent", () => isGone && a.taken.length === 1);
  a.ready = true;
  await sleep(40);
  assert.equal(a.taken.length, 1);
  await close();
});

test("a job that is being sent when the server ends is still held", async () => {
  const a = fakePrinter("a");
  a.ready = false;
  const first = open([a]);
  await first.queue.submit(someJob());
  let isSending = false;
  a.onTake = async (job) => {
    isSending = true;
    await new Promise((_, reject) => job.task.signal.addEventListener("abort", () => reject(operationFailed("cut"))));
  };
  a.ready = true;
  await until("it is being sent", () => isSending);
  await first.close();
  const b = fakePrinter("a");
  const second = open([b], { folder: first.folder });
  await until("it is sent", () => b.taken.length === 1);
  await second.close();
});
