import { resolve } from "node:path";
import * as v from "valibot";
import type { Endpoint, Request } from "../api/endpoint.ts";
import { ENDPOINTS } from "../feature/endpoints.ts";
import { closestMatches } from "../catalog/resolve.ts";
import { ApiError, excerpt, inputError, notFound, toApiError } from "../core/api-error.ts";
import { explainIssue, safeParse } from "../core/explain-issue.ts";
import { runAtOnce } from "../core/steps.ts";
import { parseJson } from "../core/json.ts";
import { atPointer, matchSchema } from "../core/match-schema.ts";
import { readWholeFile } from "../core/read-file.ts";
import { readRequest, schemaMismatch } from "../http/read-request.ts";
import { jsonErrorLine } from "./json-error-line.ts";
import { type Reference, kindOfPart, referencesIn, resolveReferences } from "./references.ts";

/** A request of a steps file. */
export interface Step {
  /** 1-based. */
  readonly number: number;
  /** The name by which later steps refer to the result. */
  readonly name?: string | undefined;
  /** The short name of the endpoint, such as `scene/create`. */
  readonly request: string;
  readonly endpoint: Endpoint;
  readonly query: URLSearchParams;
  /** May contain references. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** An error of one step. */
export interface StepError {
  readonly step: Pick<Step, "number" | "name" | "request">;
  readonly error: ApiError;
}

/** A name that references can contain, whose parts are separated by dots. */
const NAME = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z_][\w-]*$/, "must begin with a letter and hold letters, digits, - and _ only"),
);

const STEPS = v.array(
  v.strictObject({
    name: v.optional(NAME),
    request: v.string(),
    query: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
    body: v.optional(v.record(v.string(), v.unknown()), {}),
  }),
);

/** The depth of bodies, plus that of the list and its steps. */
const MAX_DEPTH = 18;

/** The short name of an endpoint: its path without the version. */
export const shortName = ({ path }: Pick<Endpoint, "path">): string => path.replace(/^\/v1\/(.*)\/$/, "$1");

/** The endpoint for `scene/create`, `/v1/scene/create/` or `POST /v1/scene/create/`. Throws NOT_FOUND with the closest names. */
export function findEndpoint(request: string): Endpoint {
  const [, method, path = ""] = /^(?:([A-Z]+)\s+)?(.*)$/s.exec(request)!;
  const name = path.replace(/^\/?(?:v1(?:\/|$))?/, "").replace(/\/$/, "");
  const endpoint = ENDPOINTS.find((one) => shortName(one) === name || (name === "" && one.path === "/v1/"));
  if (!endpoint) {
    const closest = closestMatches(name, ENDPOINTS.map(shortName)).slice(0, 3).join(", ");
    throw notFound(`"${excerpt(request)}" is not a request: the closest are ${closest}; --openapi prints all.`);
  }
  if (method !== undefined && method !== endpoint.method)
    throw new ApiError("METHOD_NOT_ALLOWED", `${endpoint.path} takes ${endpoint.method}, not ${method}.`);
  return endpoint;
}

/** A step as written in a file. */
export type GivenStep = v.InferInput<typeof STEPS>[number];

/** Most bytes of a steps file, whose bodies are small. */
const MAX_FILE_BYTES = 64 * 2 ** 20;

/** Reads a steps file. Throws OPERATION_FAILED if it cannot be read, and as {@link readSteps}. */
export const readStepsFile = (file: string) => readSteps(readWholeFile(file, MAX_FILE_BYTES));

/** Reads the steps of a file. Throws for a file that is no list of steps. */
export const readSteps = (bytes: Uint8Array) => matchSchema(STEPS, parse(bytes), schemaMismatch);

/**
 * Checks steps as far as possible before one of them has a result. Returns them and the first error of each. Relative paths in bodies are
 * resolved from `folder`.
 */
export function checkSteps(given: readonly GivenStep[], folder: string, convertedExtensions: readonly string[]) {
  const steps: Step[] = [];
  const errors: StepError[] = [];
  for (const [i, { name, request, query = {}, body = {} }] of given.entries()) {
    try {
      const endpoint = findEndpoint(request);
      const texts = Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)]));
      const step: Step = {
        number: i + 1,
        name,
        request: shortName(endpoint),
        endpoint,
        query: new URLSearchParams(texts),
        body: withAbsolutePaths(body, folder),
      };
      checkStep(step, steps, given.slice(0, i), convertedExtensions);
      steps.push(step);
    } catch (thrown) {
      errors.push({ step: { number: i + 1, name, request }, error: toApiError(thrown) });
    }
  }
  return { steps, errors };
}

function parse(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = parseJson(bytes, MAX_DEPTH);
  } catch (thrown) {
    const place = thrown instanceof SyntaxError ? ` in line ${jsonErrorLine(new TextDecoder().decode(bytes))}` : "";
    const why = excerpt((thrown as Error).message);
    throw new ApiError("JSON_PARSE_ERROR", `The steps are not valid JSON${place}: ${why}.`);
  }
  if (!Array.isArray(value)) throw schemaMismatch('The steps must be a list: [{"request": …, "body": {…}}, …].');
  return value;
}

/** Fields of bodies that name files. */
export const PATH_FIELDS: ReadonlySet<string> = new Set(["file", "form_file", "fps_file", "other_file", "output_file"]);

/** The path fields of a body with their values, also those of lists in it, such as the orders of a plan. */
export function* pathFields(body: Readonly<Record<string, unknown>>): Generator<[field: string, value: unknown]> {
  for (const [key, value] of Object.entries(body)) {
    if (PATH_FIELDS.has(key)) yield [key, value];
    else if (typeof value === "object" && value !== null) yield* pathFields(value as Record<string, unknown>);
  }
}

/** Paths in a shell are relative to the current folder; those of the interface are absolute. */
const withAbsolutePaths = (body: Step["body"], folder: string): Step["body"] =>
  Object.fromEntries(Object.entries(body).map(([key, value]) => [key, withAbsolutePath(key, value, folder)]));

function withAbsolutePath(key: string, value: unknown, folder: string): unknown {
  if (PATH_FIELDS.has(key)) return typeof value === "string" && value !== "" ? resolve(folder, value) : value;
  if (Array.isArray(value)) return value.map((item, index) => withAbsolutePath(String(index), item, folder));
  return typeof value === "object" && value !== null ? withAbsolutePaths(value as Step["body"], folder) : value;
}

function checkStep(
  step: Step,
  before: readonly Step[],
  given: readonly { name?: string | undefined }[],
  convertedExtensions: readonly string[],
): void {
  const { name, endpoint, query, body } = step;
  if (name !== undefined && given.some((one) => one.name === name))
    throw inputError(`"${excerpt(name)}" names an earlier step: give each step another name.`);
  const taken = Object.keys((endpoint.query as { entries?: object } | undefined)?.entries ?? {});
  const unknown = [...query.keys()].find((key) => !taken.includes(key));
  if (unknown !== undefined)
    throw new ApiError("INVALID_QUERY_PARAMETER", `The query parameter ${excerpt(unknown)} is unknown here.`);
  const references = referencesIn(body).map((reference): CheckedReference => {
    const target = before.find((one) => one.name === reference.step);
    if (target) return { ...reference, kind: kindOfPart(reference, target.endpoint.reply) };
    // Where that step is invalid itself, its own error is reported.
    if (given.some((one) => one.name === reference.step)) return reference;
    throw unknownStep(reference, given);
  });
  if (references.length === 0) readStep(step, new Map(), convertedExtensions);
  else checkFields(step, references, convertedExtensions);
}

interface CheckedReference extends Reference {
  /** The kind of the part to which it refers, where that is known. */
  readonly kind?: string | undefined;
}

function unknownStep({ text, step }: Reference, given: readonly { name?: string | undefined }[]): ApiError {
  const names = given.flatMap((one) => one.name ?? []);
  const choices = names.length === 0 ? "no earlier step has a name" : `the names are ${names.join(", ")}`;
  return inputError(`{"$": "${excerpt(text)}"}: no earlier step is called "${excerpt(step)}": ${choices}.`);
}

/**
 * Checks the fields of a step. Throws as {@link readRequest} for fields without references, and for references to parts of another kind
 * than the field accepts.
 */
function checkFields(
  { endpoint: { body: schema, check }, body }: Step,
  references: readonly CheckedReference[],
  convertedExtensions: readonly string[],
): void {
  if (!schema) return;
  const parsed = safeParse(schema, body);
  for (const issue of parsed.issues ?? []) {
    const path = (issue.path ?? []).map(({ key }) => key);
    const isWithin = ({ place }: Reference): boolean =>
      path.slice(0, place.length).every((key, i) => key === place[i]) && issue.expected !== "never";
    const reference = references.find(isWithin);
    if (!reference) throw schemaMismatch(atPointer(path, explainIssue(issue, schema, body)));
    const { kind, place, text } = reference;
    const isOther = place.length === path.length && KIND_NAMES.has(issue.expected ?? "");
    if (kind !== undefined && isOther && kind !== issue.expected)
      throw schemaMismatch(
        atPointer(path, `takes ${KIND_NAMES.get(issue.expected!)}, not "${text}", ${KIND_NAMES.get(kind)}`),
      );
  }
  // The checks of endpoints beyond their schemas do not depend on ids.
  if (references.every(({ place }) => /_ids?$/.test(String(place[0]))))
    check?.(parsed.output as never, convertedExtensions);
}

/** The kinds of values in words, by the `expected` of issues. */
const KIND_NAMES: ReadonlyMap<string, string> = new Map([
  ["string", "a text"],
  ["number", "a number"],
  ["boolean", "true or false"],
  ["Array", "a list"],
  ["Object", "an object"],
]);

/** The request of a step, with the results of earlier steps inserted. Throws as over HTTP. */
export function readStep(
  { endpoint, query, body }: Step,
  results: ReadonlyMap<string, unknown>,
  convertedExtensions: readonly string[],
): Request {
  const resolved = resolveReferences(body, results);
  const bytes = new TextEncoder().encode(JSON.stringify(resolved));
  return runAtOnce(readRequest(endpoint, { query, body: bytes, convertedExtensions }));
}
