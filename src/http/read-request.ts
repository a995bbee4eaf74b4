import * as v from "valibot";
import type { Endpoint, Request } from "../api/endpoint.ts";
import { Fault } from "../core/fault.ts";
import { isRecord } from "../core/is-record.ts";
import { parseJson } from "../core/parse-json.ts";
import { schemaFault } from "./schema-fault.ts";

export interface Arrived {
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
}

/** What can be told from the request alone, in the order of the supplement: query, JSON, schema, file extension. */
export function readRequest(endpoint: Endpoint, { query, body }: Arrived): Request & { readonly async: boolean } {
  const async = endpoint.async ? readAsync(query) : false;
  const request = { query: readQuery(endpoint, query), body: readBody(endpoint, body), async };
  endpoint.check?.(request.body as never);
  return request;
}

function readAsync(query: URLSearchParams): boolean {
  const value = query.get("async") ?? "false";
  if (value !== "true" && value !== "false") throw badParameter("async", "must be true or false");
  return value === "true";
}

function readQuery({ query: schema }: Endpoint, query: URLSearchParams): unknown {
  if (!schema) return undefined;
  const parsed = v.safeParse(schema, Object.fromEntries(query));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const name = String(issue.path?.[0]?.key);
  if (!query.has(name)) throw new Fault("MISSING_QUERY_PARAMETER", `The query parameter ${name} is required.`);
  throw badParameter(name, issue.message);
}

const badParameter = (name: string, reason: string): Fault =>
  new Fault("INVALID_QUERY_PARAMETER", `The query parameter ${name} is not valid: ${reason}.`);

/** Deeper than the body of any endpoint. */
const MAX_BODY_DEPTH = 16;

function readBody({ body: schema, bodyOptional }: Endpoint, bytes: Uint8Array): unknown {
  if (!schema) return undefined;
  const parsed = v.safeParse(schema, bytes.length === 0 && bodyOptional ? {} : parseObject(bytes), {
    abortEarly: true,
  });
  if (parsed.success) return parsed.output;
  throw schemaFault(parsed.issues[0]);
}

function parseObject(bytes: Uint8Array): object {
  const value = parse(bytes);
  if (!isRecord(value)) throw notJson("it is not a JSON object");
  return value;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, MAX_BODY_DEPTH);
  } catch (thrown) {
    throw notJson((thrown as Error).message);
  }
}

const notJson = (reason: string): Fault =>
  new Fault("JSON_PARSE_ERROR", `The body is not a valid JSON object: ${reason}.`);
