import { must } from "../../core/must.ts";
import { signal } from "@preact/signals";
import type { Action, Values } from "../../feature/page-row.ts";
import { actionFields } from "../action/actions.ts";
import { bodyOf } from "../action/form-values.ts";
import { type ActionReply, createdModelIds, remarksOf, replySummary } from "../action/reply-summary.ts";
import { drillBody, labelBody } from "../action/surface-place.ts";
import { ENDPOINT_FORMS } from "../server/endpoints.ts";
import { applyTrial, trial } from "./preview.ts";
import { type CheckAction, type SceneRequest, runCheck } from "./check.ts";
import { notify } from "./notices.ts";
import { selectCreated, selectedOrAll } from "./target-models.ts";
import { family, scene, selection, fetchedScene } from "./project.ts";
import { runChange, runReading } from "./scene-work.ts";
import { pickFor, pickingFor, surfacePlaces } from "./view-state.ts";
import { type Outcome, callEndpoint } from "./tasks.ts";

/** Values chosen in the forms, by path of the action. Kept until the page is closed. */
export const formValues = signal<Readonly<Record<string, Values>>>({});

export function setValues(path: string, values: Values): void {
  formValues.value = { ...formValues.value, [path]: values };
}

/** Message why an action cannot run now; undefined if it can. */
export function obstacleOf(action: Action): string | undefined {
  if (action.family && action.family !== family.value) {
    return action.family === "resin" ? "For resin printers only." : "For powder printers only.";
  }
  if ((scene.value?.models.length ?? 0) === 0) return "Import a model first.";
  if (action.places && (pickingFor.value !== action.path || surfacePlaces.value.length === 0)) {
    return "Choose a place on the surface first.";
  }
  return undefined;
}

/** Runs an action with the values of its form on the target models, or on all models if none is selected. */
export async function runAction(action: Action): Promise<void> {
  const request = newRequest(action);
  if (isCheck(action)) {
    await runReading(action.title, async (context) => runCheck(action, await request(), context));
    return;
  }
  const before = selection.value;
  const outcome = isShown(action.path)
    ? await applyTrial()
    : await runChange(action.title, async (context) =>
        callEndpoint<ActionReply>(action.path, await request(), context),
      );
  if (!outcome) return;
  notifyDone(action.title, outcome);
  selectCreated(createdModelIds(outcome.result), before);
  if (action.places) pickFor(undefined);
}

/** Whether what the form would do is shown. Otherwise it may take long: then its progress is shown instead. */
const isShown = (path: string): boolean => trial.value?.wish.path === path && trial.value.state === "SHOWN";

const isCheck = (action: Action): action is CheckAction => action.check !== undefined;

/** Shows a summary of an action's reply. */
export function notifyDone(title: string, { result: reply, sceneId }: NonNullable<Outcome<ActionReply>>): void {
  const isDoubtful = (reply.warnings?.length ?? 0) > 0 || (reply.unrepaired_model_ids?.length ?? 0) > 0;
  notify({
    severity: isDoubtful ? "warning" : "success",
    text: `${title}: ${replySummary(reply)}.`,
    details: remarksOf(reply),
    sceneId,
  });
}

/** Captures form values, models and places now. The returned function makes the body of the request when earlier changes are done. */
export function newRequest(action: Action, at = surfacePlaces.value): () => Promise<SceneRequest> {
  const fields = actionFields(action, ENDPOINT_FORMS);
  const options = bodyOf(fields, formValues.value[action.path] ?? {}, action.conditions);
  const common = { scene_id: fetchedScene().id };
  const targets = selectedOrAll();
  return async () => {
    if (action.places === "many") return { ...common, ...drillBody(at, options) };
    if (action.places === "one") return { ...common, ...options, ...labelBody(must(at[0], "The place")) };
    if (action.wholeScene) return { ...common, ...options };
    const { model_ids } = await targets();
    return { ...common, ...options, ...(model_ids.length > 0 && { model_ids }) };
  };
}
