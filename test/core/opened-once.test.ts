import assert from "node:assert/strict";
import { test } from "node:test";
import { openedOnce } from "../../src/core/opened-once.ts";

/** What counts how often it was opened and closed, and fails to open while `isBroken`. */
function counted() {
  const counts = { opened: 0, closed: 0, isBroken: false };
  const once = openedOnce(async () => {
    counts.opened++;
    if (counts.isBroken) throw new Error("is away");
    return { close: async () => void counts.closed++ };
  });
  return { counts, once };
}

test("callers at the same time share one opening", async () => {
  const { counts, once } = counted();
  const [one, other] = await Promise.all([once.open(), once.open()]);
  assert.equal(one, other);
  assert.equal(counts.opened, 1);
});

test("after a failure the next call opens again", async () => {
  const { counts, once } = counted();
  counts.isBroken = true;
  await assert.rejects(once.open(), /is away/);
  counts.isBroken = false;
  await once.open();
  assert.equal(counts.opened, 2);
});

test("it is closed once, however often it is asked to close, and not if it was never opened", async () => {
  const { counts, once } = counted();
  await once.close();
  assert.equal(counts.closed, 0);
  await once.open();
  await Promise.all([once.close(), once.close()]);
  await once.close();
  assert.equal(counts.closed, 1);
});
