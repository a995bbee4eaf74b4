import { type ConversionConfig, type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { describeField } from "./field-descriptions.ts";
import {
  type OneOf,
  boundingBoxReply,
  materialUsageReply,
  modelReply,
  sceneReply,
  sceneSettingsReply,
} from "./schema.ts";

/** A schema of replies that the document names, and a field that holds it, whose sentences describe its parts. */
interface NamedSchema {
  readonly schema: v.GenericSchema;
  readonly field: string;
}

const NAMED: Readonly<Record<string, NamedSchema>> = {
  Scene: { schema: sceneReply, field: "scenes" },
  SceneSettings: { schema: sceneSettingsReply, field: "scene_settings" },
  MaterialUsage: { schema: materialUsageReply, field: "material_usage" },
  Model: { schema: modelReply, field: "models" },
  BoundingBox: { schema: boundingBoxReply, field: "bounding_box" },
};

/** A reference to a schema of the document by its name. */
export const referenceTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The schemas of {@link NAMED} for the document's components. */
export const namedSchemas = (): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(NAMED).map(([name, { schema, field }]) => {
      const others = Object.fromEntries(Object.entries(NAMED).filter(([other]) => other !== name));
      return [name, withDescriptions(schemaOf(schema, "output", others), "", field)];
    }),
  );

/** The schema of a body, query or reply, with a sentence on each field. `place` is the path of its endpoint without version and slashes. */
export function describedSchema(schema: v.GenericSchema, typeMode: "input" | "output", place: string): JsonSchema {
  const name = Object.keys(NAMED).find((one) => NAMED[one].schema === schema);
  return name === undefined ? withDescriptions(schemaOf(schema, typeMode, NAMED), place) : referenceTo(name);
}

/** The schema with a sentence on each field, also in arrays, maps and alternatives. */
function withDescriptions(given: JsonSchema, endpoint: string, parent?: string): JsonSchema {
  const schema = tidied(given);
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
    ...(schema.prefixItems && { prefixItems: schema.prefixItems.map((one) => inside(one) as JsonSchema) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map((shape) => inside(shape) as JsonSchema) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map((shape) => inside(shape) as JsonSchema) }),
  };
}

function schemaOf(
  schema: v.GenericSchema,
  typeMode: "input" | "output",
  named: Readonly<Record<string, NamedSchema>>,
): JsonSchema {
  const config: ConversionConfig = {
    typeMode,
    target: "draft-2020-12",
    errorMode: "ignore",
    definitions: Object.fromEntries(Object.entries(named).map(([name, one]) => [name, one.schema])),
    overrideRef: ({ referenceId }) => referenceTo(referenceId).$ref,
    overrideSchema: ({ valibotSchema }) => {
      // Schemas made by oneOf have shapes, which the types of valibot do not know.
      const { shapes } = valibotSchema as unknown as Partial<OneOf<v.GenericSchema>>;
      if (!shapes) return undefined;
      const alternatives = shapes.map((shape) => schemaOf(shape, typeMode, named));
      return alternatives.length === 1 ? alternatives[0] : { oneOf: alternatives };
    },
  };
  // The converter describes a lazy schema by a definition, which the override replaces by the alternatives in place.
  const { $schema: _dialect, $defs: _definitions, ...rest } = toJsonSchema(schema, config);
  return rest;
}

/** The same schema in words that all tools read: one lower bound, and a tuple with the number of its items. */
function tidied({ minimum = -Infinity, exclusiveMinimum = -Infinity, ...schema }: JsonSchema): JsonSchema {
  const bound = exclusiveMinimum >= minimum ? { exclusiveMinimum } : { minimum };
  const { prefixItems } = schema;
  return {
    ...schema,
    ...(Math.max(minimum, exclusiveMinimum) > -Infinity && bound),
    ...(prefixItems && { items: {}, minItems: prefixItems.length, maxItems: prefixItems.length }),
  };
}
