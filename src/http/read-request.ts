import type { Endpoint, Request } from "../api/endpoint.ts";
import { ApiError, type ErrorFactory, excerpt } from "../core/api-error.ts";
import { type Steps, runAtOnce, runStepwise } from "../core/steps.ts";
import { explainIssue, safeParse } from "../core/explain-issue.ts";
import { decodeJson, isRecord } from "../core/json.ts";
import { atPointer, matchSchema } from "../core/match-schema.ts";
import { type JsonLimits, JsonLimitError, scanJson } from "../core/scan-json.ts";
import type { ReceivedBody } from "./receive-body.ts";

interface UnparsedRequest {
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
  /** Extensions of the model files that the server converts. */
  readonly convertedExtensions?: readonly string[];
}

export interface ParsedRequest extends Request {
  readonly async: boolean;
}

/** A body up to this size is read in one step of one or two milliseconds. */
const SMALL_BODY_BYTES = 1 << 16;

/** Reads requests. Large bodies are read in steps, between which other requests are answered. */
type RequestReader = (endpoint: Endpoint, query: URLSearchParams, body: ReceivedBody) => Promise<ParsedRequest>;

export function newRequestReader(convertedExtensions: readonly string[] = []): RequestReader {
  let largeOnes: Promise<unknown> = Promise.resolve();
  return async (endpoint, query, body) => {
    const unparsed = (): UnparsedRequest => ({ query, body: body.bytes(), convertedExtensions });
    if (body.size <= SMALL_BODY_BYTES) {
      // Changes keep the order in which they arrived, also while an earlier request is still being read.
      if (endpoint.isQueued) await largeOnes;
      return runAtOnce(readRequest(endpoint, unparsed()));
    }
    const reading = largeOnes.then(() => runStepwise(readRequest(endpoint, unparsed())));
    largeOnes = reading.catch(() => {});
    return reading;
  };
}

/** Parses and checks a request in the order of the interface supplement: query, JSON, schema, file extension. */
export function* readRequest(
  endpoint: Endpoint,
  { query, body, convertedExtensions = [] }: UnparsedRequest,
): Steps<ParsedRequest> {
  const async = endpoint.async ? readAsync(query) : false;
  const parsedQuery = readQuery(endpoint, query);
  const request = { query: parsedQuery, body: yield* readBody(endpoint, body), async };
  // The body has matched the schema that types the parameter of the check.
  endpoint.check?.(request.body as never, convertedExtensions);
  return request;
}

function readAsync(query: URLSearchParams): boolean {
  const value = query.get("async") ?? "false";
  if (value !== "true" && value !== "false") throw invalidParameter("async", "must be true or false");
  return value === "true";
}

function readQuery({ query: schema }: Endpoint, query: URLSearchParams): unknown {
  if (!schema) return undefined;
  const given = Object.fromEntries(query);
  const parsed = safeParse(schema, given);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const name = String(issue.path?.[0]?.key);
  // An empty value counts as missing if the schema accepts any other text.
  if (!query.get(name) && issue.type !== "picklist") {
    throw new ApiError("MISSING_QUERY_PARAMETER", `The query parameter ${name} is required.`);
  }
  throw invalidParameter(name, explainIssue(issue, schema, given));
}

const invalidParameter = (name: string, reason: string): ApiError =>
  new ApiError("INVALID_QUERY_PARAMETER", `The query parameter ${name} is not valid: ${reason}.`);

/**
 * Limits of a body. A scene has at most 10,000 models and the server at most 10,000 records of operations, so no list of ids needs as many
 * values; no object has as many fields, and no path or name as many bytes.
 */
export const BODY_LIMITS: JsonLimits = {
  depth: 16,
  containers: 100_000,
  values: 100_000,
  keys: 1000,
  tokenBytes: 1 << 16,
  escapes: 1_000_000,
};

/** Parses a body and checks it against its schema. */
export function* readBody(
  { body: schema, bodyOptional, holdsSecrets = false }: Pick<Endpoint, "body" | "bodyOptional" | "holdsSecrets">,
  bytes: Uint8Array,
): Steps<unknown> {
  if (!schema) return undefined;
  const value = bytes.length === 0 && bodyOptional ? {} : yield* parseObject(bytes, holdsSecrets);
  return matchSchema(schema, value, schemaMismatch);
}

const IS_LIST = "it is a list, not {…}";

function* parseObject(bytes: Uint8Array, holdsSecrets: boolean): Steps<object> {
  if (bytes.length === 0) throw invalidJson("it is empty; send {} for no fields");
  if (FORM.test(new TextDecoder().decode(bytes.subarray(0, 200)))) throw invalidJson(FORM_REFUSED);
  try {
    yield* scanJson(bytes, BODY_LIMITS);
  } catch (thrown) {
    throw limitError(thrown as JsonLimitError);
  }
  const value = parse(bytes, holdsSecrets);
  yield;
  if (!isRecord(value)) throw invalidJson(Array.isArray(value) ? IS_LIST : "it is a single value, not {…}");
  return value;
}

/** The beginnings of multipart forms, in parts or on one line. */
const FORM = /^(--\S+\r?\nContent-Disposition: *form-data|[\w.%+-]+=)/i;

const FORM_REFUSED =
  'it is a form; send a JSON object. Files are not uploaded: {"file": "/full/path/part.stl"} names one on the server\'s machine';

function parse(bytes: Uint8Array, holdsSecrets: boolean): unknown {
  try {
    return decodeJson(bytes);
  } catch (thrown) {
    // The message of the parser repeats the text that it cannot read.
    throw invalidJson(holdsSecrets ? "look for a missing comma, quote or bracket" : excerpt((thrown as Error).message));
  }
}

/** The error for a body that nests too deeply, or has more values than any endpoint accepts. */
function limitError({ limit, path, message }: JsonLimitError): ApiError {
  if (limit === "depth") return invalidJson(message);
  if (typeof path[0] === "number") return invalidJson(IS_LIST);
  return schemaMismatch(atPointer(path, `the body is too large here, ${message}: send less at once`));
}

const invalidJson = (reason: string): ApiError =>
  new ApiError("JSON_PARSE_ERROR", `The body is not a valid JSON object: ${reason}.`);

/** The error for a body that does not match its schema. */
export const schemaMismatch: ErrorFactory = (message) => new ApiError("JSON_SCHEMA_MATCH_ERROR", message);
