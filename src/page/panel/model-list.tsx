import { useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PageModel } from "../../ui/replies.ts";
import { rename } from "../state/edit.ts";
import { scene, selection } from "../state/project.ts";
import { counted } from "../../core/quantities.ts";
import { scrollTo, visibleRows } from "../widget/visible-rows.ts";
import { type ListState, onListKey } from "./list-keys.ts";
import { ROW_PX, ModelRow } from "./model-row.tsx";
import { ModelTools } from "./model-tools.tsx";

/** List of the models of the scene with a search. It renders only visible rows, so that it stays fast with thousands. */
export function ModelList() {
  const search = useSignal("");
  const shown = useComputed(() => {
    const words = search.value.toLowerCase().trim();
    const models = scene.value?.models ?? [];
    return words === "" ? models : models.filter(({ name }) => name.toLowerCase().includes(words));
  });
  const total = scene.value?.models.length ?? 0;
  return (
    <section class="models" aria-label="Models">
      <header>
        <h2>Models</h2>
        <span class="count">
          {selection.value.ids.length > 0 ? `${selection.value.ids.length} of ${total}` : total || ""}
        </span>
      </header>
      <ModelTools />
      {total > 8 && (
        <input
          type="search"
          placeholder="Search models"
          aria-label="Search models"
          value={search.value}
          onInput={(event) => (search.value = event.currentTarget.value)}
        />
      )}
      <Rows models={shown.value} />
      <p class="hidden" role="status">
        {counted(selection.value.ids.length, "model")} selected
      </p>
    </section>
  );
}

function Rows({ models }: { models: readonly PageModel[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [scrolledPx, setScrolled] = useState(0);
  const windowPx = useHeight(box);
  const [renamed, setRenamed] = useState<string>();
  const order = models.map(({ id }) => id);
  const { first, count, heightPx } = visibleRows(models.length, ROW_PX, scrolledPx, windowPx);
  const [cursor, setCursor] = useCursor(order, box, windowPx);
  const selected = new Set(selection.value.ids);

  const pageRows = Math.max(1, Math.floor(windowPx / ROW_PX) - 1);
  const list: ListState = { order, cursor, renamed, pageRows, setCursor, setRenamed };
  const finishRename = (model: PageModel, name: string, byKey: boolean): void => {
    setRenamed(undefined);
    // After a click elsewhere the focus stays there.
    if (byKey) box.current?.focus();
    if (name.trim() !== "" && name !== model.name) void rename(model.id, name);
  };

  return (
    <div
      ref={box}
      class="rows"
      role="listbox"
      aria-label="Models of the scene"
      aria-multiselectable="true"
      tabIndex={0}
      {...(cursor !== undefined && order.includes(cursor) && { "aria-activedescendant": `model-${cursor}` })}
      onKeyDown={(event) => onListKey(event, list)}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
    >
      <div class="rows-space" style={{ height: `${heightPx}px` }}>
        {models.slice(first, first + count).map((model, i) => (
          <ModelRow
            key={model.id}
            model={model}
            index={first + i}
            isSelected={selected.has(model.id)}
            list={list}
            onRenamed={finishRename}
          />
        ))}
      </div>
      {models.length === 0 && <p class="empty">No models{scene.value?.models.length ? " with this name" : " yet"}.</p>}
    </div>
  );
}

/** The model from which keys move. It is scrolled into view when it changes. */
function useCursor(
  order: readonly string[],
  box: RefObject<HTMLElement | null>,
  windowPx: number,
): [cursor: string | undefined, setCursor: (id: string | undefined) => void] {
  const [cursor, setCursor] = useState<string>();
  // Depends on `windowPx`, since the list becomes lower when the numbers of the selection appear below it.
  useEffect(() => {
    const row = cursor === undefined ? -1 : order.indexOf(cursor);
    if (row >= 0) box.current!.scrollTop = scrollTo(row, ROW_PX, box.current!.scrollTop, windowPx);
  }, [cursor, windowPx]);

  // Keys continue from a model that was selected in the view.
  const { anchor } = selection.value;
  useEffect(() => {
    if (anchor !== undefined) setCursor(anchor);
  }, [anchor]);
  return [cursor, setCursor];
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
