import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { CancelledError } from "../../src/core/progress.ts";
import type { Printer, Protocol } from "../../src/printer/printer.ts";
import { newPrinters } from "../../src/printer/printers.ts";

/** A printer that has only a name and an address. */
const printer = (id: string, ip_address?: string): Printer =>
  ({ id, otherNames: [`${id}.local`], describe: () => ({ id, ip_address }) }) as unknown as Printer;

/** A protocol whose printers appear during the test. */
const protocol = (searches: boolean, ...connected: Printer[]): Protocol & { readonly here: Printer[] } => ({
  here: connected,
  connected: () => connected,
  ...(searches && {
    search: (_: string | undefined, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
  }),
  close: async () => {},
});

const never = new AbortController().signal;
const A_DAY_S = 86_400;

test("the list holds the printers of every protocol in order", () => {
  const [a, b, c] = [printer("a"), printer("b"), printer("c")];
  assert.deepEqual(newPrinters([protocol(false, a, b), protocol(true, c)]).list(), [a, b, c]);
});

test("a printer is found by its serial name, its address and its other names, but not by an empty name", () => {
  const [a, b, c] = [printer("a", ""), printer("b", "192.168.0.7"), printer("c")];
  const { find } = newPrinters([protocol(false, a, b, c)]);
  assert.equal(find("a"), a);
  assert.equal(find("192.168.0.7"), b);
  assert.equal(find("c"), c);
  assert.equal(find("c.local"), c);
  for (const nobody of ["", "A", "192.168.0.8", "undefined"]) assert.equal(find(nobody), undefined, nobody);
});

test("a connected printer is found without waiting", async () => {
  const a = printer("a");
  assert.equal(await newPrinters([protocol(true, a)]).findWithin("a", A_DAY_S, never), a);
});

test("if no protocol can search, there is no waiting", async () => {
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
  const ends: string[] = [];
  const waits = [printers.discover(0.2, never), printers.findWithin("b", 0.2, never)];
  await Promise.all([
    ...waits.map((wait) => wait.then(() => ends.push("wait"))),
    sleep(100).then(() => ends.push("less")),
  ]);
  assert.deepEqual(ends, ["less", "wait", "wait"]);
});

test("waiting ends when the request is cancelled", async () => {
  const printers = newPrinters([protocol(true)]);
  const soon = (): AbortSignal => AbortSignal.timeout(60);
  await assert.rejects(printers.discover(Number.MAX_VALUE, soon()), CancelledError);
  await assert.rejects(printers.findWithin("b", Number.MAX_VALUE, soon()), CancelledError);
});

test("protocols search for the named printer until it is found", async () => {
  const asked: (string | undefined)[] = [];
  const network = protocol(true);
  const searching: Protocol = {
    ...network,
    async search(target, signal) {
      asked.push(target);
      network.here.push(printer("b"));
      await network.search?.(target, signal);
      asked.push("ended");
    },
  };
  const printers = newPrinters([searching]);
  assert.equal((await printers.findWithin("b", A_DAY_S, never))?.id, "b");
  assert.deepEqual(asked, ["b", "ended"]);
  await printers.discover(0.01, never);
  assert.deepEqual(asked, ["b", "ended", undefined, "ended"]);
});

test("a name of two printers is refused at once with their ids, and each id finds one of them", async () => {
  const named = (id: string): Printer =>
    ({ ...printer(id), otherNames: ["Sat"], printerType: {} }) as unknown as Printer;
  const [a, b] = [named("0001"), named("0002")];
  const printers = newPrinters([protocol(true, a), protocol(true, b)]);
  const refusal = { code: "NOT_FOUND", message: /2 printers have the name "Sat".*"0001", "0002"/ };
  assert.throws(() => printers.find("Sat"), refusal);
  await assert.rejects(printers.findWithin("Sat", A_DAY_S, never), refusal);
  assert.equal(printers.find("0002"), b);
});

test("a printer that was named at the start and does not answer is reported under each of its names", () => {
  const missing = { names: ["Off", "192.168.0.9"], why: "it refuses" };
  const { whyMissing } = newPrinters([protocol(true), { ...protocol(true), missing: () => [missing] }]);
  for (const name of missing.names) assert.equal(whyMissing(name), "it refuses");
  assert.equal(whyMissing("Other"), undefined);
});
