import { counted } from "../../core/quantities.ts";
import type { ShownFinding } from "./shown-findings.ts";

type Fix = ShownFinding["fixes"][number];

/** Kinds of findings whose first fixes do not depend on each other. */
const KINDS: ReadonlySet<string> = new Set(["MANIFOLDNESS", "CUPS", "MINIMA", "SUPPORTEDNESS"]);

/**
 * One fix for all open findings that are like this one: its first fix, and theirs if they begin with the same request. Undefined if this is
 * not the first of several.
 */
export function fixTogether(finding: ShownFinding, open: readonly ShownFinding[]): Fix | undefined {
  const [fix] = finding.fixes;
  if (!fix || !KINDS.has(finding.kind)) return undefined;
  const alike = open.filter(
    ({ kind, fixes: [first] }) => kind === finding.kind && first?.requests[0]?.path === fix.requests[0]?.path,
  );
  if (alike.length < 2 || alike[0]?.id !== finding.id) return undefined;
  const [verb] = fix.title.split(" ");
  const parts = new Set(alike.flatMap(({ model_ids }) => model_ids)).size;
  return {
    title: `${verb} ${counted(parts, "part")}`,
    requests: alike.flatMap(({ fixes: [first] }) => first?.requests ?? []),
  };
}
