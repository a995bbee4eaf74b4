import { signal } from "@preact/signals";
import { ACTIONS, type Action, actionFields } from "../action/actions.ts";
import { type Values, bodyOf } from "../action/form-values.ts";
import { type ActionReply, newModelIds, remarksOf, replySummary } from "../action/reply-summary.ts";
import { drillBody, labelBody } from "../action/surface-place.ts";
import type { Following } from "../server/operation.ts";
import { post } from "../server/call.ts";
import { ENDPOINT_FORMS } from "../server/endpoints.ts";
import { runCheck } from "./check.ts";
import { clearResults } from "./findings.ts";
import { notify } from "./notices.ts";
import { family, refresh, scene, selectedIds, selection } from "./project.ts";
import { pickFor, pickingFor, places } from "./stage.ts";
import { type Outcome, callEndpoint, runTask, stepOf } from "./tasks.ts";

/** What was chosen in the forms, by the paths of their actions. It lasts as long as the page. */
export const formValues = signal<Readonly<Record<string, Values>>>({});

export function setValues(path: string, values: Values): void {
  formValues.value = { ...formValues.value, [path]: values };
}

/** Why an action cannot run now, in words for people; undefined where it can. */
export function obstacleOf(action: Action): string | undefined {
  if (action.family && action.family !== family.value) {
    return action.family === "resin" ? "For resin printers only." : "For powder printers only.";
  }
  if ((scene.value?.models.length ?? 0) === 0) return "Import a model first.";
  if (action.places && (pickingFor.value !== action.path || places.value.length === 0)) {
    return "Choose a place on the surface first.";
  }
  return undefined;
}

/** Runs an action on the selected models, or on all, with what was chosen in its form. */
export async function runAction(action: Action): Promise<void> {
  const body = requestBody(action);
  if (action.path.includes("/validate/") || action.path.endsWith("/body-count/")) {
    await runTask(action.title, (following) => runCheck(action, body, following));
    return;
  }
  const outcome = await runTask(action.title, (following) => callEndpoint<ActionReply>(action.path, body, following));
  if (!outcome) return;
  await tellResult(action.title, outcome.result);
  if (action.places) pickFor(undefined);
}

/** Shows what an action did, and selects what it made. */
export async function tellResult(title: string, reply: ActionReply): Promise<void> {
  const remarks = remarksOf(reply);
  const isDoubtful = (reply.warnings?.length ?? 0) > 0 || (reply.unrepaired_model_ids?.length ?? 0) > 0;
  notify({
    severity: isDoubtful ? "warning" : "success",
    text: `${title}: ${replySummary(reply)}.`,
    details: remarks,
  });
  await refresh();
  const made = newModelIds(reply).filter((id) => scene.value?.models.some((model) => model.id === id));
  if (made.length > 0) selection.value = { ids: made, anchor: made[0] };
}

function requestBody(action: Action): object {
  const fields = actionFields(action, ENDPOINT_FORMS);
  const options = bodyOf(fields, formValues.value[action.path] ?? {}, action.conditions);
  const common = { scene_id: scene.value?.id };
  if (action.places === "many") return { ...common, ...drillBody(places.value, options) };
  if (action.places === "one") return { ...common, ...options, ...labelBody(places.value[0]) };
  if (action.wholeScene || selectedIds.value.length === 0) return { ...common, ...options };
  return { ...common, ...options, model_ids: selectedIds.value };
}

const PREPARE: Readonly<Record<"resin" | "powder", readonly [path: string, title: string][]>> = {
  resin: [
    ["/v1/scene/model/auto-orient/", "Finding the best orientation"],
    ["/v1/scene/model/auto-support/", "Generating supports"],
    ["/v1/scene/model/auto-layout/", "Laying out"],
  ],
  powder: [["/v1/scene/model/auto-pack/", "Packing the chamber"]],
};

/** Everything between import and print in one go, on all models: orient, support and lay out, or pack. */
export async function prepareScene(): Promise<Outcome<void>> {
  const steps = PREPARE[family.value];
  const { id, version } = scene.value!;
  const warnings: string[] = [];
  const outcome = await runTask("Prepare", async (following) => {
    for (const [i, [path, title]] of steps.entries()) {
      following.title(`Prepare: ${title.toLowerCase()} (${i + 1} of ${steps.length})`);
      const step: Following = stepOf(following, i, steps.length);
      const reply = await callEndpoint<ActionReply>(path, { scene_id: id, ...prepareOptions(path) }, step);
      warnings.push(...remarksOf(reply));
    }
  });
  // Where this fails, each step can still be undone by itself.
  await post(`/ui/scene/${id}/join/?since=${version}`).catch(() => undefined);
  await refresh();
  if (outcome) {
    notify({
      severity: warnings.length > 0 ? "warning" : "success",
      text: warnings.length > 0 ? "Ready to print, with remarks:" : "Ready to print.",
      details: warnings,
    });
  }
  return outcome;
}

/** What was chosen in the form of a step counts here too, so that "Prepare" does what the forms say. */
function prepareOptions(path: string): object {
  const action = ACTIONS.find((one) => one.path === path)!;
  return bodyOf(actionFields(action, ENDPOINT_FORMS), formValues.value[path] ?? {}, action.conditions);
}

/** Runs all checks one after the other, each with what was chosen in its form. */
export async function runChecks(checks: readonly Action[]): Promise<void> {
  clearResults();
  await runTask("Check", async (following) => {
    for (const [i, check] of checks.entries()) {
      following.title(`Check: ${check.title.toLowerCase()}`);
      await runCheck(check, requestBody(check), stepOf(following, i, checks.length));
    }
  });
}
