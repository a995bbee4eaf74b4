import { cancelled } from "../server/operation.ts";
import { scene, selection, fetchedScene } from "./project.ts";
import { type Selection, withoutGone } from "./selection.ts";

/** Ids of the models that a request works on; resolves when the models exist. */
export type TargetModels = () => Promise<readonly string[]>;

/** Selection that follows when a running task has created its models; undefined ids mean that the task failed. */
interface PendingSelection {
  /** Selection when the task was started. A later selection by the user has priority. */
  readonly before: Selection;
  readonly ids: Promise<readonly string[] | undefined>;
}

let pending: PendingSelection | undefined;

/** Whether the user has not changed this selection since. Models that were deleted do not count. */
function isUnchanged(before: Selection): boolean {
  const present = new Set((scene.value?.models ?? []).map(({ id }) => id));
  const kept = withoutGone(before, present).ids;
  const { ids } = selection.value;
  return ids.length === kept.length && ids.every((id, i) => id === kept[i]);
}

/** Selects models that were created, unless the user has selected others since `before`. */
export function selectCreated(ids: readonly string[], before: Selection): void {
  const present = ids.filter((id) => scene.value?.models.some((model) => model.id === id));
  if (present.length > 0 && isUnchanged(before)) selection.value = { ids: present, anchor: present[0] };
}

/** Selects models when they have been created. Actions that the user starts before that already work on these models. */
export async function selectWhenCreated(ids: Promise<readonly string[] | undefined>): Promise<void> {
  const own = { before: selection.value, ids };
  pending = own;
  const created = await ids;
  if (pending !== own) return;
  pending = undefined;
  selectCreated(created ?? [], own.before);
}

/** The models that an action started now works on: the selected ones, or those that a running task is about to select. */
export function targetModels(): TargetModels {
  const { ids } = selection.value;
  const next = pending;
  if (!next || !isUnchanged(next.before)) return async () => ids;
  return async () => {
    const created = await next.ids;
    if (!created) throw cancelled();
    return created;
  };
}

/** Ids of models imported in this session. Steps requested before an import exclude them. */
let imported: readonly string[] = [];

export function recordImported(ids: readonly string[]): void {
  imported = [...imported, ...ids];
}

/** All models of the shown scene, except those imported after the action was requested. */
export interface AllTargets {
  /** Ids for the request; an empty list means all models. */
  readonly model_ids: readonly string[];
  /** Number of models imported since, which are excluded. */
  readonly laterCount: number;
}

/** Captures that an action started now works on the target models, or on all if none is selected. */
export function selectedOrAll(): () => Promise<AllTargets> {
  const [models, all] = [targetModels(), allTargets()];
  const isForAll = selection.value.ids.length === 0;
  return async () => (isForAll ? all() : { model_ids: await models(), laterCount: 0 });
}

/** Captures that an action started now works on all models. The returned function gives their ids when earlier changes are done. */
export function allTargets(): () => AllTargets {
  const { id, models } = fetchedScene();
  const earlier = imported.length;
  return () => {
    const present = scene.value?.id === id ? scene.value.models : models;
    const later = new Set(imported.slice(earlier));
    const targets = present.filter((model) => !later.has(model.id)).map((model) => model.id);
    const laterCount = present.length - targets.length;
    if (laterCount === 0) return { model_ids: [], laterCount };
    // An empty list would mean all models.
    if (targets.length === 0) throw cancelled();
    return { model_ids: targets, laterCount };
  };
}
