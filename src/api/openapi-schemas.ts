import { type ConversionConfig, type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import {
  type OneOf,
  boundingBoxReply,
  materialUsageReply,
  modelReply,
  sceneReply,
  sceneSettingsReply,
} from "./schema.ts";

/** The schemas of replies that the document names. */
const NAMED: Readonly<Record<string, v.GenericSchema>> = {
  Scene: sceneReply,
  SceneSettings: sceneSettingsReply,
  MaterialUsage: materialUsageReply,
  Model: modelReply,
  BoundingBox: boundingBoxReply,
};

const NAMES = new Map(Object.entries(NAMED).map(([name, schema]) => [schema, name]));

/** A reference to a schema of the document by its name. */
export const referenceTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The schemas of {@link NAMED} for the document's components. */
export const namedSchemas = (): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(NAMED).map(([name, schema]) => [name, convert(schema, "output")]));

/** The JSON Schema of a body, query or reply, with the description of each field. */
export function jsonSchemaOf(schema: v.GenericSchema, typeMode: "input" | "output"): JsonSchema {
  const name = NAMES.get(schema);
  return name === undefined ? convert(schema, typeMode) : referenceTo(name);
}

/** Named schemas within the schema become references. */
function convert(schema: v.GenericSchema, typeMode: "input" | "output"): JsonSchema {
  const config: ConversionConfig = {
    typeMode,
    target: "draft-2020-12",
    errorMode: "ignore",
    overrideSchema: ({ valibotSchema }) => {
      const name = NAMES.get(valibotSchema as v.GenericSchema);
      if (name !== undefined && valibotSchema !== schema) return referenceTo(name);
      // Schemas made by oneOf have shapes, which the types of valibot do not know.
      const { shapes } = valibotSchema as unknown as Partial<OneOf<v.GenericSchema>>;
      if (!shapes) return undefined;
      const alternatives = shapes.map((shape) => convert(shape, typeMode));
      return alternatives.length === 1 ? alternatives[0] : { oneOf: alternatives };
    },
  };
  // The converter describes a lazy schema by a definition, which the override replaces by the alternatives in place.
  const { $schema: _dialect, $defs: _definitions, ...rest } = toJsonSchema(schema, config);
  return tidied(rest);
}

/** The same schema in terms that all tools read, at every depth: one lower bound, and a tuple with the number of its items. */
function tidied(given: JsonSchema): JsonSchema {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, ...schema } = given;
  const bound = exclusiveMinimum >= minimum ? { exclusiveMinimum } : { minimum };
  const inside = (value: unknown): unknown =>
    typeof value === "object" && value !== null ? tidied(value as JsonSchema) : value;
  const each = (parts: readonly unknown[]) => parts.map((one) => inside(one) as JsonSchema);
  const { properties, items, additionalProperties, prefixItems, anyOf, oneOf } = schema;
  return {
    ...schema,
    ...(Math.max(minimum, exclusiveMinimum) > -Infinity && bound),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, inside(one) as JsonSchema]),
      ),
    }),
    ...(items !== undefined && { items: inside(items) as JsonSchema }),
    ...(additionalProperties !== undefined && { additionalProperties: inside(additionalProperties) as JsonSchema }),
    ...(prefixItems && {
      prefixItems: each(prefixItems),
      items: {},
      minItems: prefixItems.length,
      maxItems: prefixItems.length,
    }),
    ...(anyOf && { anyOf: each(anyOf) }),
    ...(oneOf && { oneOf: each(oneOf) }),
  };
}
