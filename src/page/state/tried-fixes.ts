import { signal } from "@preact/signals";
import type { PageFinding } from "../../ui/replies.ts";
import type { ShownFinding } from "../action/shown-findings.ts";
import { runOperation } from "../server/operation.ts";
import { fetchedScene, scene } from "./project.ts";
import { isFailure } from "./tasks.ts";

// Fixes that the server offers only where a trial shows that they help. The trial takes seconds: it is made for the finding that a person looks at.

type Fixes = PageFinding["fixes"];

const tried = signal<{ readonly id: string; readonly version: number; readonly fixes: Fixes } | undefined>(undefined);

/** The fixes that a trial found for a finding in the present state of the scene. */
export const triedFixes = ({ id }: PageFinding): Fixes =>
  tried.value?.id === id && tried.value.version === scene.value?.version ? tried.value.fixes : [];

/** Kinds of findings for which the server has such fixes. */
const KINDS: ReadonlySet<string> = new Set(["CUPS", "IN_BOUNDS"]);

let trying: AbortController | undefined;

/** Tries fixes of a finding out. A trial for another finding ends. */
export async function tryFixes({ id, kind, accepted, is_old, isOfCheck }: ShownFinding): Promise<void> {
  trying?.abort();
  if (!KINDS.has(kind) || accepted || is_old || !isOfCheck) return;
  const { id: scene_id, version } = fetchedScene();
  const { signal: aborted } = (trying = new AbortController());
  try {
    const body = { scene_id, finding_id: id };
    const context = { signal: aborted, progress: () => {} };
    const { fixes } = await runOperation<{ fixes: Fixes }>("/v1/scene/check/try-fixes/", body, context);
    if (!aborted.aborted) tried.value = { id, version, fixes };
  } catch (thrown) {
    // The other fixes are there all the same.
    if (!isFailure(thrown)) throw thrown;
  }
}
