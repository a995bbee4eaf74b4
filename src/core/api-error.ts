import { CancelledError } from "./progress.ts";

/**
 * The HTTP status of each error code. Source: the interface, "Codes shown", and its supplement. OPERATION_CANCELLED is a status of
 * synchronous requests only, whose scene was deleted. MALFORMED_REQUEST, EXPECTATION_FAILED, HEADERS_TOO_LARGE and TOO_MANY_CONNECTIONS
 * answer bytes that are no valid request, and requests that are not served (RFC 9110). STALE_STATE is of this program: a request that is based on a state which a later change replaced.
 */
export const ERROR_STATUS = {
  MALFORMED_REQUEST: 400,
  JSON_PARSE_ERROR: 400,
  JSON_SCHEMA_MATCH_ERROR: 400,
  MISSING_PARAMETER: 400,
  MISSING_QUERY_PARAMETER: 400,
  INVALID_QUERY_PARAMETER: 400,
  INPUT_ERROR: 400,
  OPERATION_FAILED: 400,
  FORBIDDEN_ORIGIN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  BUILD_VOLUME_LIMIT_EXCEEDED: 409,
  OPERATION_IN_PROGRESS: 409,
  OPERATION_CANCELLED: 409,
  STALE_STATE: 409,
  BODY_TOO_LARGE: 413,
  EXPECTATION_FAILED: 417,
  UNSUPPORTED_SCENE: 422,
  HEADERS_TOO_LARGE: 431,
  UNKNOWN_FAILURE: 500,
  INTERNAL_ERROR: 500,
  TIMED_OUT: 500,
  TOO_MANY_CONNECTIONS: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The body of every error answer. */
export interface ErrorEnvelope {
  error: { code: ErrorCode; message: string };
}

/** An error that is reported to the client: a code for programs, and a message with the cause and what to do about it. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  /** Whether the work was refused because it needs more memory than there is. */
  readonly needsMemory: boolean;

  constructor(code: ErrorCode, message: string, needsMemory = false) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.needsMemory = needsMemory;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** The error to report to the client for a thrown value: an ApiError as it is, anything else as `UNKNOWN_FAILURE`. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  // The code that cancels a request also answers it. A cancel arrives here only when the server stops.
  if (thrown instanceof CancelledError) {
    return operationFailed("The server stopped before the request was done: start it and send the request again.");
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  // The client gets the message; the stack trace is for the log of the server.
  console.error(thrown instanceof Error ? thrown.stack : thrown);
  return new ApiError("UNKNOWN_FAILURE", `The server met an unexpected failure: ${reason}`);
}

export function toEnvelope(error: ApiError): ErrorEnvelope {
  return { error: { code: error.code, message: error.message } };
}

/** Runs `work`. An ApiError that it throws gets the code `code`, and `prefix` before its message. */
export function withErrorPrefix<T>(code: ErrorCode, prefix: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw thrown instanceof ApiError ? new ApiError(code, `${prefix}: ${thrown.message}`) : thrown;
  }
}

/** Awaits `work`. An ApiError that it throws keeps its code and gets `prefix` before its message. */
export async function withErrorPrefixAsync<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof ApiError ? new ApiError(thrown.code, `${prefix}: ${thrown.message}`) : thrown;
  }
}

/** Makes the error for a file or value that is checked. `why` says what is wrong with it. */
export type ErrorFactory = (why: string) => ApiError;

export const inputError = (message: string): ApiError => new ApiError("INPUT_ERROR", message);
export const operationFailed = (message: string): ApiError => new ApiError("OPERATION_FAILED", message);
export const notFound = (message: string): ApiError => new ApiError("NOT_FOUND", message);

/** Maximum number of characters of a request that a message repeats. Requests may have megabytes. */
const MAX_EXCERPT_LENGTH = 500;

/** The beginning of a text, for use in a message: all of it up to 500 characters, else followed by an ellipsis. */
export const excerpt = (text: string): string =>
  text.length <= MAX_EXCERPT_LENGTH ? text : `${text.slice(0, MAX_EXCERPT_LENGTH)}…`;
