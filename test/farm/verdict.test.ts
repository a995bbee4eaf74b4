import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ending, verdictOf } from "../../src/farm/work/verdict.ts";

const failed = (code: string): Ending => ({ kind: "ended", status: 1, error: { code, message: "why" } });
const crashed = (code: number | null, signal: NodeJS.Signals | null): Ending => ({ kind: "crashed", code, signal });

/** What becomes of an attempt: the table of exit statuses. */
const TABLE: readonly (readonly [what: string, ending: Ending, attempt: number, kind: string | undefined])[] = [
  ["success", { kind: "ended", status: 0 }, 1, undefined],
  ["wrong steps", { kind: "ended", status: 2, error: { code: "NOT_FOUND", message: "" } }, 1, "dead"],
  [
    "a file of steps that cannot be read, first",
    { kind: "ended", status: 2, error: { code: "OPERATION_FAILED", message: "" } },
    1,
    "retry",
  ],
  ["wrong input", failed("INPUT_ERROR"), 1, "failed"],
  ["a missing id", failed("NOT_FOUND"), 1, "failed"],
  ["a wrong body", failed("JSON_SCHEMA_MATCH_ERROR"), 1, "failed"],
  ["a part that does not fit", failed("BUILD_VOLUME_LIMIT_EXCEEDED"), 1, "failed"],
  ["geometry or a full disk, first", failed("OPERATION_FAILED"), 1, "retry"],
  ["geometry or a full disk, again", failed("OPERATION_FAILED"), 2, "failed"],
  ["an unexpected failure", failed("UNKNOWN_FAILURE"), 2, "retry"],
  ["a time-out of a request", failed("TIMED_OUT"), 2, "retry"],
  ["a signal that the worker did not send", { kind: "ended", status: 143 }, 1, "retry"],
  ["an attempt that takes too long", { kind: "late", seconds: 60 }, 1, "retry"],
  ["an abort of the runtime", crashed(134, "SIGABRT"), 2, "retry"],
  ["a kill, first", crashed(null, "SIGKILL"), 1, "retry"],
  ["a kill again", crashed(null, "SIGKILL"), 2, "dead"],
  ["a kill again, by its status", crashed(137, null), 2, "dead"],
  ["a process that cannot be started", crashed(null, null), 1, "retry"],
  ["a cancel", { kind: "cancelled" }, 1, "cancelled"],
  ["a drain", { kind: "drained" }, 3, "give-back"],
];

for (const [what, ending, attempt, kind] of TABLE) {
  test(`${what} makes a job ${kind ?? "done"}`, () => assert.equal(verdictOf(ending, attempt)?.kind, kind));
}
