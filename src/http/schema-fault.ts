import type * as v from "valibot";
import { Fault } from "../core/fault.ts";
import { shortened } from "../core/shortened.ts";

/** The fault of a body that breaks its schema; the message begins with a JSON pointer (RFC 6901) to the value that failed. */
export function schemaFault(issue: v.BaseIssue<unknown>): Fault {
  const keys = (issue.path ?? []).map((item) => String(item.key).replaceAll("~", "~0").replaceAll("/", "~1"));
  const pointer = keys.map((key) => `/${key}`).join("");
  return new Fault("JSON_SCHEMA_MATCH_ERROR", `"${shortened(pointer)}": ${shortened(reasonOf(issue))}`);
}

function reasonOf(issue: v.BaseIssue<unknown>): string {
  if (issue.type === "strict_object" && issue.expected === "never") return "this field is unknown here.";
  if (issue.received === "undefined") return "is required.";
  return `${issue.message}.`;
}
