import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ApiError,
  ERROR_STATUS,
  type ErrorCode,
  inputError,
  notFound,
  operationFailed,
  toApiError,
  toEnvelope,
} from "../../src/core/api-error.ts";

const CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

test("an ApiError is an error with its code, its message and the status of its code", () => {
  for (const code of CODES) {
    const error = new ApiError(code, "why");
    assert.ok(error instanceof Error);
    assert.deepEqual(
      [error.code, error.message, error.name, error.status],
      [code, "why", "ApiError", ERROR_STATUS[code]],
    );
  }
});

test("codes have the statuses of the interface", () => {
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
    OPERATION_CANCELLED: 409,
    OPERATION_IN_PROGRESS: 409,
    UNKNOWN_FAILURE: 500,
    INTERNAL_ERROR: 500,
  };
  const supplemented: Record<string, number> = {
    METHOD_NOT_ALLOWED: 405,
    REQUEST_TIMEOUT: 408,
    OPERATION_CANCELLED: 409,
    BODY_TOO_LARGE: 413,
    TIMED_OUT: 500,
    UNSUPPORTED_SCENE: 422,
    FORBIDDEN_ORIGIN: 403,
  };
  // For support points that were changed since a client read them (design of the page, section 11).
  const added = { STALE_STATE: 409 };
  // Codes for bytes that are not a request, and for requests that are not served (RFC 9110).
  const ofHttp = { MALFORMED_REQUEST: 400, EXPECTATION_FAILED: 417, HEADERS_TOO_LARGE: 431, TOO_MANY_CONNECTIONS: 503 };
  assert.deepEqual({ ...ERROR_STATUS }, { ...shown, ...supplemented, ...added, ...ofHttp });
});

test("the functions that make common errors set their codes", () => {
  const makers = [
    [inputError, "INPUT_ERROR"],
    [operationFailed, "OPERATION_FAILED"],
    [notFound, "NOT_FOUND"],
  ] as const;
  for (const [make, code] of makers) {
    const error = make("why");
    assert.deepEqual([error.code, error.message], [code, "why"]);
  }
});

test("an ApiError stays the same; any other thrown value becomes UNKNOWN_FAILURE with its reason", () => {
  const error = inputError("why");
  assert.equal(toApiError(error), error);
  const reasons: [thrown: unknown, reason: string][] = [
    [new TypeError("no such thing"), "no such thing"],
    ["a string", "a string"],
    [42, "42"],
    [undefined, "undefined"],
    [null, "null"],
  ];
  for (const [thrown, reason] of reasons) {
    const { code, message } = toApiError(thrown);
    assert.equal(code, "UNKNOWN_FAILURE");
    assert.ok(message.endsWith(`: ${reason}`), message);
  }
});

test("the envelope of an error has only its code and message", () => {
  assert.deepEqual(toEnvelope(notFound("gone")), { error: { code: "NOT_FOUND", message: "gone" } });
});
