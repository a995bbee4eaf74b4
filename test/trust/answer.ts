import assert from "node:assert/strict";
import { ERROR_STATUS } from "../../src/core/api-error.ts";
import type { Reply } from "../fixture/client.ts";

/** After this time a request counts as hanging. Real work on a busy machine takes less. */
export const LONGEST_MS = 120_000;
/** Answers that take longer are counted. */
export const SLOW_MS = 30_000;

/** Messages of the runtime, which name no cause in the request. */
const NO_CAUSE = /unexpected failure|broke its worker|\[object|is not a function|undefined is not|NaN/;

/** Asserts that an answer conforms to the interface and does not result from a fault of the server. */
export function assertAnswered({ status, body }: Reply): void {
  assert.ok(status < 500, `${status}: ${JSON.stringify(body)}`);
  if (status < 400) return;
  assertEnvelope(body);
  const code: keyof typeof ERROR_STATUS = body.error.code;
  assert.equal(ERROR_STATUS[code], status, `${code} with ${status}`);
}

/** Asserts that an error, in an answer or an operation, has a code of the interface and a message with its cause. */
export function assertEnvelope(envelope: Reply["body"]): void {
  const { code, message } = envelope?.error ?? {};
  assert.ok(code in ERROR_STATUS && ERROR_STATUS[code as keyof typeof ERROR_STATUS] < 500, JSON.stringify(envelope));
  assert.ok(typeof message === "string" && message.length > 10 && message.length < 4000, JSON.stringify(envelope));
  assert.ok(!NO_CAUSE.test(message), message);
}
