import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { ChangeSignal } from "../../src/farm/queue/change-signal.ts";

const LONG_MS = 60_000;

test("who waits for changes of a kind hears of these alone, and of those that may be of any", async () => {
  const signal = new ChangeSignal<"ready" | "end">();
  const heard: string[] = [];
  const wait = (name: string, changed: (timeoutMs: number) => Promise<void>): Promise<void> =>
    changed(LONG_MS).then(() => void heard.push(name));
  const [ready, all] = [signal.watch("ready"), signal.watch()];
  const waiting = [wait("ready", ready), wait("all", all)];
  signal.tell("end");
  await turn();
  assert.deepEqual(heard, ["all"]);
  signal.tell("ready");
  await Promise.all(waiting);
  assert.deepEqual(heard, ["all", "ready"]);
  for (const kind of [undefined, "ready"] as const) {
    // While nobody waits.
    signal.tell(kind);
    await Promise.all([ready(LONG_MS), all(LONG_MS)]);
  }
});
