import assert from "node:assert/strict";
import { test } from "node:test";
import { discoverDevices } from "../../../src/api/device/discover.ts";
import { listDevices } from "../../../src/api/device/list.ts";
import type { Endpoint, Kit, Server } from "../../../src/api/endpoint.ts";
import { Cancelled } from "../../../src/core/watch.ts";
import type { ConnectionType } from "../../../src/printer/device.ts";
import type { Printer } from "../../../src/printer/printer.ts";
import { newPrinters } from "../../../src/printer/printers.ts";

// What virtual printers alone cannot show: printers that are busy, and printers in the network.

const printer = (id: string, connection_type: ConnectionType, isReady = true): Printer =>
  ({ id, isReady: () => isReady, describe: () => ({ id, connection_type }) }) as unknown as Printer;

const connected: Printer[] = [
  printer("virtual", "VIRTUAL"),
  printer("busy", "ETHERNET", false),
  printer("wifi", "WIFI"),
  printer("usb", "USB"),
];
const printers = newPrinters([{ listens: true, connected: () => connected }]);

async function idsOf(endpoint: Endpoint, request: object, throwIfCancelled = (): void => {}): Promise<string[]> {
  const kit = { throwIfCancelled } as Kit;
  const answer = await endpoint.perform({ query: {}, body: {}, ...request }, { printers } as Server, kit);
  const { count, devices } = answer as { count: number; devices: { id: string }[] };
  assert.equal(count, devices.length);
  return devices.map(({ id }) => id);
}

const list = (can_print: string, devices: string[]): Promise<string[]> =>
  idsOf(listDevices, { query: { can_print }, body: { devices } });
const discover = (body: object): Promise<string[]> => idsOf(discoverDevices, { body });

test("can_print leaves out printers that are busy", async () => {
  assert.deepEqual(await list("false", []), ["virtual", "busy", "wifi", "usb"]);
  assert.deepEqual(await list("true", []), ["virtual", "wifi", "usb"]);
});

test("of devices that are named, can_print leaves out none", async () => {
  assert.deepEqual(await list("true", ["wifi", "busy"]), ["wifi", "busy"]);
});

test("discovering answers every connected printer but virtual ones", async () => {
  assert.deepEqual(await discover({ timeout_seconds: 0 }), ["busy", "wifi", "usb"]);
});

test("discovering one that is connected does not wait; a virtual one gives none", async () => {
  assert.deepEqual(await discover({ timeout_seconds: 86_400, printer: "usb" }), ["busy", "wifi", "usb"]);
  assert.deepEqual(await discover({ timeout_seconds: 86_400, printer: "virtual" }), []);
});

test("discovering one that does not come in time is told", async () => {
  await assert.rejects(discover({ timeout_seconds: 0, printer: "nobody" }), { code: "OPERATION_FAILED" });
});

test("discovering waits for the next to come, and ends when it is cancelled", async () => {
  const late = discover({ timeout_seconds: 86_400, printer: "late" });
  connected.push(printer("late", "WIFI"));
  assert.deepEqual(await late, ["busy", "wifi", "usb", "late"]);
  const cancelled = idsOf(discoverDevices, { body: { timeout_seconds: 86_400 } }, () => {
    throw new Cancelled();
  });
  await assert.rejects(cancelled, Cancelled);
});
