import { batch, computed, signal } from "@preact/signals";
import { notify } from "./notices.ts";
import { type PartFold, foldCopies, orderOf, partRows } from "./part-rows.ts";
import { family, scene } from "./project.ts";

// The list of parts: its search, its folds of copies, and the row whose name is being edited.

export const search = signal("");
/** Keys of the folds that show their copies. */
const openFolds = signal<ReadonlySet<string>>(new Set());
const folds = computed(() => foldCopies(scene.value?.models ?? [], family.value));

export const rows = computed(() => partRows(folds.value, openFolds.value, search.value));
/** Ids of all listed parts from top to bottom. */
export const order = computed(() => orderOf(rows.value));

/** Key of the row whose name is being edited. */
export const renamedRow = signal<string | undefined>(undefined);

export function setFoldOpen(key: string, isOpen: boolean): void {
  const others = [...openFolds.value].filter((one) => one !== key);
  openFolds.value = new Set(isOpen ? [...others, key] : others);
}

/** More copies are not renamed at a time: each takes a request, and the server keeps 50 states to undo. */
const MOST_RENAMED = 50;

/** Whether these parts have one name that can be edited: one part, or all copies of a fold. */
export const canRename = (ids: readonly string[]): boolean => foldOf(ids) !== undefined && ids.length <= MOST_RENAMED;

/** The fold of one part, or of copies that are the whole of it; undefined for other parts. */
function foldOf(ids: readonly string[]): PartFold | undefined {
  const fold = folds.value.find(({ models }) => models.some(({ id }) => id === ids[0]));
  const chosen = new Set(ids);
  const isWhole = fold?.models.length === chosen.size && fold.models.every(({ id }) => chosen.has(id));
  return ids.length === 1 || isWhole ? fold : undefined;
}

/** Shows the name of a part, or of a fold of copies, as a field in its row. */
export function startRename(ids: readonly string[]): void {
  const fold = foldOf(ids);
  const [id] = ids;
  if (!fold || id === undefined) return;
  if (!canRename(ids)) {
    const text = `At most ${MOST_RENAMED} copies are renamed at a time. Show the copies of the row, and rename one of them.`;
    return notify({ severity: "info", text });
  }
  const isWhole = ids.length === fold.models.length;
  const key = isWhole ? fold.key : id;
  batch(() => {
    if (!isWhole) setFoldOpen(fold.key, true);
    if (!rows.value.some((row) => row.key === key)) search.value = "";
    renamedRow.value = key;
  });
}
