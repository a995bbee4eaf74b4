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
