import assert from "node:assert/strict";
import { test } from "node:test";
import { longTest } from "../fixture/long.ts";
import { discoverDevices, listDevices } from "../../src/feature/printers/endpoint.ts";
import type { Endpoint, RequestContext, Server } from "../../src/api/endpoint.ts";
import { CancelledError } from "../../src/core/progress.ts";
import type { ConnectionType } from "../../src/printer/device.ts";
import type { Printer } from "../../src/printer/printer.ts";
import { newPrinters } from "../../src/printer/printers.ts";

// Cases that virtual printers cannot produce: busy printers, and printers in the network.

const printer = (id: string, connection_type: ConnectionType, isReady = true, more: Partial<Printer> = {}): Printer =>
  ({
    id,
    otherNames: [],
    printerType: {},
    isReady: () => isReady,
    describe: () => ({ id, connection_type }),
    ...more,
  }) as unknown as Printer;

const connected: Printer[] = [
  printer("virtual", "VIRTUAL"),
  printer("busy", "ETHERNET", false),
  printer("wifi", "WIFI"),
  printer("usb", "USB"),
];
const printers = newPrinters([
  { connected: () => connected, search: (_, signal) => aborted(signal), close: async () => {} },
]);

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve()));

/** The shares that requests have reported as progress. */
let shares: number[] = [];

async function idsOf(endpoint: Endpoint, request: object, signal = new AbortController().signal): Promise<string[]> {
  const context = { signal, report: (share: number) => void shares.push(share) } as unknown as RequestContext;
  const answer = await endpoint.handle({ query: {}, body: {}, ...request }, { printers } as Server, context);
  const { count, devices } = answer as { count: number; devices: { id: string }[] };
  assert.equal(count, devices.length);
  return devices.map(({ id }) => id);
}

const list = (can_print: string, devices: string[]): Promise<string[]> =>
  idsOf(listDevices, { query: { can_print }, body: { devices } });
const discover = (body: object): Promise<string[]> => idsOf(discoverDevices, { body });

test("can_print leaves out printers that accept no job now", async () => {
  assert.deepEqual(await list("false", []), ["virtual", "busy", "wifi", "usb"]);
  assert.deepEqual(await list("true", []), ["virtual", "wifi", "usb"]);
});

test("can_print lists busy printers that hold a job, and no printers that accept no job at all", async () => {
  const all = [
    printer("prints", "WIFI", false, { acceptsJobs: () => true }),
    printer("broken", "WIFI", true, { acceptsJobs: () => false }),
    { id: "queue", otherNames: [], describe: () => ({ id: "queue" }) } as unknown as Printer,
  ];
  const others = newPrinters([{ connected: () => all, close: async () => {} }]);
  const request = { query: { can_print: "true" }, body: { devices: [] } };
  const answer = await listDevices.handle(request, { printers: others } as Server, {} as RequestContext);
  assert.deepEqual(answer, { count: 1, devices: [{ id: "prints", connection_type: "WIFI" }] });
});

test("can_print does not apply to named devices", async () => {
  assert.deepEqual(await list("true", ["wifi", "busy"]), ["wifi", "busy"]);
});

test("discovery lists every connected printer except virtual ones", async () => {
  assert.deepEqual(await discover({ timeout_seconds: 0 }), ["busy", "wifi", "usb"]);
});

test("discovery of a connected printer does not wait; a virtual one is not listed", async () => {
  assert.deepEqual(await discover({ timeout_seconds: 86_400, printer: "usb" }), ["busy", "wifi", "usb"]);
  assert.deepEqual(await discover({ timeout_seconds: 86_400, printer: "virtual" }), []);
});

test("discovery of a printer that does not announce itself in time is an error", async () => {
  await assert.rejects(discover({ timeout_seconds: 0, printer: "nobody" }), { code: "OPERATION_FAILED" });
});

longTest("discovery reports the share of its time that has passed", async () => {
  shares = [];
  await discover({ timeout_seconds: 0.8 });
  assert.ok(shares.length >= 1);
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => a - b),
  );
  assert.ok(shares[0] > 0 && shares[shares.length - 1] >= 1);
});

test("discovery waits for at most nine minutes", async () => {
  let asked: number | undefined;
  const counting = { ...printers, discover: async (timeoutS: number) => void (asked = timeoutS) };
  await discoverDevices.handle(
    { query: {}, body: { timeout_seconds: 1e300 } },
    { printers: counting } as unknown as Server,
    {
      signal: new AbortController().signal,
    } as RequestContext,
  );
  assert.equal(asked, 540);
});

test("discovery waits for the next printer, and ends when it is cancelled", async () => {
  const late = discover({ timeout_seconds: 86_400, printer: "late" });
  connected.push(printer("late", "WIFI"));
  assert.deepEqual(await late, ["busy", "wifi", "usb", "late"]);
  const cancelled = idsOf(discoverDevices, { body: { timeout_seconds: 86_400 } }, AbortSignal.timeout(20));
  await assert.rejects(cancelled, CancelledError);
});
