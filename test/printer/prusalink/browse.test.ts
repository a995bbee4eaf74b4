import assert from "node:assert/strict";
import { after, test } from "node:test";
import { longTest } from "../../fixture/long.ts";
import type { Protocol } from "../../../src/printer/printer.ts";
import { prusaLinkProtocol } from "../../../src/printer/prusalink/prusalink-protocol.ts";
import type { FakeResponderOptions } from "../../fixture/fake/mdns-responder.ts";
import { type RunningFake, startFake } from "../../fixture/fake/start-fake.ts";
import { FAST, openedAlone } from "../../fixture/polled.ts";
import { until } from "../../fixture/until.ts";
import { KEY, sl1Bench } from "../../fixture/sl1-bench.ts";
import { someJob } from "../../fixture/some-job.ts";

const bench = await sl1Bench({ api: "v1", auth: "digest", key: KEY, model: "SL1S" });

async function announce(options: Partial<FakeResponderOptions> = {}): Promise<RunningFake> {
  const responder = await startFake("mdns-responder.ts", {
    service: "_octoprint._tcp.local",
    instance: 'Original Prusa "prusa-sl1s"',
    hostname: "prusa-sl1s",
    port: bench.fake.port,
    txt: ["model=SL1S"],
    address: "127.0.0.1",
    ...options,
  });
  after(() => responder.stop());
  return responder;
}

const open = async (mdnsPort: number, known: { name: string } | undefined = undefined): Promise<Protocol> =>
  openedAlone(
    prusaLinkProtocol(
      {
        known: known
          ? [
              {
                protocol: "prusalink",
                host: "127.0.0.1",
                port: bench.fake.port,
                credentials: { username: undefined, key: KEY },
                ...known,
              },
            ]
          : [],
        discoveryAddresses: ["127.0.0.1"],
        timing: FAST,
      },
      mdnsPort,
    ),
  );

async function searchFor(protocol: Protocol, holds: () => boolean | Promise<boolean>): Promise<void> {
  const ended = new AbortController();
  const searching = protocol.search!(undefined, ended.signal);
  try {
    await until("the search", holds);
  } finally {
    ended.abort();
    await searching;
  }
}

test("an SL1S that announces itself is found by a search, and is listed although its key is not known", async () => {
  const before = ["", "00", "0000840000000001", "ff".repeat(500)];
  const protocol = await open((await announce({ before })).port);
  assert.deepEqual(protocol.connected(), []);
  await searchFor(protocol, () => protocol.connected().length > 0);
  const [printer] = protocol.connected();
  assert.equal(printer.id, "prusa-sl1s");
  assert.deepEqual(printer.machineTypes, ["PRUSA-SL1S"]);
  assert.equal(printer.describe().ready_to_print_now, false);
  const job = someJob({ ...bench.job, writeTo: () => assert.fail("it was sliced") });
  await assert.rejects(printer.submit(job), { code: "OPERATION_FAILED", message: /API key.*printers file/ });
});

test("a known printer that announces itself is listed once", async () => {
  await bench.fake.change({ requests: [] });
  const protocol = await open((await announce()).port, { name: "Left" });
  await until("it is connected", () => protocol.connected().length === 1);
  const ended = new AbortController();
  const searching = protocol.search!(undefined, ended.signal);
  await until("time passes", async () => (await bench.fake.state()).requests.length > 20);
  ended.abort();
  await searching;
  assert.deepEqual(
    protocol.connected().map(({ id }) => id),
    ["Left"],
  );
});

test("a different device that announces itself is not listed", async () => {
  const other = await sl1Bench({ api: "v1", auth: "none", key: "", model: "SL1" });
  await other.fake.change({ faults: [{ at: "GET /api/version", how: 200, body: { text: "OctoPrint 1.9" } }] });
  const protocol = await open((await announce({ port: other.fake.port })).port);
  await searchFor(protocol, async () => (await other.fake.state()).requests.length > 0);
  assert.deepEqual(protocol.connected(), []);
});

longTest("a locked machine without any sign that it is an SL1 is not listed", async () => {
  await bench.fake.change({ requests: [] });
  const protocol = await open((await announce({ instance: "OctoPrint", hostname: "pi", txt: ["path=/"] })).port);
  await searchFor(protocol, async () => (await bench.fake.state()).requests.length > 1);
  assert.deepEqual(protocol.connected(), []);
});

test("without interfaces to search and without known printers there is no search", async () => {
  const protocol = prusaLinkProtocol({ known: [], discoveryAddresses: [] });
  assert.equal(protocol.search, undefined);
  await protocol.close();
});
