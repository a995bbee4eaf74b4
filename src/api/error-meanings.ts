import type { ErrorCode } from "../core/api-error.ts";

/** The meaning of each error code. Source: the interface, "Codes shown", and its supplement. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, string>> = {
  MALFORMED_REQUEST: "The bytes are not a valid HTTP/1.1 request.",
  JSON_PARSE_ERROR: "The body is not a valid JSON object.",
  JSON_SCHEMA_MATCH_ERROR:
    "The body violates its schema: a field is missing, unknown or of the wrong type, or a value is not allowed. The message holds a JSON pointer to the value.",
  MISSING_PARAMETER: "The body lacks `scene_id`.",
  MISSING_QUERY_PARAMETER: "A required query parameter is missing.",
  INVALID_QUERY_PARAMETER: "A query parameter has a value that is not allowed.",
  INPUT_ERROR:
    "The request does not fit the state of the server: the scene is unknown, the file extension is not supported, a path is not absolute, or a value is too large for the scene.",
  OPERATION_FAILED: "The action failed; the message has the reason.",
  FORBIDDEN_ORIGIN: "`Host` or `Origin` is not a loopback name or a name given with `--allow-host`.",
  NOT_FOUND: "The model, operation, printer or path does not exist.",
  METHOD_NOT_ALLOWED: "The path exists, but not with this method; the header `Allow` has its methods.",
  REQUEST_TIMEOUT: "The request did not arrive in time.",
  BUILD_VOLUME_LIMIT_EXCEEDED: "More scenes are needed than the server holds (`--max-scenes`).",
  OPERATION_IN_PROGRESS: "An operation that is still running cannot be deleted.",
  OPERATION_CANCELLED: "The operation was cancelled, or its scene was deleted. It has changed nothing.",
  STALE_STATE: "The request is based on a state that a later change has replaced.",
  BODY_TOO_LARGE: "The body is larger than the server accepts now.",
  EXPECTATION_FAILED: "The request has an `Expect` header that the server does not support.",
  UNSUPPORTED_SCENE: "The printer or the material of the scene does not support this request.",
  HEADERS_TOO_LARGE: "The path and the headers are too large.",
  UNKNOWN_FAILURE: "The server had an unexpected failure.",
  INTERNAL_ERROR: "The catalog of print settings is damaged.",
  TIMED_OUT: "The request took longer than 10 minutes: send it with `?async=true`.",
  TOO_MANY_CONNECTIONS: "Too many connections are open.",
};
