import type { JsonSchema } from "@valibot/to-json-schema";
import { ERROR_STATUS, type ErrorCode } from "../core/api-error.ts";
import { ERROR_MEANINGS } from "./error-meanings.ts";
import { exampleBody } from "./example-body.ts";
import { type Parameter, fieldTables, link, parameterTable, table } from "./schema-tables.ts";

/** The parts of an operation of the OpenAPI document that people read. */
interface Operation {
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean } & Content;
  readonly responses: Readonly<Record<string, { readonly description: string } & ReplyContent>>;
}

interface Content {
  readonly content: { readonly "application/json": { readonly schema: JsonSchema } };
}

/** The answer of a stream has another type of media. */
type ReplyContent = { readonly content?: Partial<Content["content"]> };

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** An endpoint with the codes of its errors. */
interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly codes: readonly ErrorCode[];
}

/** The same document as `openApi`, in Markdown for people: endpoints by their tags, then the schemas that replies share. */
export function apiDocument(openApi: object): string {
  const { tags, paths, components } = openApi as Document;
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => {
      return { method: method.toUpperCase(), path, operation, codes: codesOf(operation) };
    }),
  );
  const common = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) =>
    entries.every(({ codes }) => codes.includes(code)),
  );
  const groups = Map.groupBy(entries, ({ operation }) => operation.tags[0]);
  const purposes = new Map(tags.map(({ name, description }) => [name, description]));
  return [
    INTRODUCTION,
    "## Endpoints",
    ...Array.from(groups, ([name, entries]) => [`**${link(name)}**`, "", ...entries.map(listItem)].join("\n")),
    ...Array.from(groups, ([name, entries]) => [
      `## ${name}`,
      purposes.get(name) ?? "",
      ...entries.flatMap((entry) => sectionOf(entry, common)),
    ]).flat(),
    "## Schemas",
    "Objects that several replies hold.",
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [`### ${name}`, ...fieldTables(schema, false)]),
    "## Errors",
    `Each error is answered as ${link("Error")}. A failed operation has the same object as its \`result\`. A request that fails changes nothing. All endpoints can answer ${listed(common)}; the other codes are named at each endpoint. Requests that reach no endpoint can be answered with any code of this table.`,
    table(
      ["code", "status", "meaning"],
      Object.entries(ERROR_MEANINGS).map(([code, meaning]) => [
        `\`${code}\``,
        String(ERROR_STATUS[code as ErrorCode]),
        meaning,
      ]),
    ),
  ].join("\n\n");
}

const INTRODUCTION = `# HTTP interface

This page is generated from the declarations of the endpoints, as the OpenAPI document is. \`printwright --api-docs\` prints it, \`GET /api.md\`
answers it; \`bun run docs\` renews the copy in the sources. \`docs/http.md\` explains sessions, long requests and cancelling.

Bodies and replies are JSON. A body may hold the fields of its table alone; a reply may gain fields in later versions. Lengths are in mm and angles
in degrees where a field names no unit. \`GET\`, \`POST\` and \`DELETE\` requests carry their fields in the body, except for the query parameters that are named as such.`;

const listItem = ({ method, path, operation }: Entry): string =>
  `- ${link(`${method} ${path}`)}: ${operation.summary}.`;

function sectionOf({ method, path, operation, codes }: Entry, common: readonly ErrorCode[]): string[] {
  const { description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content["application/json"].schema;
  const reply = responses[200]?.content?.["application/json"]?.schema;
  const query = parameters.filter(({ name }) => name !== "async");
  const errors = codes.filter((code) => !common.includes(code));
  return [
    `### ${method} ${path}`,
    description,
    ...(parameters.length > query.length
      ? ["Accepts `?async=true`: the answer is then `202` with an [Accepted](#accepted)."]
      : []),
    ...(query.length > 0 ? ["Query:", parameterTable(query)] : []),
    ...(body ? [requestBody.required ? "Body:" : "Body, which may be absent:", ...fieldTables(body, true)] : []),
    ...(reply ? ["Reply `200`:", ...fieldTables(reply, false)] : ["Reply: `200` without a body."]),
    ...(errors.length > 0 ? [`Errors: ${listed(errors)}.`] : []),
    `\`\`\`sh\n${exampleOf(method, path, query, body)}\n\`\`\``,
  ];
}

/** The request as a command of the shell. */
function exampleOf(method: string, path: string, query: readonly Parameter[], body: JsonSchema | undefined): string {
  const place = path.slice("/v1/".length, -1);
  const asked = query.filter(({ required }) => required);
  const values = asked.map(({ name, schema }) => `${name}=${String(exampleBody(schema, place))}`);
  const address = `http://localhost:44388${path}${values.length > 0 ? `?${values.join("&")}` : ""}`;
  const data = body ? ` -d '${JSON.stringify(exampleBody(body, place))}'` : "";
  const isUsual = method === (body ? "POST" : "GET");
  return `curl -s ${isUsual ? "" : `-X ${method} `}${address}${data}`;
}

/** Codes of the errors that responses name, in the order of their statuses. */
const codesOf = ({ responses }: Operation): ErrorCode[] =>
  Object.values(responses).flatMap(({ description }) =>
    Array.from(description.matchAll(/\b[A-Z_]+\b/g), ([word]) => word).filter(isCode),
  );

const isCode = (word: string): word is ErrorCode => Object.hasOwn(ERROR_STATUS, word);

const listed = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `\`${code}\` (${ERROR_STATUS[code]})`).join(", ");
