import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { operationFailed } from "../../src/core/api-error.ts";
import type { LogDetails, LogEvent } from "../../src/core/event-log.ts";
import type { PrintJob, Printer } from "../../src/printer/printer.ts";
import { warnOfJobsWithoutQueue } from "../../src/printer/queue/queue-protocol.ts";
import { withSpooledJob } from "../../src/printer/spooled-job.ts";
import { QUEUE_ID, type QueuePrinter, openQueue, queuePrinter } from "../fixture/queue-bench.ts";
import { TOTALS, someJob } from "../fixture/some-job.ts";
import { until } from "../fixture/until.ts";

// Jobs that a printer of a queue refuses, or whose printers the queue has not seen.

const root = mkdtempSync(join(tmpdir(), "printwright-refusals-"));
after(() => rmSync(root, { recursive: true }));

interface Member extends QueuePrinter {
  /** The archives that were sent to the printer. */
  readonly archives: string[];
  /** Called once the archive exists. */
  afterSlicing(job: PrintJob): void;
}

function member(id: string, machineTypes: readonly string[] = ["FORM-4-0"]): Member {
  const one: Member = queuePrinter(id, machineTypes, {
    archives: [] as string[],
    afterSlicing: ({ task }: PrintJob): void => task.commit(),
    submit: (job: PrintJob) =>
      withSpooledJob(job, async ({ path }) => {
        one.afterSlicing(job);
        one.archives.push(readFileSync(path, "utf8"));
      }),
  });
  return one;
}

const open = (members: readonly Printer[], folder?: string) =>
  openQueue(members, { root, ...(folder !== undefined && { folder }) });

const refuse = (): never => {
  throw operationFailed("It has no room left.");
};

/** A job that counts how often it is sliced. */
function countedJob(): PrintJob & { slicings(): number } {
  let slicings = 0;
  const writeTo: PrintJob["writeTo"] = async (path, beforeRename) => {
    beforeRename();
    writeFileSync(path, `layers ${++slicings}`);
    return TOTALS;
  };
  return { ...someJob({ writeTo }), slicings: () => slicings };
}

test("a job that a printer refuses after slicing goes to the next one, sliced once", async () => {
  const [a, b] = [member("a"), member("b")];
  a.afterSlicing = refuse;
  const { queue, held, linesOf, close } = open([a, b]);
  const job = countedJob();
  await queue.submit(job);
  assert.deepEqual([a.archives, b.archives, job.slicings()], [[], ["layers 1"], 1]);
  assert.deepEqual([held(), linesOf("job failed")], [[], []]);
  assert.deepEqual(
    [...linesOf("job refused"), ...linesOf("job sent")].map((line) => [line!.queue, line!.printer]),
    [
      [QUEUE_ID, "a"],
      [QUEUE_ID, "b"],
    ],
  );
  await close();
});

test("a job that all printers refuse after slicing is held with its archive, sliced only once", async () => {
  const [a, b] = [member("a"), member("b")];
  a.afterSlicing = b.afterSlicing = (): never => {
    a.ready = b.ready = false;
    return refuse();
  };
  const { queue, held, close } = open([a, b]);
  const job = countedJob();
  await queue.submit(job);
  assert.deepEqual([held().length, job.slicings()], [1, 1]);
  b.afterSlicing = ({ task }) => task.commit();
  b.ready = true;
  await until("b has it", () => b.archives.length === 1);
  assert.deepEqual([b.archives, job.slicings()], [["layers 1"], 1]);
  await close();
});

test("a job that a printer may have is not offered to another, nor is one that cannot be sliced", async () => {
  const [a, b] = [member("a"), member("b")];
  a.afterSlicing = ({ task }) => {
    task.commit();
    refuse();
  };
  const { queue, held, close } = open([a, b]);
  await assert.rejects(queue.submit(countedJob()), /no room left/);
  const failure = operationFailed("The scene cannot be sliced.");
  await assert.rejects(
    queue.submit(someJob({ writeTo: () => Promise.reject(failure) })),
    (thrown) => thrown === failure,
  );
  assert.deepEqual([b.archives, held()], [[], []]);
  await close();
});

test("a job that one printer refuses five times is not set aside while another may accept it; the first is not asked again", async () => {
  const [a, b] = [member("a"), member("b")];
  a.ready = b.ready = false;
  let refusals = 0;
  a.afterSlicing = (): never => {
    refusals++;
    return refuse();
  };
  const { queue, held, linesOf, close } = open([a, b]);
  await queue.submit(countedJob());
  a.ready = true;
  await until("a refused five times", () => refusals === 5);
  await sleep(100);
  assert.deepEqual([refusals, linesOf("job set aside")], [5, []]);
  b.ready = true;
  await until("b has it", () => b.archives.length === 1 && held().length === 0);
  await close();
});

test("a job that every printer refuses five times is set aside, and the log has the message of each", async () => {
  const [a, b] = [member("a"), member("b")];
  a.ready = b.ready = false;
  a.afterSlicing = b.afterSlicing = refuse;
  const { queue, linesOf, close } = open([a, b]);
  await queue.submit(countedJob());
  a.ready = b.ready = true;
  await until("it is set aside", () => linesOf("job set aside").length === 1);
  assert.match(
    String(linesOf("job set aside")[0]!.reason),
    /^Refused 5 times by "a": It has no room left\. "b": It has no room left\.$/,
  );
  await close();
});

test("a queue whose printers were not seen yet holds jobs for any machine type until a printer fits", async () => {
  const members: Member[] = [];
  const { queue, held, linesOf, close } = open(members);
  assert.deepEqual([queue.machineTypes, queue.mayPrintOthers], [[], true]);
  await queue.submit(countedJob());
  members.push(member("a", ["FORM-3-0"]));
  assert.equal(queue.mayPrintOthers, true);
  await sleep(20);
  assert.equal(held().length, 1);
  members.push(member("b"));
  await until("b has it", () => members[1].archives.length === 1 && held().length === 0);
  assert.equal(queue.mayPrintOthers, false);
  assert.deepEqual([members[0].archives, linesOf("job set aside")], [[], []]);
  await close();
});

test("a held job that fits no printer of its queue stays held, and the log says so once", async () => {
  const members: Member[] = [];
  const { queue, held, linesOf, close } = open(members);
  await queue.submit(countedJob());
  members.push(member("a", ["FORM-3-0"]), member("b", ["FORM-3-0"]));
  await until("the log says so", () => linesOf("job held").length === 2);
  await sleep(20);
  assert.equal(linesOf("job held").length, 2);
  assert.match(String(linesOf("job held")[1]!.reason), /No printer of the queue prints scenes for FORM-4-0\./);
  assert.equal(held().length, 1);
  await close();
});

test("a job in an unknown state is set aside with its queue and the name of its file on the printer", async () => {
  const a = member("a");
  a.ready = false;
  const first = open([a]);
  await first.queue.submit(countedJob());
  const { promise: isCommitted, resolve: committed } = Promise.withResolvers<void>();
  a.submit = async ({ task }) => {
    task.commit("plate-0badcafe.goo");
    committed();
    await new Promise(() => {});
  };
  a.ready = true;
  await isCommitted;
  await first.close();
  const second = open([a], first.folder);
  const [line] = second.linesOf("job set aside");
  assert.match(String(line!.reason), /^It was being given to "a" as "plate-0badcafe\.goo"\. The server ended then/);
  assert.equal(line!.queue, QUEUE_ID);
  await second.close();
});

test("held jobs whose queue is in no printers file are named once in the log and on standard error, and stay", async (t) => {
  const { queue, folder, held, close } = open([]);
  await queue.submit(someJob({ name: "first" }));
  await queue.submit(someJob({ name: "second" }));
  await close();
  const errors = t.mock.method(console, "error", () => {});
  const reasons: unknown[] = [];
  const log = { write: (_: LogEvent, details?: LogDetails) => void reasons.push(details?.reason), close() {} };
  warnOfJobsWithoutQueue(folder, [{ id: QUEUE_ID }], log);
  warnOfJobsWithoutQueue(join(folder, "nowhere"), [], log);
  assert.deepEqual([reasons.length, errors.mock.callCount()], [0, 0]);
  warnOfJobsWithoutQueue(folder, [], log);
  assert.equal(reasons.length, 1);
  for (const text of [reasons[0], errors.mock.calls[0].arguments[0]])
    assert.match(String(text), new RegExp(`"first" of the queue ${QUEUE_ID}, "second" of the queue ${QUEUE_ID}`));
  assert.equal(held().length, 2);
});
