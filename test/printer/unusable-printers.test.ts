import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { notConnectedMessage } from "../../src/api/preconditions.ts";
import type { EventLog, LogDetails } from "../../src/core/event-log.ts";
import { odysseyProtocol } from "../../src/printer/odyssey/odyssey-protocol.ts";
import { type Announcement, polledProtocol } from "../../src/printer/polled/polled-protocol.ts";
import type { Protocol } from "../../src/printer/printer.ts";
import { newPrinters } from "../../src/printer/printers.ts";
import { identifyPrusaLink } from "../../src/printer/prusalink/identify.ts";
import { sdcpProtocol } from "../../src/printer/sdcp/sdcp-protocol.ts";
import { UnusablePrinters } from "../../src/printer/unusable-printers.ts";
import { FAST } from "../fixture/polled.ts";
import { QUICK } from "../fixture/sdcp-bench.ts";
import { type Fakes, startSdcpFakes } from "../fixture/sdcp-fake.ts";
import { KEY, sl1Bench } from "../fixture/sl1-bench.ts";
import { connectedPrinter, until } from "../fixture/until.ts";

const ends: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const end of ends.toReversed()) await end();
});

function newLog() {
  const lines: (LogDetails & { readonly event: string })[] = [];
  const log: EventLog = { write: (event, details) => void lines.push({ ...details, event }), close() {} };
  return { lines, log };
}

function opened(protocol: Protocol): Protocol {
  ends.push(() => protocol.close());
  return protocol;
}

const never = new AbortController().signal;

/** Models of printers, and what the reason must name. */
const UNUSABLE = [
  [
    { name: "Big", machineName: "ELEGOO Jupiter SE" },
    /catalog has no printer called "ELEGOO Jupiter SE".*"network": "SDCP".*for --machines FILE \(docs\/own-printers\.md\)/,
  ],
  [{ name: "Thread", machineName: "Centauri Carbon" }, /prints with filament/],
  [{ name: "Panel", resolution: "11520x5120" }, /panel of 11520x5120 pixels.*15120x6230/],
  [{ name: "Future", protocolVersion: "V9.1" }, /version "V9\.1" of SDCP.*V1 and V3: update its firmware/],
  [{ name: "Stick", machineName: "ELEGOO Saturn 3" }, /not sent over the network.*USB stick/],
] as const;

test("printers with SDCP that answer a search and cannot be used are listed, and logged once, with the reason", async () => {
  const fakes: Fakes = await startSdcpFakes(
    ...[...UNUSABLE.map(([config]) => config), { name: "Good" }].map((config, i) => ({
      host: `127.0.0.${i + 2}`,
      mainboardId: `${i}`.padStart(16, "a"),
      ...config,
    })),
  );
  ends.push(fakes.stop);
  const { lines, log } = newLog();
  const known = fakes.printers.map(({ host, port }) => ({ protocol: "sdcp", host, port }) as const);
  const protocol = opened(sdcpProtocol({ known, log, discoveryAddresses: [], timing: QUICK }));
  const printers = newPrinters([protocol]);
  await until("all are known", () => printers.list().length === 1 && printers.unusable().length === UNUSABLE.length);
  await printers.discover(0.5, never);
  assert.deepEqual(
    printers.list().map(({ id }) => id),
    ["Good"],
  );
  const listed = printers.unusable();
  for (const [{ name }, reason] of UNUSABLE) {
    const [one, ...more] = listed.filter(({ id }) => id === name);
    assert.deepEqual(more, []);
    assert.match(one.reason, reason);
    const written = lines.filter(({ printer }) => printer === name);
    assert.deepEqual(
      written.map(({ event, reason: why }) => [event, why]),
      [["printer unusable", one.reason]],
    );
  }
  const bad = fakes.printers[0];
  assert.match(printers.whyMissing(bad.host) ?? "", /cannot be used: the catalog has no printer called/);
  // With another firmware it can be used.
  await fakes.printers[3].set({ protocolVersion: "V3.0.0" });
  await until("it is connected", () => printers.find("Future") !== undefined);
  assert.ok(printers.unusable().every(({ id }) => id !== "Future"));
});

test("hosts that announce themselves as printers and are none are listed, and logged once, with the reason", async () => {
  const server = createServer((_, response) => response.end('{"text":"OctoPrint 1.9"}')).listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(async () => server.close());
  const { port } = server.address() as AddressInfo;
  const announcement: Announcement = { host: "127.0.0.1", port, hostname: "octopi", model: "OctoPrint on pi" };
  const { lines, log } = newLog();
  const protocol = opened(
    polledProtocol({
      protocol: "prusalink",
      known: [],
      port: 80,
      identify: (host, timing, signal) => identifyPrusaLink(host, new Set(), timing, signal),
      listen: async (found) => found(announcement),
      timing: FAST,
      log,
    }),
  );
  const printers = newPrinters([protocol]);
  for (let i = 0; i < 2; i++) {
    await printers.discover(0.2, never);
    await until("it is listed", () => printers.unusable().length === 1);
  }
  const reason = `127.0.0.1:${port} is no Prusa printer, but "OctoPrint 1.9"`;
  const facts = { id: "octopi", productName: "OctoPrint on pi", ipAddress: "127.0.0.1", missingAs: undefined, reason };
  assert.deepEqual(printers.unusable(), [facts]);
  for (const name of ["octopi", "127.0.0.1"])
    assert.equal(
      notConnectedMessage(printers, name, ""),
      `The printer "${name}" answers and cannot be used: ${reason}.`,
    );
  const { id, productName, ipAddress } = facts;
  const line = { event: "printer unusable", printer: id, product_name: productName, ip_address: ipAddress, reason };
  assert.deepEqual(lines, [line]);
});

test("a printer with a wrong key is listed with the way out until its key is right", async () => {
  const bench = await sl1Bench({ api: "v1", auth: "digest", key: KEY, model: "SL1S" });
  const protocol = opened(bench.open({ key: "wrong" }));
  const printer = await connectedPrinter(protocol);
  assert.equal(printer.isReady(), false);
  const [unusable] = protocol.unusable!();
  assert.equal(unusable.id, printer.id);
  assert.match(unusable.reason, /refuses the .*key.*compare it with the one in the printer's menu/);
});

test("a known host that answers something else is unusable, and one that is off is listed as missing", async () => {
  const server = createServer((_, response) => response.end("<html>")).listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(async () => server.close());
  const { port } = server.address() as AddressInfo;
  const { lines, log } = newLog();
  const known = [
    { protocol: "odyssey", host: "127.0.0.1", port, name: "Router" },
    { protocol: "odyssey", host: "127.0.0.1", port: 1, name: "Off" },
  ] as const;
  const printers = newPrinters([opened(odysseyProtocol({ known, log, timing: FAST }))]);
  await until("both have failed", () => lines.length === 2);
  assert.deepEqual(lines.map(({ event, printer }) => `${event}: ${printer}`).toSorted(), [
    "printer not reached: Off",
    "printer unusable: Router",
  ]);
  const reasons = Object.fromEntries(printers.unusable().map(({ id, reason }) => [id, reason]));
  assert.deepEqual(Object.keys(reasons).toSorted(), ["Off", "Router"]);
  assert.match(reasons.Router, /not JSON.*check its address and port/);
  assert.match(reasons.Off, /refuses connections: check/);
});

test("a printer that was found is no longer listed ten minutes after its last answer, and not logged again", () => {
  const { lines, log } = newLog();
  let nowMs = 0;
  const unusable = new UnusablePrinters(log, () => nowMs);
  const printer = { id: "a", productName: "", reason: "x" };
  unusable.note("a", printer);
  nowMs = 599_000;
  assert.deepEqual(unusable.list(), [printer]);
  nowMs = 601_000;
  assert.deepEqual(unusable.list(), []);
  unusable.note("a", printer);
  assert.deepEqual([unusable.list(), lines.length], [[printer], 1]);
  unusable.remove("a");
  assert.deepEqual(unusable.list(), []);
});
