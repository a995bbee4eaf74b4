import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { CancelledError } from "../../src/core/progress.ts";
import type { Printer, Protocol } from "../../src/printer/printer.ts";
import { newPrinters } from "../../src/printer/printers.ts";

/** Nothing but a name and an address. */
const printer = (id: string, ip_address?: string): Printer =>
  ({ id, describe: () => ({ id, ip_address }) }) as unknown as Printer;

/** A protocol whose printers come in the course of the test. */
const protocol = (listens: boolean, ...connected: Printer[]): Protocol & { readonly here: Printer[] } => ({
  listens,
  here: connected,
  connected: () => connected,
});

const never = (): void => {};
const A_DAY_S = 86_400;

test("the list holds the printers of every protocol in order", () => {
  const [a, b, c] = [printer("a"), printer("b"), printer("c")];
  assert.deepEqual(newPrinters([protocol(false, a, b), protocol(true, c)]).list(), [a, b, c]);
});

test("a printer is found by its serial name and by its address, but not by an empty name", () => {
  const [a, b, c] = [printer("a", ""), printer("b", "192.168.0.7"), printer("c")];
  const { find } = newPrinters([protocol(false, a, b, c)]);
  assert.equal(find("a"), a);
  assert.equal(find("192.168.0.7"), b);
  assert.equal(find("c"), c);
  for (const nobody of ["", "A", "192.168.0.8", "undefined"]) assert.equal(find(nobody), undefined, nobody);
});

test("a connected printer is found without waiting", async () => {
  const a = printer("a");
  assert.equal(await newPrinters([protocol(true, a)]).findWithin("a", A_DAY_S, never), a);
});

test("where no protocol listens there is no waiting", async () => {
  const printers = newPrinters([protocol(false, printer("a"))]);
  assert.equal(await printers.findWithin("b", A_DAY_S, never), undefined);
  await printers.discover(A_DAY_S, never);
});

test("a printer that announces itself in time is found", async () => {
  const network = protocol(true);
  const found = newPrinters([network]).findWithin("late", A_DAY_S, never);
  await sleep(20);
  const late = printer("late");
  network.here.push(printer("other"), late);
  assert.equal(await found, late);
});

test("waiting ends after its time", async () => {
  const printers = newPrinters([protocol(true, printer("a"))]);
  assert.equal(await printers.findWithin("b", 0, never), undefined);
  const began = performance.now();
  await printers.discover(0.2, never);
  assert.equal(await printers.findWithin("b", 0.2, never), undefined);
  assert.ok(performance.now() - began >= 390);
});

test("waiting ends when the request is cancelled", async () => {
  const printers = newPrinters([protocol(true)]);
  let looks = 0;
  const throwIfCancelled = (): void => {
    if (++looks === 2) throw new CancelledError();
  };
  await assert.rejects(printers.discover(Number.MAX_VALUE, throwIfCancelled), CancelledError);
  looks = 0;
  await assert.rejects(printers.findWithin("b", Number.MAX_VALUE, throwIfCancelled), CancelledError);
});
