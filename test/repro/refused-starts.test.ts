import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { odysseyProtocol } from "../../src/printer/odyssey/odyssey-protocol.ts";
import type { Printer, Protocol } from "../../src/printer/printer.ts";
import { type RunningFake, startFake } from "../fixture/fake/start-fake.ts";
import { FAST } from "../fixture/polled.ts";
import { openQueue } from "../fixture/queue-bench.ts";
import { SOON, connectTo, failedWith, gooFile, gooJob } from "../fixture/sdcp-bench.ts";
import { startSdcpFakes } from "../fixture/sdcp-fake.ts";
import { someJob } from "../fixture/some-job.ts";
import { connectedPrinter, until } from "../fixture/until.ts";

// A printer that refused the start of a job was treated as one that may still print it: the job went to no other printer, and was
// set aside at once.

const root = mkdtempSync(join(tmpdir(), "printwright-refused-"));
const fakes = await Promise.all([startFake("odyssey.ts"), startFake("odyssey.ts")]);
const sdcp = await startSdcpFakes({ name: "a" }, { name: "b" });
after(async () => {
  await Promise.all([...fakes, sdcp].map((one) => one.stop()));
  rmSync(root, { recursive: true });
});

const JOB = { extension: ".sl1", machineType: "PRUSA-SL1" };
const POLL_TIMING = { ...FAST, retriesMs: 30 };
const START = "POST /print/start";

/** Two machines on Odyssey, the printers "a" and "b" of a queue. */
async function machines(): Promise<{ readonly printers: readonly Printer[]; close(): Promise<unknown> }> {
  const asNew = { files: {}, started: [], requests: [], state: "Idle", faults: [] };
  await Promise.all(fakes.map((fake) => fake.change(asNew)));
  const open = ({ port }: RunningFake, i: number): Protocol => {
    const known = { protocol: "odyssey", host: "127.0.0.1", port, name: ["a", "b"][i] } as const;
    return odysseyProtocol({ known: [known], timing: POLL_TIMING });
  };
  const protocols = fakes.map(open);
  const printers = await Promise.all(protocols.map(connectedPrinter));
  return { printers, close: () => Promise.all(protocols.map((protocol) => protocol.close())) };
}

for (const how of [409, 415] as const) {
  test(`a job whose start is refused with ${how} goes to the next printer of the queue`, async () => {
    const { printers, close } = await machines();
    const { queue, held, linesOf, close: closeQueue } = openQueue(printers, { root });
    await fakes[0].change({ faults: [{ at: START, how }] });
    await queue.submit(someJob(JOB));
    const [a, b] = await Promise.all(fakes.map((fake) => fake.state()));
    assert.deepEqual([a.started, a.files, b.started.length, held()], [[], {}, 1, []]);
    assert.deepEqual([linesOf("job failed"), linesOf("job sent").map((line) => line!.printer)], [[], ["b"]]);
    await closeQueue();
    await close();
  });
}

test("a held job whose start is refused is tried five times, and then set aside as refused", async () => {
  const { printers, close } = await machines();
  const members = printers.slice(0, 1);
  const { queue, linesOf, close: closeQueue } = openQueue(members, { root, names: ["a"] });
  await fakes[0].change({ state: "Printing" });
  await until("it prints", () => !printers[0].isReady());
  await queue.submit(someJob(JOB));
  await fakes[0].change({ state: "Idle", faults: [{ at: START, how: 415 }] });
  await until("it is set aside", () => linesOf("job set aside").length === 1);
  const { requests, started, files } = await fakes[0].state();
  assert.equal(requests.filter((line) => line.startsWith(START)).length, 5);
  assert.deepEqual([started, files], [[], {}]);
  assert.match(String(linesOf("job set aside")[0]!.reason), /^Refused 5 times by "a": .*this kind of file/);
  await closeQueue();
  await close();
});

test("an Elegoo that refuses the start does not keep the file, and the next printer gets the job", async () => {
  const [a, b] = sdcp.printers;
  const connected = await Promise.all([a, b].map((fake) => connectTo(fake, SOON)));
  const members = connected.map(({ printer }) => printer);
  const { queue, held, close } = openQueue(members, { root });
  await a.set({ startAcks: [7] });
  await queue.submit(gooJob({}, gooFile(200_000)));
  assert.deepEqual([(await a.seen()).starts, (await b.seen()).starts.length, held()], [[], 1, []]);
  await until("the file is deleted", async () => (await a.seen()).files.length === 0);
  await a.set({ startAcks: [7] });
  await assert.rejects(
    connected[0].printer.submit(gooJob({}, gooFile(200_000))),
    failedWith("for another machine: choose the scene's machine type", "was not started: it is being deleted there"),
  );
  await close();
  await Promise.all(connected.map(({ protocol }) => protocol.close()));
});
