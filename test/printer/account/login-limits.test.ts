import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { operationFailed } from "../../../src/core/api-error.ts";
import { newLoginLimits } from "../../../src/printer/account/login-limits.ts";

/** Runs changes one after the other, like the session. */
function turns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(change: () => Promise<T>): Promise<T> => {
    const changed = last.then(change);
    last = changed.catch(() => {});
    return changed;
  };
}

const wrong = (): Promise<never> => Promise.reject(operationFailed("The password is wrong."));
const right = async (): Promise<string> => "token";

test("ten wrong guesses in a minute are checked, and no more until the minute is over", async () => {
  let nowMs = 0;
  const limits = newLoginLimits(turns(), () => nowMs);
  let checked = 0;
  const guess = (): Promise<never> => {
    checked++;
    return wrong();
  };
  for (let i = 0; i < 10; i++) {
    nowMs = i * 1000;
    await assert.rejects(limits.run(guess), /is wrong/);
    if (i < 9) assert.equal(await limits.run(right), "token");
  }
  nowMs = 30_000;
  for (const login of [guess, right])
    await assert.rejects(limits.run(login), {
      code: "OPERATION_FAILED",
      message: "10 logins were refused within a minute: try again in 30 s.",
    });
  assert.equal(checked, 10);
  nowMs = 60_000;
  assert.equal(await limits.run(right), "token");
  await assert.rejects(limits.run(guess), /is wrong/);
  await assert.rejects(limits.run(guess), /were refused within a minute/);
});

test("simultaneous guesses are limited, too", async () => {
  const limits = newLoginLimits(turns(), () => 0);
  let checked = 0;
  const guess = async (): Promise<never> => {
    checked++;
    await setImmediate();
    return wrong();
  };
  for (let round = 0; round < 4; round++) {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => limits.run(guess)));
    assert.ok(results.every(({ status }) => status === "rejected"));
  }
  assert.equal(checked, 10);
});

test("a ninth login is refused at once, and no login waits for more than half a minute", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const limits = newLoginLimits(turns(), () => 0);
  const held = Promise.withResolvers<string>();
  const first = limits.run(() => held.promise);
  let late = 0;
  const waiting = Array.from({ length: 7 }, () =>
    limits.run(async () => {
      late++;
      return "token";
    }),
  );
  const outcomes = Promise.allSettled(waiting);
  await assert.rejects(limits.run(right), /8 logins are waiting already/);
  t.mock.timers.tick(30_000);
  for (const outcome of await outcomes) {
    assert.equal(outcome.status, "rejected");
    assert.match(String(outcome.status === "rejected" && outcome.reason), /Other logins took 30 s/);
  }
  held.resolve("token");
  assert.equal(await first, "token");
  assert.equal(await limits.run(right), "token");
  assert.equal(late, 0, "those that gave up are not logged in later");
});
