import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { ERROR_STATUS } from "../core/api-error.ts";
import { VERSION } from "../core/version.ts";
import type { Endpoint } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";
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
      required: ["code", "message"],
      properties: { code: { type: "string", examples: Object.keys(ERROR_STATUS) }, message: { type: "string" } },
    },
  },
};

const ACCEPTED = {
  type: "object",
  required: ["operation_id", "operation_url", "message"],
  properties: { operation_id: { type: "string" }, operation_url: { type: "string" }, message: { type: "string" } },
};

function operationOf({ path, summary, body, bodyOptional, query, reply, async }: Endpoint): object {
  return {
    operationId: path.slice(1, -1).replaceAll("/", "."),
    summary,
    parameters: [...(async ? [ASYNC] : []), ...(query ? parametersOf(query) : [])],
    ...(body && { requestBody: { required: !bodyOptional, ...json(schemaOf(body, "input")) } }),
    responses: {
      200: { description: "Success.", ...(reply && json(schemaOf(reply, "output"))) },
      ...(async && { 202: { description: "Started with ?async=true.", ...json(reference("Accepted")) } }),
      default: { description: "Failure; program against error.code.", ...json(reference("Error")) },
    },
  };
}

const json = (schema: object): object => ({ content: { "application/json": { schema } } });
const reference = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const ASYNC = { name: "async", in: "query", schema: { type: "boolean", default: false } };

function parametersOf(query: v.GenericSchema): object[] {
  const { properties = {}, required = [] } = schemaOf(query, "input");
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
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
