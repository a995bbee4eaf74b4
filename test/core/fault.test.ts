import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Fault, FAULT_STATUS, type FaultCode, inputError, notFound, operationFailed, toEnvelope, toFault,
} from "../../src/core/fault.ts";

const CODES = Object.keys(FAULT_STATUS) as FaultCode[];

test("a fault is an error with its code, its message and the status of its code", () => {
  for (const code of CODES) {
    const fault = new Fault(code, "why");
    assert.ok(fault instanceof Error);
    assert.deepEqual([fault.code, fault.message, fault.name, fault.status], [code, "why", "Fault", FAULT_STATUS[code]]);
  }
});

test("the codes that the interface shows have its statuses", () => {
  const shown: Record<string, number> = {
    JSON_PARSE_ERROR: 400,
    JSON_SCHEMA_MATCH_ERROR: 400,
    MISSING_PARAMETER: 400,
    MISSING_QUERY_PARAMETER: 400,
    INVALID_QUERY_PARAMETER: 400,
    INPUT_ERROR: 400,
    OPERATION_FAILED: 400,
    NOT_FOUND: 404,
    BUILD_VOLUME_LIMIT_EXCEEDED: 409,
    OPERATION_IN_PROGRESS: 409,
    UNKNOWN_FAILURE: 500,
    INTERNAL_ERROR: 500,
  };
  const supplemented: Record<string, number> = {
    METHOD_NOT_ALLOWED: 405,
    BODY_TOO_LARGE: 413,
    TIMED_OUT: 500,
    UNSUPPORTED_SCENE: 422,
    FORBIDDEN_ORIGIN: 403,
  };
  assert.deepEqual({ ...FAULT_STATUS }, { ...shown, ...supplemented });
});

test("the makers of common faults give their codes", () => {
  const makers = [[inputError, "INPUT_ERROR"], [operationFailed, "OPERATION_FAILED"], [notFound, "NOT_FOUND"]] as const;
  for (const [make, code] of makers) {
    const fault = make("why");
    assert.deepEqual([fault.code, fault.message], [code, "why"]);
  }
});

test("a fault stays itself; whatever else is thrown becomes UNKNOWN_FAILURE with its reason", () => {
  const fault = inputError("why");
  assert.equal(toFault(fault), fault);
  const reasons: [thrown: unknown, reason: string][] = [
    [new TypeError("no such thing"), "no such thing"],
    ["a string", "a string"],
    [42, "42"],
    [undefined, "undefined"],
    [null, "null"],
  ];
  for (const [thrown, reason] of reasons) {
    const { code, message } = toFault(thrown);
    assert.equal(code, "UNKNOWN_FAILURE");
    assert.ok(message.endsWith(`: ${reason}`), message);
  }
});

test("the envelope of a fault holds its code and message alone", () => {
  assert.deepEqual(toEnvelope(notFound("gone")), { error: { code: "NOT_FOUND", message: "gone" } });
});
