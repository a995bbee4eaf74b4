import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PageModel } from "../../ui/replies.ts";
import { choiceLabel } from "../action/field.ts";
import { deleteSelected, rename, setVisible } from "../state/edit.ts";
import { scene, selection } from "../state/project.ts";
import { clicked } from "../state/selection.ts";
import { counted } from "../widget/quantities.ts";
import { Icon } from "../widget/icon.tsx";
import { scrollTo, visibleRows } from "../widget/visible-rows.ts";
import { ModelTools } from "./model-tools.tsx";

const ROW_PX = matchMedia("(pointer: coarse)").matches ? 44 : 28;

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
  const [windowPx, setWindow] = useState(400);
  const [cursor, setCursor] = useState<string>();
  const [renamed, setRenamed] = useState<string>();
  const order = models.map(({ id }) => id);
  const { first, count, heightPx } = visibleRows(models.length, ROW_PX, scrolledPx, windowPx);
  const selected = new Set(selection.value.ids);

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWindow(entry.contentRect.height));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);

  // Depends on `windowPx`, since the list becomes lower when the numbers of the selection appear below it.
  useEffect(() => {
    const row = models.findIndex(({ id }) => id === cursor);
    if (row >= 0) box.current!.scrollTop = scrollTo(row, ROW_PX, box.current!.scrollTop, windowPx);
  }, [cursor, windowPx]);

  // A model that is selected in the view is scrolled into view, and keys continue from it.
  const { anchor } = selection.value;
  useEffect(() => {
    if (anchor !== undefined) setCursor(anchor);
  }, [anchor]);

  const choose = (id: string, event: MouseEvent | KeyboardEvent): void => {
    selection.value = clicked(selection.value, id, order, {
      isRange: event.shiftKey,
      isToggle: event.ctrlKey || event.metaKey,
    });
    setCursor(id);
  };
  const toggle = (id: string): void => {
    selection.value = clicked(selection.value, id, order, { isToggle: true });
    setCursor(id);
  };
  const goTo = (row: number, event: KeyboardEvent): void => {
    const at = Math.max(0, Math.min(models.length - 1, row));
    if (event.ctrlKey || event.metaKey) setCursor(order[at]);
    else choose(order[at], event);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (models.length === 0 || renamed !== undefined) return;
    const at = order.indexOf(cursor ?? "");
    const page = Math.max(1, Math.floor(windowPx / ROW_PX) - 1);
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: models.length,
    };
    const row = to[event.key as keyof typeof to];
    if (row !== undefined) goTo(row, event);
    else if (event.key === " " && cursor !== undefined) toggle(cursor);
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) selection.value = { ids: order, anchor: order[0] };
    else if (event.key === "Escape") selection.value = { ids: [], anchor: undefined };
    else if (event.key === "F2" && cursor !== undefined) setRenamed(cursor);
    else if (event.key === "Delete") void deleteSelected();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const finishRename = (id: string, name: string, byKey: boolean): void => {
    setRenamed(undefined);
    // After a click elsewhere the focus stays there.
    if (byKey) box.current?.focus();
    const before = models.find((model) => model.id === id)?.name;
    if (name.trim() !== "" && name !== before) void rename(id, name);
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
      onKeyDown={onKeyDown}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
    >
      <div class="rows-space" style={{ height: `${heightPx}px` }}>
        {models.slice(first, first + count).map((model, i) => (
          <Row
            key={model.id}
            model={model}
            topPx={(first + i) * ROW_PX}
            place={[first + i + 1, models.length]}
            isSelected={selected.has(model.id)}
            isCursor={model.id === cursor}
            isRenamed={model.id === renamed}
            onChoose={choose}
            onToggle={toggle}
            onRename={() => setRenamed(model.id)}
            onRenamed={finishRename}
          />
        ))}
      </div>
      {models.length === 0 && <p class="empty">No models{scene.value?.models.length ? " of this name" : " yet"}.</p>}
    </div>
  );
}

function Row(props: {
  model: PageModel;
  topPx: number;
  place: readonly [number, number];
  isSelected: boolean;
  isCursor: boolean;
  isRenamed: boolean;
  onChoose: (id: string, event: MouseEvent) => void;
  onToggle: (id: string) => void;
  onRename: () => void;
  onRenamed: (id: string, name: string, byKey: boolean) => void;
}) {
  const { model, topPx, place, isSelected, isCursor, isRenamed, onChoose, onToggle, onRename, onRenamed } = props;
  const { id, name, visible, lock, supports } = model;
  const inBounds = model.in_bounds;
  const states = [
    !inBounds && "out of bounds",
    !visible && "hidden",
    lock !== "FREE" && `lock: ${choiceLabel(lock)}`,
    supports && "supported",
    model.kind === "lattice" ? "cage" : model.cage_id !== null && "in a cage",
  ].filter((one) => typeof one === "string");
  return (
    <div
      id={`model-${id}`}
      class="row"
      role="option"
      aria-selected={isSelected}
      aria-label={[name, ...states].join(", ")}
      aria-posinset={place[0]}
      aria-setsize={place[1]}
      data-cursor={isCursor}
      data-hidden={!visible}
      style={{ transform: `translateY(${topPx}px)`, height: `${ROW_PX}px` }}
      title={[name, ...states].join(" · ")}
      onClick={(event) => onChoose(id, event)}
      onDblClick={onRename}
    >
      <span
        class="mark mark-choose"
        onClick={(event) => {
          event.stopPropagation();
          onToggle(id);
        }}
      >
        <span class="tick">{isSelected && <Icon name="check" />}</span>
      </span>
      {isRenamed ? (
        <RenameInput name={name} onDone={(text, byKey) => onRenamed(id, text, byKey)} />
      ) : (
        <span class="name">{name}</span>
      )}
      {!inBounds && (
        <span class="mark mark-error">
          <Icon name="warning" />
        </span>
      )}
      {lock !== "FREE" && (
        <span class="mark">
          <Icon name="lock" />
        </span>
      )}
      {supports && (
        <span class="mark">
          <Icon name="support" />
        </span>
      )}
      <span
        class="mark mark-eye"
        onClick={(event) => {
          event.stopPropagation();
          void setVisible([id], !visible);
        }}
      >
        <Icon name={visible ? "eye" : "eyeOff"} />
      </span>
    </div>
  );
}

function RenameInput({ name, onDone }: { name: string; onDone: (text: string, byKey: boolean) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const done = (text: string, byKey: boolean): void => {
    if (isOver.current) return;
    isOver.current = true;
    onDone(text, byKey);
  };
  useEffect(() => input.current!.select(), []);
  return (
    <input
      ref={input}
      class="name"
      aria-label="Name of the model"
      defaultValue={name}
      onClick={(event) => event.stopPropagation()}
      onBlur={(event) => done(event.currentTarget.value, false)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") done(event.currentTarget.value, true);
        if (event.key === "Escape") done(name, true);
      }}
    />
  );
}
