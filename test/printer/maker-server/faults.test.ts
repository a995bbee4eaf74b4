import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiError } from "../../../src/core/api-error.ts";
import { CancelledError } from "../../../src/core/progress.ts";
import type { JobTask } from "../../../src/printer/printer.ts";
import type { Fault } from "../../fixture/fake/fake-machine.ts";
import type { FakeMakerState } from "../../fixture/fake/maker-server.ts";
import { longTest } from "../../fixture/long.ts";
import { FAST_MAKER, MAKER_WITHOUT_POLLS, makerBench, modelsJob } from "../../fixture/maker-bench.ts";
import { someJob, someTask } from "../../fixture/some-job.ts";
import { until } from "../../fixture/until.ts";

const bench = await makerBench();
const { fake } = bench;

/** A task that records its calls. */
function recordingTask(signal?: AbortSignal): { task: JobTask; calls: string[] } {
  const calls: string[] = [];
  const task = {
    ...someTask(signal),
    commit: () => void calls.push("commit"),
    withdraw: () => void calls.push("withdraw"),
  };
  return { task, calls };
}

/** Submits a job to a server with these faults, and returns the failure and what there is then. */
async function submitted(change: Partial<FakeMakerState>, printNow = true, timing = MAKER_WITHOUT_POLLS) {
  const printer = await bench.connect(change, timing);
  const { task, calls } = recordingTask();
  const failure = await printer.submit(someJob({ ...modelsJob(), printNow, task })).then(
    () => undefined,
    (thrown: unknown) => thrown as ApiError,
  );
  return { failure, calls, ...(await fake.state()) };
}

const isPrint = (line: string): boolean => /^POST \/scene\/[^/]+\/print\//.test(line);

async function cutAtEveryMessage(ways: readonly Omit<Fault, "at" | "after">[], printNow: boolean): Promise<void> {
  const { requests: messages } = await submitted({}, printNow);
  assert.ok(messages.length > 8);
  for (const [after, line] of messages.entries()) {
    for (const way of ways) {
      const where = `${JSON.stringify(way)} at ${after}, ${line}`;
      const { failure, calls, prints, scenes, requests } = await submitted(
        { faults: [{ at: "", after, ...way }] },
        printNow,
      );
      assert.ok(prints.length <= 1 && requests.filter(isPrint).length <= 1, where);
      assert.ok(prints.length === 0 || calls[0] === "commit", where);
      assert.deepEqual(bench.left(), [], where);
      if (!failure) {
        assert.equal(prints.length, 1, where);
        continue;
      }
      assert.equal(failure.code, "OPERATION_FAILED", where);
      assert.match(failure.message, /^The printer "Form4-CleverFox" d/, where);
      const { message } = failure;
      if (prints.length > 0) assert.match(message, /is not known, and nothing orders it again/, where);
      if (prints.length > 0) assert.ok(!calls.includes("withdraw"), where);
      if (/Nothing of it is left/.test(message)) assert.deepEqual(scenes, {}, where);
      for (const scene of Object.keys(scenes))
        assert.ok(message.includes(scene) || /An empty scene/.test(message), where);
    }
  }
}

test("if the server disappears at any message, no job is printed twice, and the message says what is left there", () =>
  cutAtEveryMessage([{ how: "cut after", times: 1 }], true));

longTest(
  "a server that is cut off at any message, once or for ever, before or after its work, prints no job twice",
  async () => {
    for (const printNow of [true, false]) {
      const once = { times: 1 };
      await cutAtEveryMessage(
        [{ how: "cut before", ...once }, { how: "cut after", ...once }, { how: "cut before" }, { how: "cut after" }],
        printNow,
      );
    }
  },
);

test("a scene that could not be deleted is deleted when the server answers again", async () => {
  const printer = await bench.connect({}, FAST_MAKER);
  await fake.change({ printFailure: "The printer has no resin.", faults: [{ at: "DELETE ", how: "cut before" }] });
  await assert.rejects(
    printer.submit(someJob(modelsJob())),
    /"The printer has no resin\.".* The scene [\da-f-]{36} is left at 127\.0\.0\.1:\d+, which nothing prints: it is deleted when/,
  );
  assert.equal(Object.keys((await fake.state()).scenes).length, 1);
  await fake.change({ faults: [] });
  await until("it is deleted", async () => Object.keys((await fake.state()).scenes).length === 0);
});

test("after a success too, a scene that could not be deleted at once is deleted later", async () => {
  const printer = await bench.connect({}, FAST_MAKER);
  await fake.change({ faults: [{ at: "DELETE ", how: "cut before" }] });
  await printer.submit(someJob(modelsJob()));
  assert.equal(Object.keys((await fake.state()).scenes).length, 1);
  await fake.change({ faults: [] });
  await until("it is deleted", async () => Object.keys((await fake.state()).scenes).length === 0);
});

test("a print that the server refuses leaves nothing, and another printer may get the job", async () => {
  for (const change of [
    { printFailure: "No resin." },
    { faults: [{ at: "", after: 6, how: 400, body: { error: { code: "X", message: "No\nresin." } } } as Fault] },
  ]) {
    const { requests } = await submitted({});
    const after = requests.findIndex(isPrint);
    const faults = (change.faults ?? []).map((fault) => ({ ...fault, after, times: 1 }));
    const { failure, calls, prints, scenes } = await submitted({ ...change, faults });
    assert.match(failure!.message, /While printing: it says: "No resin\."\. Nothing of it is left there\.$/);
    assert.deepEqual([calls, prints, scenes], [["commit", "withdraw"], [], {}]);
  }
});

longTest(
  "a print that is not shown, or is not finished, is in doubt: it is not sent again, and its scene stays",
  async () => {
    for (const [change, why] of [
      [{ stateWhenStarted: "Idle" }, /shows no print/],
      [{ printsNeverEnd: true, stateWhenStarted: "Idle" }, /has not finished within/],
      // The operations before are those of the two imports.
      [{ faults: [{ at: "GET /operations", after: 2, how: 404 }], stateWhenStarted: "Idle" }, /does not know any more/],
    ] as [Partial<FakeMakerState>, RegExp][]) {
      const { failure, calls, scenes, prints } = await submitted(change, true, {
        ...MAKER_WITHOUT_POLLS,
        operationMs: 200,
      });
      assert.match(failure!.message, why);
      assert.match(
        failure!.message,
        /Whether the printer prints "bracket" is not known.*The scene [\da-f-]{36} is left at/,
      );
      assert.deepEqual([calls, prints.length, Object.keys(scenes).length], [["commit"], 1, 1]);
    }
  },
);

test("a scene that the server refuses, or that is not known to exist, is named as it is", async () => {
  const body = { error: { code: "INPUT_ERROR", message: "No such material." } };
  const refused = await submitted({ faults: [{ at: "POST /scene/", how: 400, body }] });
  assert.match(
    refused.failure!.message,
    /While making its scene: it says: "No such material\."\. Nothing of it is left/,
  );
  const unknown = await submitted({ faults: [{ at: "POST /scene/", how: "cut after" }] });
  assert.match(
    unknown.failure!.message,
    /An empty scene for FORM-4-0 may be left at 127\.0\.0\.1:\d+: delete it there/,
  );
  assert.deepEqual(unknown.calls, ["withdraw"]);
});

test("a cancelled job leaves nothing at the server", async () => {
  const { requests } = await submitted({});
  const before = requests.findIndex(isPrint);
  for (const after of Array.from({ length: before }, (_, i) => i)) {
    const printer = await bench.connect({ faults: [{ at: "", after, how: "hang", times: 1 }] }, MAKER_WITHOUT_POLLS);
    const cancelling = new AbortController();
    const { task, calls } = recordingTask(cancelling.signal);
    const sent = printer.submit(someJob({ ...modelsJob(), task }));
    await until("it hangs", async () => (await fake.state()).requests.length > after);
    cancelling.abort();
    await assert.rejects(sent, CancelledError, requests[after]!);
    const { prints, scenes } = await fake.state();
    assert.deepEqual([prints, scenes, bench.left()], [[], {}, []], requests[after]!);
    assert.ok(!calls.includes("commit"));
  }
});

longTest(
  "questions for an operation may fail for a while, and stay without an answer as long as the server works",
  async () => {
    const timing = { ...MAKER_WITHOUT_POLLS, replyMs: 50, lostMs: 120 };
    for (const fault of [
      { how: "cut before", times: 2 },
      { how: "hang", times: 4 },
    ] as const) {
      const faults: Fault[] = [{ at: "GET /operations", ...fault }];
      const { failure, prints } = await submitted({ faults, progressAnswers: 1 }, true, timing);
      assert.equal(failure, undefined);
      assert.equal(prints.length, 1);
    }
    const faults: Fault[] = [{ at: "GET /operations", how: "cut before" }];
    const { failure } = await submitted({ faults }, true, timing);
    assert.match(failure!.message, /does not answer: .* closed the connection.*Nothing of it is left there/);
  },
);

test("a server that is not ready, or answers nonsense, refuses the job before models are made", async () => {
  const printer = await bench.connect({}, MAKER_WITHOUT_POLLS);
  const writeTo = (): never => assert.fail("they were made");
  const job = { ...modelsJob(), writeTo };
  const [device] = (await fake.state()).devices;
  await fake.change({ devices: [{ ...device!, status: "Printing", ready_to_print_now: false }] });
  await assert.rejects(printer.submit(someJob(job)), /is not ready \(Printing\)/);
  await fake.change({ devices: [{ ...device!, is_connected: false }] });
  await assert.rejects(printer.submit(someJob(job)), /does not report its state: .* does not list it as connected/);
  await fake.change({ faults: [{ at: "GET /devices", how: 200, body: "hello" }] });
  await assert.rejects(printer.submit(someJob(job)), /not JSON/);
});
