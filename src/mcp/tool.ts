import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import type { JsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { type Fields, field, strictObject } from "../api/field.ts";
import { jsonSchemaOf } from "../api/openapi-schemas.ts";
import { ApiError } from "../core/api-error.ts";
import { MAX_COORDINATE_MM } from "../core/limits.ts";
import { matchSchema } from "../core/match-schema.ts";
import type { Answer } from "./answer.ts";
import type { ToolCall } from "./workspace.ts";

/** A tool. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** What it does, for the model that chooses among the tools. */
  readonly description: string;
  readonly input: v.GenericSchema;
  /** Facts by which clients decide whether to ask their user first. */
  readonly hints: ToolHints;
  readonly run: (input: unknown, call: ToolCall) => Promise<Answer>;
}

interface ToolHints {
  /** It changes neither plates nor files. */
  readonly readOnlyHint?: boolean;
  /** It can lose work, replace files or start machines. */
  readonly destructiveHint?: boolean;
  /** It reaches machines beyond this one. */
  readonly openWorldHint?: boolean;
}

interface ToolDeclaration<F extends Fields> extends Omit<Tool, "input" | "run"> {
  readonly fields: F;
}

/** Declares a tool. `run` gets checked input, and throws ApiErrors. */
export function defineTool<const F extends Fields>(
  { fields, ...tool }: ToolDeclaration<F>,
  run: (input: v.InferOutput<v.StrictObjectSchema<F, undefined>>, call: ToolCall) => Promise<Answer>,
): Tool {
  const input = strictObject(fields);
  return {
    ...tool,
    input,
    run: async (given, call) => run(matchSchema(input, given, wrongInput), call),
  };
}

const wrongInput = (why: string): ApiError => new ApiError("JSON_SCHEMA_MATCH_ERROR", why);

/** A tool as clients list it. */
export function listedTool({ name, title, description, input, hints }: Tool): ListedTool {
  const { type: _object, ...schema } = forModels(jsonSchemaOf(input, "input"));
  return {
    name,
    title,
    description,
    inputSchema: { type: "object", ...schema } as ListedTool["inputSchema"],
    // Without these two, clients take a tool for one that can destroy, and reaches the world.
    annotations: { ...(!hints.readOnlyHint && { destructiveHint: false }), openWorldHint: false, ...hints },
  };
}

/**
 * The same schema in fewer words, since models read the whole list: without the bounds of coordinates, which no plate reaches, without what
 * models assume, and with one object in place of a choice of several, which some clients cannot pass on. What a call gives is checked by the
 * full schema.
 */
function forModels({ oneOf, ...schema }: JsonSchema): JsonSchema {
  const merged = oneOf === undefined ? schema : oneObject(oneOf as readonly JsonSchema[]);
  const { minimum, maximum, properties, items, additionalProperties: _none, default: usual, ...rest } = merged;
  return {
    ...rest,
    ...(usual !== undefined && usual !== false && { default: usual }),
    ...(minimum !== undefined && minimum > -MAX_COORDINATE_MM && { minimum }),
    ...(maximum !== undefined && maximum < MAX_COORDINATE_MM && { maximum }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, forModels(one as JsonSchema)]),
      ),
    }),
    ...(typeof items === "object" && !Array.isArray(items) && { items: forModels(items) }),
  };
}

/**
 * An object with the properties of all `choices`, of which each is named by a constant of its first property. It has no defaults: a client
 * that fills them in would give an action the properties of others.
 */
function oneObject(choices: readonly JsonSchema[]): JsonSchema {
  const all: Record<string, JsonSchema> = Object.assign({}, ...choices.map(({ properties }) => properties));
  const [name = "", ...others] = Object.keys(all);
  const names = choices.map(({ properties = {} }) => (properties[name] as JsonSchema).const);
  return {
    type: "object",
    properties: {
      [name]: { type: "string", enum: names },
      ...Object.fromEntries(others.map((key) => [key, { ...all[key], default: undefined }])),
    },
    required: [name],
  } as JsonSchema;
}

// Fields of several tools.

export const plate = field(v.string(), "Handle from open_plate.");
export const parts = field(
  v.optional(v.pipe(v.array(v.string()), v.minLength(1, "must name a part, or be left out for all parts"))),
  "Handles of parts; all parts if absent.",
);
