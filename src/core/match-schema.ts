import * as v from "valibot";
import { type ErrorFactory, excerpt } from "./api-error.ts";
import { explainIssue, explainIssues, findListForObject, safeParse } from "./explain-issue.ts";

/**
 * The output of the schema for the value. If the value does not match, throws the error of `toError`, whose text begins with a JSON pointer
 * (RFC 6901) to the field.
 */
export function matchSchema<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  toError: ErrorFactory,
): v.InferOutput<S> {
  const list = findListForObject(schema, value);
  if (list) throw toError(atPointer(list.path, list.reason));
  const parsed = safeParse(schema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const path = (issue.path ?? []).map(({ key }) => key);
  throw toError(atPointer(path, explainIssue(issue, schema, value)));
}

/** All that is wrong with a value, a text for each field that begins with its JSON pointer; empty if it matches the schema. */
export function schemaProblems(schema: v.GenericSchema, value: unknown): string[] {
  const list = findListForObject(schema, value);
  const { issues = [] } = safeParse(schema, value);
  const found = issues.flatMap((issue) => explainIssues(issue, schema, value));
  return [...(list ? [list] : []), ...found].map(({ path, reason }) => atPointer(path, reason));
}

/** A message: the JSON pointer of a field, and what is wrong with it. */
export function atPointer(path: readonly unknown[], reason: string): string {
  const keys = path.map((key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1"));
  const pointer = keys.map((key) => `/${key}`).join("");
  return `"${excerpt(pointer)}": ${excerpt(reason)}.`;
}
