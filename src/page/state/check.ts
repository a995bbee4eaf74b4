import type { PagePlaces } from "../../ui/replies.ts";
import type { Action } from "../action/actions.ts";
import { placesRequest, withPlaces } from "../action/finding-places.ts";
import { type CheckReply, findingsOf } from "../action/findings.ts";
import { type Following, runOperation } from "../server/operation.ts";
import { type CheckResult, keepResult } from "./findings.ts";
import { notify } from "./notices.ts";
import { scene } from "./project.ts";
import { callEndpoint, isFailure } from "./tasks.ts";

/** Runs a check and keeps what it found, then also where. */
export async function runCheck({ path, title }: Action, body: object, following: Following): Promise<void> {
  const { id, version } = scene.value!;
  const findings = findingsOf(await callEndpoint<CheckReply>(path, body, following));
  const result: CheckResult = { path, title, sceneId: id, version, findings };
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
