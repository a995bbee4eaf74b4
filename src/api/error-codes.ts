import type { JsonSchema } from "@valibot/to-json-schema";
import type { ErrorCode } from "../core/api-error.ts";
import type { Endpoint } from "./endpoint.ts";

/** Fields that name a model, printer or other thing that may not exist. */
const NAMING_FIELDS = "model_id model_ids operation_id operations devices compatible_with printer finding_ids".split(
  " ",
);

/**
 * The error codes with which an endpoint or its operation can end: the codes of every request, the codes that follow from the
 * declaration, and the codes in its `errors`.
 */
export function errorCodesOf(endpoint: Endpoint, schemas: readonly JsonSchema[]): Set<ErrorCode> {
  const { body, query, async, isQueued, check, errors = [] } = endpoint;
  const fields = new Set(schemas.flatMap(fieldsOf));
  const has = (...names: readonly string[]): boolean => names.some((name) => fields.has(name));
  const isRequired = schemas.some(({ required = [] }) => required.includes("operation_id"));
  return new Set<ErrorCode>([
    ...(body ? (["JSON_PARSE_ERROR", "JSON_SCHEMA_MATCH_ERROR"] as const) : []),
    ...(isRequired ? (["MISSING_QUERY_PARAMETER"] as const) : []),
    ...(query || async ? (["INVALID_QUERY_PARAMETER"] as const) : []),
    ...(has("scene_id", "scene_ids") || check ? (["INPUT_ERROR"] as const) : []),
    ...(isQueued || async || has("file", "fps_file") ? (["OPERATION_FAILED"] as const) : []),
    // Deleting a scene cancels its running and waiting requests.
    ...(async || has("scene_id", "scene_ids") ? (["OPERATION_CANCELLED"] as const) : []),
    ...(has(...NAMING_FIELDS) ? (["NOT_FOUND"] as const) : []),
    ...errors,
    ...([
      "FORBIDDEN_ORIGIN",
      "REQUEST_TIMEOUT",
      "BODY_TOO_LARGE",
      "UNKNOWN_FAILURE",
      "TIMED_OUT",
      "TOO_MANY_CONNECTIONS",
    ] as const),
  ]);
}

/** The fields of an object, or of any of its alternatives. */
const fieldsOf = ({ properties = {}, oneOf = [] }: JsonSchema): string[] => [
  ...Object.keys(properties),
  ...oneOf.flatMap((shape) => (typeof shape === "object" ? fieldsOf(shape) : [])),
];
