import * as v from "valibot";
import { type ErrorFactory, excerpt } from "./api-error.ts";
import { explainIssue, findListForObject } from "./explain-issue.ts";

/** The value as the schema gives it. Throws the error of `toError`, whose text begins with a JSON pointer (RFC 6901), where it does not match. */
export function matchSchema<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  toError: ErrorFactory,
): v.InferOutput<S> {
  const list = findListForObject(schema, value);
  if (list) throw toError(atPointer(list.path, list.reason));
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const path = (issue.path ?? []).map(({ key }) => key);
  throw toError(atPointer(path, explainIssue(issue, schema, value)));
}

/** What is wrong at a place, for a message. */
export function atPointer(path: readonly unknown[], reason: string): string {
  const keys = path.map((key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1"));
  const pointer = keys.map((key) => `/${key}`).join("");
  return `"${excerpt(pointer)}": ${excerpt(reason)}.`;
}
