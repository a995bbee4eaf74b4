import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { odysseyProtocol } from "../../src/printer/odyssey/odyssey-protocol.ts";
import type { Printer } from "../../src/printer/printer.ts";
import { newStartWatch } from "../../src/printer/start-watch.ts";
import { startFake } from "../fixture/fake/start-fake.ts";
import { FAST, openedAlone } from "../fixture/polled.ts";
import { openQueue } from "../fixture/queue-bench.ts";
import { connectTo, gooJob } from "../fixture/sdcp-bench.ts";
import { startSdcpFakes } from "../fixture/sdcp-fake.ts";
import { someJob } from "../fixture/some-job.ts";
import { connectedPrinter, until } from "../fixture/until.ts";

// A printer that had accepted a start got another job as long as its state did not show the print.

const root = mkdtempSync(join(tmpdir(), "printwright-starts-"));
const odyssey = await startFake("odyssey.ts");
const sdcp = await startSdcpFakes({ printsByTask: true });
after(async () => {
  await Promise.all([odyssey.stop(), sdcp.stop()]);
  rmSync(root, { recursive: true });
});

const JOB = { extension: ".sl1", machineType: "PRUSA-SL1" };

/** A machine on Odyssey, as the printer "a" of a queue. It still reports that it is idle after it has been started. */
async function machine(pollMs: number): Promise<Printer> {
  await odyssey.change({ files: {}, started: [], state: "Idle", stateWhenStarted: "Idle", faults: [] });
  const known = { protocol: "odyssey", host: "127.0.0.1", port: odyssey.port, name: "a" } as const;
  const timing = { ...FAST, idlePollMs: pollMs, busyPollMs: pollMs, confirmMs: 30 };
  return connectedPrinter(await openedAlone(odysseyProtocol({ known: [known], timing })));
}

test("a queue gives a printer only one job if after the start no state arrives, and then an old one", async () => {
  const printer = await machine(1e6);
  const { queue, held, close } = openQueue([printer], { root });
  // The first request for the state belongs to the job, before it is sent.
  await odyssey.change({ faults: [{ at: "GET /status", after: 1, times: 2, how: "cut before" }] });
  await Promise.all([1, 2, 3].map((i) => queue.submit(someJob({ ...JOB, name: `job ${i}` }))));
  await sleep(100);
  const { started } = await odyssey.state();
  assert.equal(started.length, 1);
  assert.equal(held().length, 2);
  await close();
});

test("after a start a printer is busy until it has reported twice, some time apart, that it is not", () => {
  let nowMs = 0;
  const watch = newStartWatch(10, () => nowMs);
  watch.saw(true);
  assert.equal(watch.mayPrint(), false);
  const states: readonly (readonly [isFree: boolean, atMs: number, mayPrint: boolean])[][] = [
    [
      [true, 100, true],
      [true, 109, true],
      [true, 110, false],
    ],
    // Two states are newer than the one that showed the print.
    [
      [true, 200, true],
      [false, 205, true],
      [true, 206, true],
      [false, 207, true],
      [true, 208, true],
      [true, 209, false],
    ],
  ];
  for (const told of states) {
    watch.ordered();
    for (const [isFree, atMs, mayPrint] of told) {
      nowMs = atMs;
      watch.saw(isFree);
      assert.equal(watch.mayPrint(), mayPrint, `at ${atMs} ms`);
    }
  }
});

test("a machine whose state stays idle after a start gets no second job at once", async () => {
  const printer = await machine(100);
  await assert.rejects(printer.submit(someJob(JOB)), /it agreed, but shows no print/);
  assert.equal(printer.isReady(), false);
  const writeTo = (): never => assert.fail("it was sliced");
  await assert.rejects(printer.submit(someJob({ ...JOB, writeTo })), /not ready \(Was ordered to print/);
  await until("it is ready once its state is believed", () => printer.isReady());
});

test("an Elegoo that reports its print only by the task is busy", async () => {
  const [fake] = sdcp.printers;
  const { printer, protocol } = await connectTo(fake);
  try {
    await printer.submit(gooJob());
    assert.equal(printer.isReady(), false);
    await sleep(100);
    assert.equal(printer.isReady(), false);
    assert.match(printer.describe().status, /^Preparing to print/);
    await assert.rejects(printer.submit(gooJob()), { code: "OPERATION_FAILED" });
    assert.equal((await fake.seen()).starts.length, 1);
    await fake.act("finish");
    await until("it is ready after its print", () => printer.isReady());
  } finally {
    await protocol.close();
  }
});
