import type { PageFinding } from "../../ui/replies.ts";
import { type ActionReply, remarksOf } from "../action/reply-summary.ts";
import { notify } from "./notices.ts";
import { dropTrial, trial, tryOut } from "./preview.ts";
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

/** Fixes whose first request is shown before it is made: holes that vent cups. */
const SHOWN_FIRST = "/v1/scene/model/vent/";

/** Shows what a fix would do to the part, if that is quick and can be seen. */
export function showFix({ title, requests: [first] }: Fix): void {
  if (first?.path === SHOWN_FIRST) tryOut({ title, path: first.path, body: async () => first.body });
}

/** Shows the part as it is, if this fix is shown. */
export function hideFix({ title }: Fix): void {
  if (trial.peek()?.wish.title === title) dropTrial();
}

/** A remark that new supports of a later request make untrue. */
const isOfLostSupports = (remark: string): boolean => /^The supports of .* were removed/.test(remark);

/** Sends the requests of a fix as one undo step, and then checks again. */
export async function applyFix({ title, requests }: Fix): Promise<void> {
  dropTrial();
  const sceneId = fetchedScene().id;
  const outcome = await runChange(title, (context) =>
    asOneStep(sceneId, async () => {
      const remarks: string[] = [];
      for (const [i, { path, body }] of requests.entries()) {
        const step = contextOfStep(context, i, requests.length);
        remarks.push(...remarksOf(await callEndpoint<ActionReply>(path, body, step)));
      }
      const areSupported = requests.some(({ path }) => path === "/v1/scene/model/auto-support/");
      return areSupported ? remarks.filter((remark) => !isOfLostSupports(remark)) : remarks;
    }),
  );
  if (!outcome) return;
  const remarks = outcome.result;
  const severity = remarks.length > 0 ? "warning" : "success";
  notify({ severity, text: `${title}: done.`, details: remarks, sceneId: outcome.sceneId });
  if (fetchedScene().id === sceneId) await checkScene();
}
