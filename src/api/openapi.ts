import type { JsonSchema } from "@valibot/to-json-schema";
import { ERROR_STATUS, type ErrorCode } from "../core/api-error.ts";
import { VERSION } from "../core/version.ts";
import type { Endpoint } from "./endpoint.ts";
import { errorCodesOf } from "./error-codes.ts";
import type { EVENT_STREAM } from "./event-stream-path.ts";
import { jsonSchemaOf, namedSchemas, referenceTo } from "./openapi-schemas.ts";

/** The OpenAPI 3.1 document of the interface, generated from the declarations of its endpoints; with the stream of events where it is given. */
export function openApi(endpoints: readonly Endpoint[], stream?: typeof EVENT_STREAM): object {
  const paths = Object.fromEntries(
    [...Map.groupBy(endpoints, ({ path }) => path)].map(([path, methods]) => [
      path,
      Object.fromEntries(methods.map((endpoint) => [endpoint.method.toLowerCase(), operationOf(endpoint)])),
    ]),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Printwright",
      version: VERSION,
      description: "Prepares print jobs for resin and powder 3D printers.",
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "Printwright" },
    },
    servers: [{ url: "http://127.0.0.1:{port}", variables: { port: { default: "44388" } } }],
    // No authentication: every client that reaches the port may call.
    security: [],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths: { ...paths, ...(stream && { [stream.path]: { get: streamOperation(stream) } }) },
    components: { schemas: { Error: ERROR, Accepted: ACCEPTED, ...namedSchemas() } },
  };
}

/** The groups of endpoints by the beginnings of their paths. The first that fits counts. */
const TAGS: readonly { readonly prefix: string; readonly name: string; readonly description: string }[] = [
  {
    prefix: "scene/model/validate/",
    name: "Checks",
    description: "Checks for problems that would spoil the print of a model.",
  },
  { prefix: "scene/model/", name: "Models", description: "The models of a scene: import, change, place, support." },
  { prefix: "scene/", name: "Scenes", description: "Scenes with their printer and material: files, pictures, jobs." },
  { prefix: "print-setting/", name: "Print settings", description: "Printers, materials and layer thicknesses." },
  { prefix: "device/", name: "Printers", description: "Printers of the network." },
  { prefix: "queue/", name: "Print queues", description: "Jobs that queues hold for their printers." },
  { prefix: "events/", name: "Events", description: "What happens to the jobs of the queue." },
  { prefix: "operation/", name: "Operations", description: "Requests that were started with ?async=true." },
  { prefix: "", name: "Server", description: "The server and the login of its user." },
];

const ERROR = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      description: "The error.",
      required: ["code", "message"],
      properties: {
        code: {
          type: "string",
          description: "Code for programs. Later versions may add codes.",
          examples: Object.keys(ERROR_STATUS),
        },
        message: {
          type: "string",
          description: "Text for people: the cause and the way out. The wording may change.",
        },
      },
    },
  },
};

const ACCEPTED = {
  type: "object",
  required: ["operation_id", "operation_url", "message"],
  properties: {
    operation_id: { type: "string", format: "uuid", description: "Id of the operation that was started." },
    operation_url: { type: "string", description: "Path that returns the status of the operation." },
    message: { type: "string", description: "Text for people." },
  },
};

function operationOf(endpoint: Endpoint): object {
  const { path, summary, body, bodyOptional, query, reply, async } = endpoint;
  const place = path.slice("/v1/".length, -1);
  const bodySchema = body && jsonSchemaOf(body, "input");
  const querySchema = query && jsonSchemaOf(query, "input");
  const codes = errorCodesOf(endpoint, [bodySchema ?? {}, querySchema ?? {}]);
  return {
    operationId: operationIdOf(path),
    tags: [TAGS.find(({ prefix }) => place.startsWith(prefix))!.name],
    summary: firstClause(summary),
    description: summary,
    parameters: [...(async ? [ASYNC] : []), ...(querySchema ? parametersOf(querySchema) : [])],
    ...(bodySchema && { requestBody: { required: !bodyOptional, ...json(bodySchema) } }),
    responses: {
      200: { description: "Success.", ...(reply && json(jsonSchemaOf(reply, "output"))) },
      ...(async && {
        202: { description: "Started with ?async=true.", headers: LOCATION, ...json(referenceTo("Accepted")) },
      }),
      ...failuresOf(codes),
      default: FAILURE,
    },
  };
}

const streamOperation = ({ path, query, summary }: typeof EVENT_STREAM): object => ({
  operationId: operationIdOf(path),
  tags: ["Events"],
  summary: firstClause(summary),
  description: summary,
  parameters: parametersOf({ properties: query }),
  responses: {
    200: { description: "Success.", content: { "text/event-stream": { schema: { type: "string" } } } },
    ...failuresOf(["INVALID_QUERY_PARAMETER", "OPERATION_FAILED", "FORBIDDEN_ORIGIN"]),
    default: FAILURE,
  },
});

const operationIdOf = (path: string): string => path.slice(1, -1).replaceAll("/", ".");

const json = (schema: object): object => ({ content: { "application/json": { schema } } });

const FAILURE = { description: "Failure; error.code is stable.", ...json(referenceTo("Error")) };

/** The first clause of a description, without its full stop: the effect of the endpoint. */
const firstClause = (text: string): string =>
  /^(?:An addition to the interface\. )?(.*?)(?=[.:;](\s|$))/s.exec(text)?.[1] ?? text;

const LOCATION = {
  Location: { description: "Path that returns the status of the operation.", schema: { type: "string" } },
};

const ASYNC = {
  name: "async",
  in: "query",
  description:
    "Whether the request runs as an operation: the answer comes at once and has the id of the operation, from which a client fetches the result later.",
  schema: { type: "boolean", default: false },
};

const parametersOf = ({ properties = {}, required = [] }: JsonSchema): object[] =>
  Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as JsonSchema;
    return { name, in: "query", required: required.includes(name), description, schema };
  });

/** A response for each status of the codes, in ascending order. */
function failuresOf(codes: Iterable<ErrorCode>): Record<string, object> {
  const failures = [...Map.groupBy(codes, (code) => ERROR_STATUS[code])].map(([status, ofStatus]) => [
    status,
    { description: `With error.code ${ofStatus.join(" or ")}.`, ...json(referenceTo("Error")) },
  ]);
  return Object.fromEntries(failures);
}
