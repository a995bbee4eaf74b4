import { computed } from "@preact/signals";
import type { PageFindings } from "../../ui/replies.ts";
import { scene } from "./project.ts";

/** What the checks say about some parts: how much was found, or that all is well. */
export type PartMark = { readonly state: "WARNING" | "ERROR"; readonly count: number } | { readonly state: "PASSED" };

/** Findings of a part that nobody accepted. */
interface Found {
  readonly hasError: boolean;
  readonly count: number;
}

interface Checked {
  readonly found: ReadonlyMap<string, Found>;
  /** Parts that have changed since one of the checks. */
  readonly old: ReadonlySet<string>;
}

const checked = computed(() => (scene.value?.findings ? digest(scene.value.findings) : undefined));

/** Puts the findings in order of the parts. Old ones are left out: the part has changed. */
export function digest({ checks, findings }: Pick<PageFindings, "checks" | "findings">): Checked {
  const found = new Map<string, Found>();
  for (const { accepted, is_old, severity, count, model_ids } of findings) {
    if (accepted || is_old) continue;
    for (const id of model_ids) {
      const { hasError = false, count: before = 0 } = found.get(id) ?? {};
      found.set(id, { hasError: hasError || severity === "ERROR", count: before + Math.max(1, count) });
    }
  }
  return { found, old: new Set(checks.flatMap(({ old_model_ids }) => old_model_ids)) };
}

/** The mark of a part, or of all copies of a fold; undefined if they were not checked as they are now. */
export function markOf(ids: readonly string[], { found, old }: Checked): PartMark | undefined {
  const own = ids.flatMap((id) => found.get(id) ?? []);
  if (own.length > 0) {
    const count = own.reduce((sum, one) => sum + one.count, 0);
    return { state: own.some(({ hasError }) => hasError) ? "ERROR" : "WARNING", count };
  }
  return ids.some((id) => old.has(id)) ? undefined : { state: "PASSED" };
}

/** {@link markOf} for parts of the shown scene; undefined if it was never checked. */
export const shownMarkOf = (ids: readonly string[]): PartMark | undefined =>
  checked.value && markOf(ids, checked.value);
