import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { ERROR_STATUS, type ErrorCode } from "../core/api-error.ts";
import { VERSION } from "../core/version.ts";
import type { Endpoint } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { errorCodesOf } from "./error-codes.ts";
import { describeField } from "./field-descriptions.ts";
import type { OneOf } from "./schema.ts";

/** The OpenAPI 3.1 document of the interface, generated from the declarations of the endpoints. */
export function openApi(): object {
  const paths = Object.fromEntries(
    [...Map.groupBy(ENDPOINTS, ({ path }) => path)].map(([path, methods]) => [
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
    },
    servers: [{ url: "http://localhost:{port}", variables: { port: { default: "44388" } } }],
    paths,
    components: { schemas: { Error: ERROR, Accepted: ACCEPTED } },
  };
}

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
          description: "For programs; codes may be added.",
          examples: Object.keys(ERROR_STATUS),
        },
        message: {
          type: "string",
          description: "For people: the cause and what to do about it. The words may change.",
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
    operation_url: { type: "string", description: "Path that tells how the operation stands." },
    message: { type: "string", description: "For people." },
  },
};

function operationOf(endpoint: Endpoint): object {
  const { path, summary, body, bodyOptional, query, reply, async } = endpoint;
  const place = path.slice("/v1/".length, -1);
  const described = (schema: v.GenericSchema, typeMode: "input" | "output"): JsonSchema =>
    withDescriptions(schemaOf(schema, typeMode), place);
  const bodySchema = body && described(body, "input");
  const querySchema = query && described(query, "input");
  const codes = errorCodesOf(endpoint, [bodySchema ?? {}, querySchema ?? {}]);
  return {
    operationId: path.slice(1, -1).replaceAll("/", "."),
    summary,
    parameters: [...(async ? [ASYNC] : []), ...(querySchema ? parametersOf(querySchema) : [])],
    ...(bodySchema && { requestBody: { required: !bodyOptional, ...json(bodySchema) } }),
    responses: {
      200: { description: "Success.", ...(reply && json(described(reply, "output"))) },
      ...(async && { 202: { description: "Started with ?async=true.", ...json(reference("Accepted")) } }),
      ...failuresOf(codes),
      default: { description: "Failure; program against error.code.", ...json(reference("Error")) },
    },
  };
}

const json = (schema: object): object => ({ content: { "application/json": { schema } } });
const reference = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const ASYNC = {
  name: "async",
  in: "query",
  description: "Whether the request runs as an operation, which is answered at once and asked for later.",
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
    { description: `With error.code ${ofStatus.join(" or ")}.`, ...json(reference("Error")) },
  ]);
  return Object.fromEntries(failures);
}

/** The schema with a sentence on each field, also in arrays, maps and alternatives. */
function withDescriptions(schema: JsonSchema, endpoint: string, parent?: string): JsonSchema {
  const inside = (value: unknown, field = parent): unknown =>
    typeof value === "object" && value !== null ? withDescriptions(value as JsonSchema, endpoint, field) : value;
  const described = Object.entries(schema.properties ?? {}).map(([field, property]) => [
    field,
    { ...(inside(property, field) as object), description: describeField({ endpoint, parent, field }) },
  ]);
  return {
    ...schema,
    ...(schema.properties && { properties: Object.fromEntries(described) }),
    ...(schema.items !== undefined && { items: inside(schema.items) as JsonSchema }),
    ...(schema.additionalProperties !== undefined && {
      additionalProperties: inside(schema.additionalProperties) as JsonSchema,
    }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map((shape) => inside(shape) as JsonSchema) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map((shape) => inside(shape) as JsonSchema) }),
  };
}

function schemaOf(schema: v.GenericSchema, typeMode: "input" | "output"): JsonSchema {
  // The converter describes a lazy schema by a definition, which the override replaces by the alternatives in place.
  const {
    $schema: _dialect,
    $defs: _definitions,
    ...rest
  } = toJsonSchema(schema, {
    typeMode,
    target: "draft-2020-12",
    errorMode: "ignore",
    overrideSchema: ({ valibotSchema }) => {
      // Schemas made by oneOf have shapes, which the types of valibot do not know.
      const { shapes } = valibotSchema as unknown as Partial<OneOf<v.GenericSchema>>;
      return shapes && { oneOf: shapes.map((shape) => schemaOf(shape, typeMode)) };
    },
  });
  return rest;
}
