import type { PageFinding } from "../../ui/replies.ts";
import { type ActionReply, remarksOf } from "../action/reply-summary.ts";
import { notify } from "./notices.ts";
import { fetchedScene } from "./project.ts";
import { asOneStep, runChange, runReading } from "./scene-work.ts";
import { callEndpoint, contextOfStep, tasks } from "./tasks.ts";

const CHECK = "Check";

/** Whether this page checks a scene now. */
export const isChecking = (sceneId: string | undefined): boolean =>
  tasks.value.some((task) => task.title === CHECK && task.sceneId === sceneId);

/** Checks the shown scene: only what has changed since the last check takes time. The findings come with the scene, to all pages. */
export async function checkScene(): Promise<void> {
  const scene_id = fetchedScene().id;
  await runReading(CHECK, (context) => callEndpoint("/v1/scene/check/", { scene_id }, context));
}

/** Accepts a finding, or takes that back. */
export async function acceptFinding({ id }: PageFinding, accepted: boolean): Promise<void> {
  const body = { scene_id: fetchedScene().id, finding_ids: [id], accepted };
  await runChange("Accept", (context) => callEndpoint("/v1/scene/check/accept/", body, context));
}

type Fix = PageFinding["fixes"][number];

/** Sends the requests of a fix as one undo step, and then checks again. */
export async function applyFix({ title, requests }: Fix): Promise<void> {
  const sceneId = fetchedScene().id;
  const outcome = await runChange(title, (context) =>
    asOneStep(sceneId, async () => {
      const remarks: string[] = [];
      for (const [i, { path, body }] of requests.entries()) {
        const step = contextOfStep(context, i, requests.length);
        remarks.push(...remarksOf(await callEndpoint<ActionReply>(path, body, step)));
      }
      return remarks;
    }),
  );
  if (!outcome) return;
  const remarks = outcome.result;
  const severity = remarks.length > 0 ? "warning" : "success";
  notify({ severity, text: `${title}: done.`, details: remarks, sceneId: outcome.sceneId });
  if (fetchedScene().id === sceneId) await checkScene();
}
