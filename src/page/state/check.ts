import type { PagePlaces } from "../../ui/replies.ts";
import type { Action } from "../action/actions.ts";
import { placesRequest, withPlaces } from "../action/finding-places.ts";
import { type CheckReply, findingsOf } from "../action/findings.ts";
import { type Following, runOperation } from "../server/operation.ts";
import { type CheckResult, keepResult } from "./findings.ts";
import { notify } from "./notices.ts";
import { scene, versionOf } from "./project.ts";
import { callEndpoint, isFailure } from "./tasks.ts";

/** The body of a request that names its scene. */
export interface SceneRequest {
  readonly scene_id: string;
}

/** Runs a check and keeps what it found, then also where. Another scene may be shown meanwhile. */
export async function runCheck({ path, title }: Action, body: SceneRequest, following: Following): Promise<void> {
  const version = versionOf(body.scene_id);
  const found = findingsOf(await callEndpoint<CheckReply>(path, body, following));
  const containers = new Set(scene.value?.cages.map(({ id }) => id));
  const findings = found.filter(({ modelIds }) => !modelIds.some((id) => containers.has(id)));
  const result: CheckResult = { path, title, sceneId: body.scene_id, version, findings };
  keepResult(result);
  const request = placesRequest(path, body, findings);
  if (!request) return;
  try {
    const found = await runOperation<PagePlaces>("/ui/places/", request, { ...following, progress: () => {} });
    // Places of another state of the scene would be shown beside what was found.
    if (found.version === version) keepResult({ ...result, findings: withPlaces(path, findings, found.places) });
  } catch (thrown) {
    if (!isFailure(thrown)) throw thrown;
    notify({ severity: "warning", text: `${title}: the places cannot be shown. ${thrown.message}`, code: thrown.code });
  }
}
