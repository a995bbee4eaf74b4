import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { longTest } from "../../fixture/long.ts";
import type { LogEvent } from "../../../src/core/event-log.ts";
import { newPrinters } from "../../../src/printer/printers.ts";
import { type SdcpOptions, sdcpProtocol } from "../../../src/printer/sdcp/sdcp-protocol.ts";
import { QUICK, SOON, failedWith, gooJob } from "../../fixture/sdcp-bench.ts";
import { until } from "../../fixture/until.ts";
import { type Fakes, startSdcpFakes } from "../../fixture/sdcp-fake.ts";

const ends: (() => Promise<void>)[] = [];
after(async () => {
  for (const end of ends.toReversed()) await end();
});

/** A free port below those that the system assigns: one for discovery, one for the services of all printers. */
async function freePort(): Promise<number> {
  const socket = createSocket("udp4");
  const port = await new Promise<number>((resolve) => socket.bind(0, () => resolve(socket.address().port)));
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

async function startNetwork(
  ...configs: Parameters<typeof startSdcpFakes>
): Promise<{ fakes: Fakes; ports: { udp: number; tcp: number } }> {
  const ports = { udp: await freePort(), tcp: await freePort() };
  const fakes = await startSdcpFakes(
    ...configs.map((config, i) => ({ host: `127.0.0.${i + 2}`, port: ports.tcp, broadcastPort: ports.udp, ...config })),
  );
  ends.push(fakes.stop);
  return { fakes, ports };
}

function open(options: Partial<SdcpOptions>) {
  const protocol = sdcpProtocol({ known: [], discoveryAddresses: ["127.0.0.1"], timing: QUICK, ...options });
  ends.push(protocol.close);
  return { protocol, printers: newPrinters([protocol]) };
}

const never = new AbortController().signal;
const [A, B, C] = ["a", "b", "c"].map((letter) => letter.repeat(16));

longTest(
  "printers are found by broadcast, distinguished by their boards, and named by their owners' names if those are unique",
  async () => {
    const { fakes, ports } = await startNetwork(
      { mainboardId: A, name: "Saturn" },
      { mainboardId: B, name: "Saturn", announces: "nested", machineName: "Saturn 4 Ultra", resolution: "11520x5120" },
      { mainboardId: C, name: "Left", machineName: "Mars 5 Ultra", resolution: "8520x4320" },
      { mainboardId: "d".repeat(32), name: "Filament", machineName: "Centauri Carbon" },
      { mainboardId: "e".repeat(16), name: "Wrong panel", resolution: "11520x5120" },
    );
    const { protocol, printers } = open({ ports });
    assert.deepEqual(protocol.connected(), []);
    await sleep(100);
    assert.equal((await fakes.printers[0].seen()).probes, 0, "nothing is sent unless a request asks");
    assert.equal((await printers.findWithin("Left", 10, never))?.id, "Left");
    await printers.discover(0.5, never);
    assert.deepEqual(
      protocol
        .connected()
        .map(({ id }) => id)
        .toSorted(),
      ["Left", A, B].toSorted(),
    );
    assert.deepEqual(
      protocol.unusable!()
        .map(({ id, ipAddress }) => `${id} at ${ipAddress}`)
        .toSorted(),
      ["Filament at 127.0.0.5", "Wrong panel at 127.0.0.6"],
    );
    const types = protocol
      .connected()
      .map(({ machineTypes }) => machineTypes.join())
      .toSorted();
    assert.deepEqual(types, ["ELEGOO-M5U", "ELEGOO-S4U-12K", "ELEGOO-S4U-16K"]);
    // By name, address and board; a name of two printers is refused with both ids.
    assert.equal(printers.find("127.0.0.2")?.id, A);
    assert.equal(printers.find(C)?.id, "Left");
    assert.throws(() => printers.find("Saturn"), { code: "NOT_FOUND", message: /^2 printers.*"[ab]{16}", "[ab]{16}"/ });
    // A second search makes no second connection.
    await printers.discover(0.3, never);
    assert.equal((await fakes.printers[0].seen()).clients, 1);
    const filament = await fakes.printers[3].seen();
    assert.deepEqual([filament.connections, filament.probes > 0], [0, true]);
  },
);

test("a printer whose broadcasts are lost is found by its address", async () => {
  const { ports } = await startNetwork({ mainboardId: A, name: "Far" });
  const { printers } = open({ ports: { udp: ports.tcp, tcp: ports.tcp }, discoveryAddresses: undefined });
  assert.equal((await printers.findWithin("127.0.0.2", 10, never))?.id, "Far");
});

test("without interfaces for discovery there is no search", async () => {
  const { protocol, printers } = open({ discoveryAddresses: [] });
  assert.equal(protocol.search, undefined);
  await printers.discover(60, never);
});

test("a known printer is connected from the start, with its given name and one connection, and the log has its connects and disconnects", async () => {
  const { fakes, ports } = await startNetwork({ mainboardId: A, name: "Saturn" });
  const [fake] = fakes.printers;
  const events: [LogEvent, unknown][] = [];
  const { protocol, printers } = open({
    ports,
    known: [
      { protocol: "sdcp", host: "127.0.0.2", port: ports.tcp, name: "Left" },
      { protocol: "odyssey", host: "127.0.0.2", name: "Other" },
    ],
    log: { write: (event, details) => void events.push([event, details?.printer]), close() {} },
  });
  await until("it is connected", () => protocol.connected().length === 1);
  assert.equal(protocol.connected()[0].id, "Left");
  assert.equal(printers.find("Saturn")?.id, "Left");
  await printers.discover(0.3, never);
  assert.equal((await fake.seen()).clients, 1);
  const [before] = protocol.connected();
  await fake.act("gone");
  await until("it is lost", () => protocol.connected().length === 0);
  await sleep(100);
  await fake.act("back");
  await until("it is found again", () => protocol.connected().length === 1);
  assert.equal(protocol.connected()[0], before);
  assert.deepEqual(events, [
    ["printer found", "Left"],
    ["printer lost", "Left"],
    ["printer found", "Left"],
  ]);
});

test("a different printer at a known address counts as a different one", async () => {
  const { fakes, ports } = await startNetwork({ mainboardId: A, name: "Old" });
  const [fake] = fakes.printers;
  const known = [{ protocol: "sdcp", host: "127.0.0.2", port: ports.tcp }] as const;
  const { protocol } = open({ ports, known, timing: { ...QUICK, reconnectMs: SOON.reconnectMs } });
  await until("it is connected", () => protocol.connected()[0]?.id === "Old");
  const job = gooJob();
  const taken = protocol.connected()[0].submit({
    ...job,
    async writeTo(path, beforeRename) {
      await fake.act("gone");
      await fake.set({ mainboardId: B, name: "New" });
      await fake.act("back");
      await until("the new one is connected", () => protocol.connected()[0]?.id === "New");
      return job.writeTo(path, beforeRename);
    },
  });
  // A job that was sliced for the old printer is not sent to the new one.
  await assert.rejects(taken, failedWith("was lost", "Nothing was sent"));
  assert.equal((await fake.seen()).parts, 0);
  assert.ok(protocol.connected()[0].otherNames.includes(B));
});

test("a flood of answers finds a limited number of printers", async () => {
  const udp = await freePort();
  const { protocol } = open({ ports: { udp, tcp: await freePort() } });
  const flood = createSocket({ type: "udp4", reuseAddr: true });
  ends.push(() => new Promise((resolve) => flood.close(() => resolve())));
  await new Promise<void>((resolve) => flood.bind(udp, () => resolve()));
  flood.on("message", (_, { port, address }) => {
    for (let i = 0; i < 500; i++) {
      const facts = { MachineName: "Mars 5 Ultra", MainboardID: `b${i}`, ProtocolVersion: "V3.0.0", Name: "x" };
      flood.send(JSON.stringify({ Data: facts }), port, address);
    }
  });
  const searching = new AbortController();
  const search = protocol.search?.(undefined, searching.signal);
  await sleep(200);
  searching.abort();
  await search;
  assert.deepEqual(protocol.connected(), []);
});
