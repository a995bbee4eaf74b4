import { signal } from "@preact/signals";
import { ACTIONS, type Action, actionFields } from "../action/actions.ts";
import { type Values, bodyOf } from "../action/form-values.ts";
import { type ActionReply, newModelIds, remarksOf, replySummary } from "../action/reply-summary.ts";
import { drillBody, labelBody } from "../action/surface-place.ts";
import { ENDPOINT_FORMS } from "../server/endpoints.ts";
import { type SceneRequest, runCheck } from "./check.ts";
import { clearResults } from "./findings.ts";
import { notify } from "./notices.ts";
import { allMeant, meantModels, selectMade } from "./meant-models.ts";
import { family, scene, selectedIds, selection } from "./project.ts";
import { asOneStep, runChange, runReading } from "./scene-work.ts";
import { pickFor, pickingFor, places } from "./stage.ts";
import { counted } from "../widget/quantities.ts";
import { type Outcome, type TaskFollowing, callEndpoint, stepOf } from "./tasks.ts";

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

/** Runs an action on the models that are meant, or on all, with what was chosen in its form. */
export async function runAction(action: Action): Promise<void> {
  const request = newRequest(action);
  if (isCheck(action)) {
    await runReading(action.title, async (following) => runCheck(action, await request(), following));
    return;
  }
  const before = selection.value;
  const outcome = await runChange(action.title, async (following) =>
    callEndpoint<ActionReply>(action.path, await request(), following),
  );
  if (!outcome) return;
  tellDone(action.title, outcome.result);
  selectMade(newModelIds(outcome.result), before);
  if (action.places) pickFor(undefined);
}

const isCheck = ({ path }: Action): boolean => /\/(validate\/.*|body-count|measure)\/$/.test(path);

/** Shows what an action did. */
export function tellDone(title: string, reply: ActionReply): void {
  const isDoubtful = (reply.warnings?.length ?? 0) > 0 || (reply.unrepaired_model_ids?.length ?? 0) > 0;
  notify({
    severity: isDoubtful ? "warning" : "success",
    text: `${title}: ${replySummary(reply)}.`,
    details: remarksOf(reply),
  });
}

/** What is asked for at this moment. The body is made once its turn comes. */
function newRequest(action: Action): () => Promise<SceneRequest> {
  const fields = actionFields(action, ENDPOINT_FORMS);
  const options = bodyOf(fields, formValues.value[action.path] ?? {}, action.conditions);
  const common = { scene_id: scene.value!.id };
  const at = places.value;
  const models = meantModels();
  const all = allMeant();
  const isForAll = selectedIds.value.length === 0;
  return async () => {
    if (action.places === "many") return { ...common, ...drillBody(at, options) };
    if (action.places === "one") return { ...common, ...options, ...labelBody(at[0]) };
    if (action.wholeScene) return { ...common, ...options };
    const { model_ids } = isForAll ? all() : { model_ids: await models() };
    return { ...common, ...options, ...(model_ids.length > 0 && { model_ids }) };
  };
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
export async function prepareScene(): Promise<Outcome<readonly string[]>> {
  const steps = PREPARE[family.value];
  const id = scene.value!.id;
  const all = allMeant();
  const prepare = async (following: TaskFollowing): Promise<readonly string[]> => {
    const { model_ids, laterCount } = all();
    const body = { scene_id: id, ...(model_ids.length > 0 && { model_ids }) };
    const warnings = laterCount > 0 ? [`Without what was imported meanwhile (${counted(laterCount, "model")}).`] : [];
    for (const [i, [path, title]] of steps.entries()) {
      following.title(`Prepare: ${title.toLowerCase()} (${i + 1} of ${steps.length})`);
      const step = stepOf(following, i, steps.length);
      const reply = await callEndpoint<ActionReply>(path, { ...body, ...prepareOptions(path) }, step);
      warnings.push(...remarksOf(reply));
    }
    return warnings;
  };
  const outcome = await runChange("Prepare", (following) => asOneStep(id, () => prepare(following)));
  if (outcome) {
    const isPlain = outcome.result.length === 0;
    notify({
      severity: isPlain ? "success" : "warning",
      text: isPlain ? "Ready to print." : "Prepared, with remarks:",
      details: outcome.result,
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
  const requests = checks.map(newRequest);
  await runReading("Check", async (following) => {
    for (const [i, check] of checks.entries()) {
      following.title(`Check: ${check.title.toLowerCase()}`);
      await runCheck(check, await requests[i](), stepOf(following, i, checks.length));
    }
  });
}
