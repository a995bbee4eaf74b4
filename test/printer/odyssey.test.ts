import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { KnownPrinter } from "../../src/printer/known-printers.ts";
import { odysseyProtocol } from "../../src/printer/odyssey/odyssey-protocol.ts";
import { startFake } from "../fixture/fake/start-fake.ts";
import { FAST, openedAlone } from "../fixture/polled.ts";
import { connectedPrinter, until } from "../fixture/until.ts";
import { printerSuite } from "../fixture/printer-suite.ts";
import { someJob } from "../fixture/some-job.ts";

const fake = await startFake("odyssey.ts");
after(() => fake.stop());
const JOB = { extension: ".sl1", machineType: "PRUSA-SL1" };

async function open(known: Partial<KnownPrinter> = {}, timing = FAST) {
  await fake.change({ files: {}, started: [], state: "Idle", losesFiles: false, faults: [] });
  const one = { protocol: "odyssey", host: "127.0.0.1", port: fake.port, ...known } as const;
  const printer = await connectedPrinter(await openedAlone(odysseyProtocol({ known: [one], timing })));
  await fake.change({ requests: [] });
  return printer;
}

printerSuite("a machine on Odyssey", async () => {
  const printer = await open();
  const finishPrint = async (): Promise<void> => {
    await fake.change({ state: "Idle" });
    await until("ready again", () => printer.isReady());
  };
  return { printer, job: JOB, finishPrint };
});

test("a machine on Odyssey has the name of its host, or the name in the printers file", async () => {
  const plain = await open();
  assert.equal(plain.id, "127.0.0.1");
  assert.deepEqual(plain.machineTypes, ["PRUSA-SL1"]);
  const named = await open({ name: "Prometheus", machineType: "PRUSA-SL1S" });
  assert.equal(named.id, "Prometheus");
  assert.ok(named.otherNames.includes("127.0.0.1"));
  assert.deepEqual(named.machineTypes, ["PRUSA-SL1S"]);
});

test("Odyssey keeps the job, even if its list has many pages, and starts it once", async () => {
  const printer = await open();
  await fake.change({ files: Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`a${1000 + i}.sl1`, 1])) });
  await printer.submit(someJob({ ...JOB, name: "zoé/ünder" }));
  const { started, files } = await fake.state();
  assert.equal(started.length, 1);
  assert.match(started[0], /^zoe_under-[\da-f]{8}\.sl1$/);
  assert.equal(files[started[0]], "layers".length);
});

test("if Odyssey disappears at any message, it gets no job twice and keeps no incomplete one", async () => {
  const quiet = { ...FAST, idlePollMs: 1e6, busyPollMs: 1e6, lostMs: 1e6 };
  await (await open({}, quiet)).submit(someJob(JOB));
  const messages = (await fake.state()).requests;
  for (const [after, line] of messages.entries()) {
    for (const how of ["cut before", "cut after"] as const) {
      const printer = await open({}, quiet);
      await fake.change({ faults: [{ at: "", after, times: 1, how }] });
      const failure = await printer.submit(someJob(JOB)).then(
        () => undefined,
        (thrown: Error) => thrown,
      );
      const { started, files, requests } = await fake.state();
      const where = `${how} at ${line}`;
      assert.ok(requests.filter((one) => one.startsWith("POST /print")).length <= 1, where);
      if (!failure) assert.equal(started.length, 1, where);
      else if (/Nothing of it is left/.test(failure.message)) assert.deepEqual([started, files], [[], {}], where);
      await fake.change({ faults: [] });
    }
  }
});

test("a machine that did not answer during a job is not ready until it answers again", async () => {
  const quiet = { ...FAST, idlePollMs: 300, busyPollMs: 300, lostMs: 1e6 };
  for (const at of ["GET /status", "POST /files"]) {
    const printer = await open({}, quiet);
    await fake.change({ faults: [{ at, times: 1, how: "cut before" }] });
    await assert.rejects(printer.submit(someJob(JOB)), { code: "OPERATION_FAILED" });
    assert.deepEqual([printer.isReady(), printer.describe().status], [false, "Does not answer"], at);
    await until("it is ready again", () => printer.isReady());
  }
});

test("a machine that refuses connections is not connected, at once, and the reason is known", async () => {
  const other = await startFake("odyssey.ts");
  const known = { protocol: "odyssey", host: "127.0.0.1", port: other.port } as const;
  const protocol = odysseyProtocol({ known: [known], timing: { ...FAST, lostMs: 1e6 } });
  const printer = await connectedPrinter(protocol);
  await other.stop();
  await until("it is not connected", () => protocol.connected().length === 0);
  assert.equal(printer.describe().is_connected, false);
  assert.match(protocol.missing!()[0].why, /refuses connections/);
  await protocol.close();
});

test("a job that Odyssey has not kept is not started", async () => {
  const printer = await open();
  await fake.change({ losesFiles: true });
  await assert.rejects(printer.submit(someJob(JOB)), /looking whether the job arrived.*Nothing of it is left/);
  assert.deepEqual((await fake.state()).started, []);
});

test("firmware is not installed over the network", async () => {
  const printer = await open();
  await assert.rejects(printer.installFirmware("x.formware", someJob().task), {
    code: "OPERATION_FAILED",
    message: /takes no firmware over the network: update Odyssey/,
  });
});
