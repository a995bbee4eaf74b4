import type { PagePlaces } from "../../ui/replies.ts";
import type { Action, Check } from "../../feature/page-row.ts";
import { findingsOf, placesRequest, withPlaces } from "../action/findings.ts";
import { type ProgressContext, runOperation } from "../server/operation.ts";
import { type CheckResult, keepResult } from "./findings.ts";
import { notify } from "./notices.ts";
import { scene, knownVersionOf } from "./project.ts";
import { callEndpoint, isFailure } from "./tasks.ts";

/** Body of a request about a scene. */
export interface SceneRequest {
  readonly scene_id: string;
}

export interface CheckAction extends Action {
  readonly check: Check;
}

/** Runs a check and keeps its findings; then fetches the places of these. The user may switch to another scene meanwhile. */
export async function runCheck(
  { path, title, check }: CheckAction,
  body: SceneRequest,
  context: ProgressContext,
): Promise<void> {
  const version = knownVersionOf(body.scene_id);
  const found = findingsOf(check, await callEndpoint(path, body, context));
  const containers = new Set(scene.value?.cages.map(({ id }) => id));
  const findings = found.filter(({ modelIds }) => !modelIds.some((id) => containers.has(id)));
  const result: CheckResult = { path, title, sceneId: body.scene_id, version, findings };
  keepResult(result);
  const request = placesRequest(path, check, body, findings);
  if (!request) return;
  try {
    const found = await runOperation<PagePlaces>("/ui/places/", request, { ...context, progress: () => {} });
    // Places of a later state of the scene may not match the findings.
    if (found.version === version) keepResult({ ...result, findings: withPlaces(check, findings, found.places) });
  } catch (thrown) {
    if (!isFailure(thrown)) throw thrown;
    notify({
      severity: "warning",
      text: `${title}: the places cannot be shown. ${thrown.message}`,
      code: thrown.code,
      sceneId: body.scene_id,
    });
  }
}
