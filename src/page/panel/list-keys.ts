import { deleteSelected } from "../state/edit.ts";
import { setFoldOpen, startRename } from "../state/listed-parts.ts";
import type { PartRow } from "../state/part-rows.ts";
import { selection } from "../state/project.ts";
import { clicked } from "../state/selection.ts";

/** The list of parts, as keys and clicks use it. */
export interface ListState {
  /** The rows from top to bottom. */
  readonly rows: readonly PartRow[];
  /** Ids of the listed parts from top to bottom, also of those in closed folds. */
  readonly order: readonly string[];
  /** Key of the row from which keys move. */
  readonly cursor: string | undefined;
  /** Number of rows that Page Up and Page Down move. */
  readonly pageRows: number;
  setCursor(key: string | undefined): void;
}

/** Selects the parts of a row. Shift selects a range; Ctrl or Command adds or removes the row. */
export function selectRow({ key, ids }: PartRow, event: MouseEvent | KeyboardEvent, list: ListState): void {
  list.setCursor(key);
  selection.value = clicked(selection.value, ids, list.order, {
    isRange: event.shiftKey,
    isToggle: event.ctrlKey || event.metaKey,
  });
}

/** Adds the parts of a row to the selection, or removes them. */
export function toggleRow({ key, ids }: PartRow, { order, setCursor }: ListState): void {
  setCursor(key);
  selection.value = clicked(selection.value, ids, order, { isToggle: true });
}

/** Opens a fold of copies, or closes it. */
export function toggleFold({ key, isOpen }: PartRow, { setCursor }: ListState): void {
  setCursor(key);
  setFoldOpen(key, !isOpen);
}

/** Handles a key in the list; other keys are left to the page. */
export function onListKey(event: KeyboardEvent, list: ListState): void {
  if (list.rows.length === 0 || !handle(event, list)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Returns whether the key has a meaning in the list. */
function handle(event: KeyboardEvent, list: ListState): boolean {
  const { order, cursor } = list;
  const present = list.rows.find(({ key }) => key === cursor);
  const isModified = event.ctrlKey || event.metaKey;
  const row = targetRow(event.key, list);
  if (row !== undefined) goTo(row, event, list);
  else if (event.key === " " && present) toggleRow(present, list);
  else if (event.key === "ArrowRight" && present && !isModified) return openFold(present, event, list);
  else if (event.key === "ArrowLeft" && present && !isModified) return closeFold(present, event, list);
  else if (event.key === "a" && isModified) selection.value = { ids: order, anchor: order[0] };
  else if (event.key === "F2" && present) startRename(present.ids);
  else if (event.key === "Delete") void deleteSelected();
  else return false;
  return true;
}

/** Opens the fold of the row; if it is open already, goes to its first copy. */
function openFold(row: PartRow, event: KeyboardEvent, list: ListState): boolean {
  if (row.isOpen === false) setFoldOpen(row.key, true);
  else if (row.isOpen) goTo(list.rows.indexOf(row) + 1, event, list);
  return true;
}

/** Closes the fold of the row; from a copy in a fold, goes to the fold. */
function closeFold(row: PartRow, event: KeyboardEvent, list: ListState): boolean {
  const above = list.rows.slice(0, list.rows.indexOf(row));
  if (row.isOpen) setFoldOpen(row.key, false);
  else if (row.isInFold)
    goTo(
      above.findLastIndex(({ isInFold }) => !isInFold),
      event,
      list,
    );
  return true;
}

/** Row to which a key moves; it may be beyond the list. Undefined for other keys. */
function targetRow(key: string, { rows, cursor, pageRows }: ListState): number | undefined {
  const at = rows.findIndex((row) => row.key === cursor);
  return {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + pageRows,
    PageUp: at - pageRows,
    Home: 0,
    End: rows.length,
  }[key];
}

/** Selects the parts of a row; with Ctrl or Command it only moves the cursor there. */
function goTo(index: number, event: KeyboardEvent, list: ListState): void {
  const row = list.rows[Math.max(0, Math.min(list.rows.length - 1, index))];
  if (!row) return;
  if (event.ctrlKey || event.metaKey) list.setCursor(row.key);
  else selectRow(row, event, list);
}
