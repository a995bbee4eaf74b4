import { cancelled } from "../server/operation.ts";
import { scene, selection } from "./project.ts";
import { type Selection, withoutGone } from "./selection.ts";

/** The models that a step is about, as they are once its turn comes. */
export type MeantModels = () => Promise<readonly string[]>;

/** What is selected next, unless the person selects something else before; undefined where making it failed. */
interface Successor {
  readonly of: Selection;
  readonly ids: Promise<readonly string[] | undefined>;
}

let successor: Successor | undefined;

/** Whether the person has selected nothing else since; models that are gone do not count. */
function isStill(before: Selection): boolean {
  const present = new Set((scene.value?.models ?? []).map(({ id }) => id));
  const kept = withoutGone(before, present).ids;
  const { ids } = selection.value;
  return ids.length === kept.length && ids.every((id, i) => id === kept[i]);
}

/** Selects models that were made, unless the person has selected others meanwhile. */
export function selectMade(ids: readonly string[], before: Selection): void {
  const present = ids.filter((id) => scene.value?.models.some((model) => model.id === id));
  if (present.length > 0 && isStill(before)) selection.value = { ids: present, anchor: present[0] };
}

/** What the person asks for from now on is about the models that are being made, which are selected once they are there. */
export async function selectOnceMade(ids: Promise<readonly string[] | undefined>): Promise<void> {
  const own = { of: selection.value, ids };
  successor = own;
  const made = await ids;
  if (successor !== own) return;
  successor = undefined;
  selectMade(made ?? [], own.of);
}

/** The models that the person means at this moment: the selected ones, or those that a step under way is about to select. */
export function meantModels(): MeantModels {
  const { ids } = selection.value;
  const next = successor;
  if (!next || !isStill(next.of)) return async () => ids;
  return async () => {
    const made = await next.ids;
    if (!made) throw cancelled();
    return made;
  };
}

/** What imports made since the page was opened. They come when they come, and steps that were asked for before are not about them. */
let imported: readonly string[] = [];

export function noteImported(ids: readonly string[]): void {
  imported = [...imported, ...ids];
}

/** The models of the scene that is shown, and those that steps under way make, without what is imported from now on. */
export interface AllMeant {
  /** Those for the interface; none stand for all. */
  readonly model_ids: readonly string[];
  /** How many were imported meanwhile. */
  readonly laterCount: number;
}

/** All models that the person means at this moment, as they are once their turn comes. */
export function allMeant(): () => AllMeant {
  const { id, models } = scene.value!;
  const earlier = imported.length;
  return () => {
    const present = scene.value?.id === id ? scene.value.models : models;
    const later = new Set(imported.slice(earlier));
    const meant = present.filter((model) => !later.has(model.id)).map((model) => model.id);
    const laterCount = present.length - meant.length;
    if (laterCount === 0) return { model_ids: [], laterCount };
    // To the interface no models are all models.
    if (meant.length === 0) throw cancelled();
    return { model_ids: meant, laterCount };
  };
}
