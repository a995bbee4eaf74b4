import type { PagePlaces } from "../../ui/replies.ts";
import type { Action } from "../action/actions.ts";
import { placesRequest, withPlaces } from "../action/finding-places.ts";
import { type CheckReply, findingsOf } from "../action/findings.ts";
import { type ProgressContext, runOperation } from "../server/operation.ts";
import { type CheckResult, keepResult } from "./findings.ts";
import { notify } from "./notices.ts";
import { scene, versionOf } from "./project.ts";
import { callEndpoint, isFailure } from "./tasks.ts";

/** Body of a request about a scene. */
export interface SceneRequest {
  readonly scene_id: string;
}

/** Runs a check and keeps its findings; then fetches the places of these. The user may switch to another scene meanwhile. */
export async function runCheck({ path, title }: Action, body: SceneRequest, context: ProgressContext): Promise<void> {
  const version = versionOf(body.scene_id);
  const found = findingsOf(await callEndpoint<CheckReply>(path, body, context));
  const containers = new Set(scene.value?.cages.map(({ id }) => id));
  const findings = found.filter(({ modelIds }) => !modelIds.some((id) => containers.has(id)));
  const result: CheckResult = { path, title, sceneId: body.scene_id, version, findings };
  keepResult(result);
  const request = placesRequest(path, body, findings);
  if (!request) return;
  try {
    const found = await runOperation<PagePlaces>("/ui/places/", request, { ...context, progress: () => {} });
    // Places of a later state of the scene may not match the findings.
    if (found.version === version) keepResult({ ...result, findings: withPlaces(path, findings, found.places) });
  } catch (thrown) {
    if (!isFailure(thrown)) throw thrown;
    notify({ severity: "warning", text: `${title}: the places cannot be shown. ${thrown.message}`, code: thrown.code });
  }
}
