import assert from "node:assert/strict";
import { after, test } from "node:test";
import { odysseyProtocol } from "../../src/printer/odyssey/odyssey-protocol.ts";
import { startFake } from "../fixture/fake/start-fake.ts";
import { FAST, openedAlone } from "../fixture/polled.ts";
import { connectTo, gooFile, gooJob } from "../fixture/sdcp-bench.ts";
import { startSdcpFakes } from "../fixture/sdcp-fake.ts";
import { someJob } from "../fixture/some-job.ts";
import { connectedPrinter, until } from "../fixture/until.ts";

// For some time after a job, printers were polled as seldom as idle ones: a print that had ended kept its printer from being ready,
// and one that had begun was shown as "Does not answer".

const LONG_MS = 1e6;
const odyssey = await startFake("odyssey.ts");
const sdcp = await startSdcpFakes({});
after(() => Promise.all([odyssey.stop(), sdcp.stop()]));

test("an Elegoo whose print ends soon after its start is ready soon", async () => {
  const [fake] = sdcp.printers;
  const { printer, protocol } = await connectTo(fake, { idlePollMs: LONG_MS });
  await printer.submit(gooJob({}, gooFile(200_000)));
  await fake.act("finish");
  await until("it is ready", () => {
    assert.ok(printer.isReady() || printer.describe().status !== "Ready", "it shows Ready and is not");
    return printer.isReady();
  });
  // The printer is polled rarely again.
  const { length } = (await fake.seen()).commands;
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.equal((await fake.seen()).commands.length, length);
  await protocol.close();
});

test("a machine that did not answer after a start is polled again soon", async () => {
  const known = { protocol: "odyssey", host: "127.0.0.1", port: odyssey.port } as const;
  const timing = { ...FAST, idlePollMs: LONG_MS };
  const printer = await connectedPrinter(await openedAlone(odysseyProtocol({ known: [known], timing })));
  // The first request for the state belongs to the job, the second one confirms its start.
  await odyssey.change({ faults: [{ at: "GET /status", after: 2, times: 1, how: "cut before" }] });
  await printer.submit(someJob({ extension: ".sl1", machineType: "PRUSA-SL1" }));
  const statusText = (): string => printer.describe().status;
  assert.equal(statusText(), "Does not answer");
  await until("it shows its print", () => statusText() === "Printing");
});
