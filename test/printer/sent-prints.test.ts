import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventLog, LogDetails } from "../../src/core/event-log.ts";
import type { Printer } from "../../src/printer/printer.ts";
import { newSentPrints } from "../../src/printer/sent-prints.ts";

const printer = (id: string, isReady: boolean): Printer =>
  ({ id, isReady: () => isReady }) as Partial<Printer> as Printer;
const sentTo = (id: string, name: string, print_now = true): LogDetails => ({
  printer: id,
  job_id: `id of ${name}`,
  job_name: name,
  print_now,
});

test("the last print of each printer runs until the printer is seen ready, also while it does not answer", () => {
  const lines: unknown[][] = [];
  const log: EventLog = { write: (...line) => void lines.push(line), close() {} };
  const sent = newSentPrints(log);
  const namesNow = (...printers: Printer[]): string[] =>
    sent.running(printers).map(({ jobName, printer, device }) => `${jobName} on ${printer}${device ? "" : ", silent"}`);
  const [busy, other] = [printer("Left", false), printer("Right", false)];

  sent.log.write("job held", sentTo("Left", "held"));
  sent.log.write("job failed", sentTo("Left", "failed"));
  sent.log.write("job sent", sentTo("Left", "waits for a person", false));
  assert.deepEqual(namesNow(busy, other), []);

  sent.log.write("job sent", sentTo("Left", "one"));
  sent.log.write("job sent", { ...sentTo("Right", "two"), queue: "All" });
  assert.deepEqual(namesNow(busy, other), ["one on Left", "two on Right"]);
  assert.deepEqual(namesNow(other), ["one on Left, silent", "two on Right"]);
  assert.deepEqual(namesNow(busy, printer("Right", true)), ["one on Left"]);
  assert.deepEqual(namesNow(busy, other), ["one on Left"], "what has ended stays ended");
  sent.log.write("job sent", sentTo("Left", "three"));
  assert.deepEqual(namesNow(busy), ["three on Left"]);
  assert.deepEqual(
    lines.map(([event]) => event),
    ["job held", "job failed", ...Array.from({ length: 4 }, () => "job sent")],
    "all is logged",
  );
});
