import { computed } from "@preact/signals";
import type { PageFinding } from "../../ui/replies.ts";
import { must } from "../../core/must.ts";
import { counted, duration } from "../../core/quantities.ts";
import { ACTIONS, actionFields } from "../action/actions.ts";
import { bodyOf } from "../action/form-values.ts";
import type { ActionReply } from "../action/reply-summary.ts";
import { ENDPOINT_FORMS } from "../server/endpoints.ts";
import { undoOrRedo } from "./edit.ts";
import { openStep } from "./follow-address.ts";
import { type NoticeAction, notify } from "./notices.ts";
import { family, fetchedScene, scene, selectedIds } from "./project.ts";
import { formValues } from "./run-action.ts";
import { cancelWork, runningWork } from "./running-work.ts";
import { runChange } from "./scene-work.ts";
import { movePartsToNewScene } from "./scenes.ts";
import { selectedOrAll } from "./target-models.ts";
import { callEndpoint, tasks } from "./tasks.ts";
import { frameChanged } from "./view-state.ts";

const PREPARE = "/v1/scene/prepare/";

/** The running preparation of the shown scene. */
export interface Preparation {
  /** "Supporting, 2 of 3". */
  readonly stage: string;
  /** From 0 to 1. */
  readonly progress: number;
  /** Undefined if it cannot be cancelled. */
  readonly cancel: (() => void) | undefined;
}

/** The preparation of the shown scene, also one that another page or a program started; undefined if none is running. */
export const preparation = computed((): Preparation | undefined => {
  const id = scene.value?.id;
  if (id === undefined) return undefined;
  const own = tasks.value.find(({ sceneId, place }) => sceneId === id && place === "foot");
  const running = runningWork.value.find(({ path, scene_ids }) => path === PREPARE && scene_ids.includes(id));
  if (running) {
    const { stage, progress, can_cancel } = running;
    return {
      stage: stage ? `${stage.title}, ${stage.index} of ${stage.count}` : "Preparing",
      progress,
      cancel: own?.cancel ?? (can_cancel ? () => cancelWork(running) : undefined),
    };
  }
  return own && { stage: "Preparing", progress: own.progress ?? 0, cancel: own.cancel };
});

/** Number of parts that "Prepare" works on: the selected ones, or all. */
export const preparedCount = computed((): number => {
  const parts = (scene.value?.models ?? []).filter(({ kind }) => kind === "part");
  const selected = new Set(selectedIds.value);
  const chosen = parts.filter(({ id }) => selected.has(id)).length;
  return chosen || parts.length;
});

/** Whether there is something to prepare, and nothing else at work. */
export const canPrepare = computed(
  () => preparedCount.value > 0 && preparation.value === undefined && tasks.value.length === 0,
);

interface PrepareReply extends ActionReply {
  readonly modified_model_ids: readonly string[];
  readonly unplaced_model_ids: readonly string[];
  readonly findings: readonly PageFinding[];
}

/** Prepares the selected models, or all, by one request: orients, supports and lays them out, or packs them. */
export async function prepareScene(): Promise<void> {
  const scene_id = fetchedScene().id;
  const targets = selectedOrAll();
  const steps = stepsOf(family.value);
  const outcome = await runChange(
    "Prepare",
    async (context): Promise<Prepared> => {
      const { model_ids, laterCount } = await targets();
      const begunMs = performance.now();
      const body = { scene_id, ...(model_ids.length > 0 && { model_ids }), ...steps, overflow: "BESIDE" };
      const reply = await callEndpoint<PrepareReply>(PREPARE, body, context);
      return { reply, laterCount, seconds: (performance.now() - begunMs) / 1000 };
    },
    "foot",
  );
  if (!outcome) return;
  showFindings(outcome.result.reply.findings);
  frameChanged(scene_id, outcome.result.reply.modified_model_ids);
  notifyPrepared(scene_id, outcome.result);
}

/** Opens the step with the first finding, else Check. */
function showFindings(findings: readonly PageFinding[]): void {
  const first = findings.find(({ accepted }) => !accepted);
  openStep.value = first && isPlacing(first) ? (family.value === "powder" ? "pack" : "layout") : "check";
}

const isPlacing = ({ kind }: PageFinding): boolean => kind === "IN_BOUNDS" || kind === "INTERFERENCES";

interface Prepared {
  readonly reply: PrepareReply;
  /** Number of models imported after the request. */
  readonly laterCount: number;
  readonly seconds: number;
}

function notifyPrepared(sceneId: string, { reply, laterCount, seconds }: Prepared): void {
  const { unplaced_model_ids, modified_model_ids, findings, warnings = [] } = reply;
  const later = laterCount > 0 ? [`Not included, because imported later: ${counted(laterCount, "part")}.`] : [];
  const remarks = [...warnings, ...later];
  const unplaced = unplaced_model_ids.length;
  const move: NoticeAction = {
    label: `Move ${unplaced} to a new scene`,
    run: () => void movePartsToNewScene(sceneId, unplaced_model_ids),
  };
  const undo: NoticeAction = { label: "Undo", run: () => void undoOrRedo("undo") };
  const open = findings.filter(({ accepted }) => !accepted).length;
  const sentences = [
    `Prepared ${counted(modified_model_ids.length, "part")} in ${duration(seconds)}.`,
    unplaced > 0 && `${counted(unplaced, "part")} ${unplaced === 1 ? "does" : "do"} not fit.`,
    open > 0 && `${open} to look at.`,
  ];
  notify({
    severity: unplaced > 0 || remarks.length > 0 ? "warning" : "success",
    text: sentences.filter((one) => one !== false).join(" "),
    details: remarks,
    actions: unplaced > 0 ? [move, undo] : [undo],
    sceneId,
  });
}

/** The fields of the request that stand for the forms of steps: "Prepare" uses the values chosen there as well. */
const FORMS = {
  resin: [
    ["orient", "/v1/scene/model/auto-orient/"],
    ["support", "/v1/scene/model/auto-support/"],
    ["layout", "/v1/scene/model/auto-layout/"],
  ],
  powder: [["pack", "/v1/scene/model/auto-pack/"]],
} as const satisfies Readonly<Record<string, readonly (readonly [field: string, path: string])[]>>;

function stepsOf(kind: keyof typeof FORMS): Readonly<Record<string, object>> {
  const entries = FORMS[kind].map(([field, path]): [string, object] => {
    const action = must(
      ACTIONS.find((one) => one.path === path),
      `The action ${path}`,
    );
    // Prepare has a choice of its own of what happens to parts that do not fit.
    const fields = actionFields(action, ENDPOINT_FORMS).filter(({ name }) => name !== "overflow");
    return [field, bodyOf(fields, formValues.value[path] ?? {}, action.conditions)];
  });
  return Object.fromEntries(entries);
}
