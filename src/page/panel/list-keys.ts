import { deleteSelected } from "../state/edit.ts";
import { selection } from "../state/project.ts";
import { clicked } from "../state/selection.ts";

/** The list of models, as keys and clicks use it. */
export interface ListState {
  /** Ids of the listed models from top to bottom. */
  readonly order: readonly string[];
  /** Id of the model from which keys move. */
  readonly cursor: string | undefined;
  /** Id of the model whose name is being edited. */
  readonly renamed: string | undefined;
  /** Number of rows that Page Up and Page Down move. */
  readonly pageRows: number;
  setCursor(id: string | undefined): void;
  setRenamed(id: string | undefined): void;
}

/** Selects a model. Shift selects a range; Ctrl or Command adds or removes the model. */
export function selectRow(id: string, event: MouseEvent | KeyboardEvent, { order, setCursor }: ListState): void {
  selection.value = clicked(selection.value, id, order, {
    isRange: event.shiftKey,
    isToggle: event.ctrlKey || event.metaKey,
  });
  setCursor(id);
}

/** Adds a model to the selection, or removes it. */
export function toggleRow(id: string, { order, setCursor }: ListState): void {
  selection.value = clicked(selection.value, id, order, { isToggle: true });
  setCursor(id);
}

/** Handles a key in the list; other keys are left to the page. */
export function onListKey(event: KeyboardEvent, list: ListState): void {
  if (list.order.length === 0 || list.renamed !== undefined || !handle(event, list)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Returns whether the key has a meaning in the list. */
function handle(event: KeyboardEvent, list: ListState): boolean {
  const { order, cursor } = list;
  const row = targetRow(event.key, list);
  if (row !== undefined) goTo(row, event, list);
  else if (event.key === " " && cursor !== undefined) toggleRow(cursor, list);
  else if (event.key === "a" && (event.ctrlKey || event.metaKey)) selection.value = { ids: order, anchor: order[0] };
  else if (event.key === "Escape") selection.value = { ids: [], anchor: undefined };
  else if (event.key === "F2" && cursor !== undefined) list.setRenamed(cursor);
  else if (event.key === "Delete") void deleteSelected();
  else return false;
  return true;
}

/** Row to which a key moves; it may be beyond the list. Undefined for other keys. */
function targetRow(key: string, { order, cursor, pageRows }: ListState): number | undefined {
  const at = order.indexOf(cursor ?? "");
  return {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + pageRows,
    PageUp: at - pageRows,
    Home: 0,
    End: order.length,
  }[key];
}

/** Selects the model of a row; with Ctrl or Command it only moves the cursor there. */
function goTo(row: number, event: KeyboardEvent, list: ListState): void {
  const id = list.order[Math.max(0, Math.min(list.order.length - 1, row))];
  if (id === undefined) return;
  if (event.ctrlKey || event.metaKey) list.setCursor(id);
  else selectRow(id, event, list);
}
