import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { counted, millilitres } from "../../core/quantities.ts";
import { rename } from "../state/edit.ts";
import { order, renamedRow, rows, search } from "../state/listed-parts.ts";
import type { PartRow } from "../state/part-rows.ts";
import { scene, selection } from "../state/project.ts";
import { scrollTo, visibleRows } from "../widget/visible-rows.ts";
import { type ListState, onListKey } from "./list-keys.ts";
import { ModelTools } from "./model-tools.tsx";
import { PartListRow, ROW_PX, rowId } from "./part-row.tsx";

/** List of the parts of the scene with a search. It renders only visible rows, so that it stays fast with thousands. */
export function PartList() {
  const total = scene.value?.models.length ?? 0;
  return (
    <section class="models" aria-label="Parts">
      <header>
        <h2>Parts</h2>
        <span class="count">{countOf(total)}</span>
      </header>
      {total > 0 && (
        <>
          <ModelTools />
          <input
            type="search"
            placeholder="Search parts"
            aria-label="Search parts"
            value={search.value}
            onInput={(event) => (search.value = event.currentTarget.value)}
          />
        </>
      )}
      <Rows rows={rows.value} order={order.value} />
      <p class="hidden" role="status">
        {counted(selection.value.ids.length, "part")} selected
      </p>
    </section>
  );
}

/** "9 · 246 ml", or how many of them are selected. */
function countOf(total: number): string {
  if (total === 0) return "none yet";
  const chosen = selection.value.ids.length;
  if (chosen > 0) return `${chosen.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  const volumeMl = scene.value?.models.reduce((sum, { volume_ml }) => sum + volume_ml, 0) ?? 0;
  return `${total.toLocaleString("en")} · ${millilitres(volumeMl)}`;
}

interface RowsProps {
  readonly rows: readonly PartRow[];
  /** Ids of all listed parts from top to bottom. */
  readonly order: readonly string[];
}

function Rows({ rows, order }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [scrolledPx, setScrolled] = useState(0);
  const windowPx = useHeight(box);
  const { first, count, heightPx } = visibleRows(rows.length, ROW_PX, scrolledPx, windowPx);
  const [cursor, setCursor] = useCursor(rows, box, windowPx);
  const selected = new Set(selection.value.ids);

  const pageRows = Math.max(1, Math.floor(windowPx / ROW_PX) - 1);
  const list: ListState = { rows, order, cursor, pageRows, setCursor };
  const finishRename = (row: PartRow, name: string, byKey: boolean): void => {
    renamedRow.value = undefined;
    // After a click elsewhere the focus stays there.
    if (byKey) box.current?.focus();
    if (name.trim() !== "" && name !== row.name) void rename(row.ids, name);
  };

  return (
    <div
      ref={box}
      class="rows"
      role="listbox"
      aria-label="Parts"
      aria-multiselectable="true"
      tabIndex={0}
      {...(cursor !== undefined && { "aria-activedescendant": rowId(cursor) })}
      onKeyDown={(event) => onListKey(event, list)}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
    >
      <div class="rows-space" style={{ height: `${heightPx}px` }}>
        {rows.slice(first, first + count).map((row, i) => (
          <PartListRow
            key={row.key}
            row={row}
            index={first + i}
            isSelected={row.ids.every((id) => selected.has(id))}
            list={list}
            onRenamed={finishRename}
          />
        ))}
      </div>
      {rows.length === 0 && (
        <p class="empty">
          {scene.value?.models.length
            ? "No part has this name."
            : "Parts that you add are listed here, with a picture, their volume and their supports."}
        </p>
      )}
    </div>
  );
}

/** Key of the row from which keys move; undefined if no row has it. It is scrolled into view when it changes. */
function useCursor(
  rows: readonly PartRow[],
  box: RefObject<HTMLElement | null>,
  windowPx: number,
): [cursor: string | undefined, setCursor: (key: string | undefined) => void] {
  const [cursor, setCursor] = useState<string>();
  const { value: renamed } = renamedRow;
  useEffect(() => {
    if (renamed !== undefined) setCursor(renamed);
  }, [renamed]);
  // Depends on `windowPx`, since the list becomes lower when the numbers of the selection appear below it.
  useEffect(() => {
    const row = cursor === undefined ? -1 : rows.findIndex(({ key }) => key === cursor);
    if (row >= 0) box.current!.scrollTop = scrollTo(row, ROW_PX, box.current!.scrollTop, windowPx);
  }, [cursor, windowPx, renamed]);

  // Keys continue from a part that was selected in the view: its own row, or the fold that holds it.
  // A fold that gets another name has another key.
  const { anchor, ids } = selection.value;
  const present = rows.find(({ key }) => key === cursor);
  useEffect(() => {
    if (anchor === undefined) return;
    const selected = new Set(ids);
    if (present?.ids.includes(anchor) && present.ids.every((id) => selected.has(id))) return;
    const row = rows.findLast((one) => one.ids.includes(anchor));
    if (row) setCursor(row.key);
  }, [anchor, ids, present === undefined]);
  return [present?.key, setCursor];
}

/** Returns the height of an element, px, which it observes. */
function useHeight(element: RefObject<HTMLElement | null>): number {
  const [heightPx, setHeight] = useState(400);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setHeight(entry.contentRect.height));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return heightPx;
}
