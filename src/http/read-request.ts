import * as v from "valibot";
import type { Endpoint, Request } from "../api/endpoint.ts";
import { ApiError, excerpt } from "../core/api-error.ts";
import { isRecord, parseJson } from "../core/json.ts";

interface UnparsedRequest {
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
}

/** Parses and checks a request, in the order of the supplement: query, JSON, schema, file extension. */
export function readRequest(
  endpoint: Endpoint,
  { query, body }: UnparsedRequest,
): Request & { readonly async: boolean } {
  const async = endpoint.async ? readAsync(query) : false;
  const request = { query: readQuery(endpoint, query), body: readBody(endpoint, body), async };
  // The body has matched the schema that types the parameter of the check.
  endpoint.check?.(request.body as never);
  return request;
}

function readAsync(query: URLSearchParams): boolean {
  const value = query.get("async") ?? "false";
  if (value !== "true" && value !== "false") throw invalidParameter("async", "must be true or false");
  return value === "true";
}

function readQuery({ query: schema }: Endpoint, query: URLSearchParams): unknown {
  if (!schema) return undefined;
  const parsed = v.safeParse(schema, Object.fromEntries(query));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const name = String(issue.path?.[0]?.key);
  if (!query.has(name)) throw new ApiError("MISSING_QUERY_PARAMETER", `The query parameter ${name} is required.`);
  throw invalidParameter(name, issue.message);
}

const invalidParameter = (name: string, reason: string): ApiError =>
  new ApiError("INVALID_QUERY_PARAMETER", `The query parameter ${name} is not valid: ${reason}.`);

/** Nesting of a body. No endpoint needs as much. */
const MAX_BODY_DEPTH = 16;

function readBody({ body: schema, bodyOptional }: Endpoint, bytes: Uint8Array): unknown {
  if (!schema) return undefined;
  const parsed = v.safeParse(schema, bytes.length === 0 && bodyOptional ? {} : parseObject(bytes), {
    abortEarly: true,
  });
  if (parsed.success) return parsed.output;
  throw schemaError(parsed.issues[0]);
}

function parseObject(bytes: Uint8Array): object {
  const value = parse(bytes);
  if (!isRecord(value)) throw invalidJson("it is not a JSON object");
  return value;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, MAX_BODY_DEPTH);
  } catch (thrown) {
    throw invalidJson((thrown as Error).message);
  }
}

const invalidJson = (reason: string): ApiError =>
  new ApiError("JSON_PARSE_ERROR", `The body is not a valid JSON object: ${reason}.`);

/** The error of a body that does not match its schema. The message begins with a JSON pointer (RFC 6901) to the value. */
export function schemaError(issue: v.BaseIssue<unknown>): ApiError {
  const keys = (issue.path ?? []).map((item) => String(item.key).replaceAll("~", "~0").replaceAll("/", "~1"));
  const pointer = keys.map((key) => `/${key}`).join("");
  return new ApiError("JSON_SCHEMA_MATCH_ERROR", `"${excerpt(pointer)}": ${excerpt(reasonOf(issue))}`);
}

function reasonOf(issue: v.BaseIssue<unknown>): string {
  if (issue.type === "strict_object" && issue.expected === "never") return "this field is unknown here.";
  if (issue.received === "undefined") return "is required.";
  return `${issue.message}.`;
}
