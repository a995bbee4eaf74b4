import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { counted } from "../../core/quantities.ts";
import type { PageSceneSummary } from "../../ui/replies.ts";
import { offerRecovery } from "../state/keeping.ts";
import { keeping, pageState, scene, showScene } from "../state/project.ts";
import { light } from "../state/scene-findings.ts";
import { runningWork } from "../state/running-work.ts";
import { LONGEST_NAME, deleteScene, renameScene, restoreScene } from "../state/scenes.ts";
import { tasks } from "../state/tasks.ts";
import { IconButton } from "../widget/icon.tsx";
import { Menu, type MenuItem } from "../widget/menu.tsx";
import { RenameInput } from "../widget/rename-input.tsx";

/** With more scenes a menu lists them all. */
const MANY_SCENES = 8;

/** Tabs of the scenes, with a menu. Arrow keys select the next or previous tab; F2 and a double click rename. */
export function SceneTabs({ onNew }: { onNew: () => void }) {
  const scenes = pageState.value?.scenes ?? [];
  const shown = scene.value?.id;
  const renamed = useSignal<string | undefined>(undefined);
  const strip = useRef<HTMLDivElement>(null);
  const focusShown = (): void =>
    queueMicrotask(() => strip.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "F2") renamed.value = shown;
    else if (by !== undefined) {
      const at = scenes.findIndex(({ id }) => id === shown);
      const next = scenes[(at + by + scenes.length) % scenes.length];
      if (!next) return;
      showScene(next.id);
      strip.current?.querySelector<HTMLElement>(`[data-scene="${next.id}"]`)?.focus();
    } else return;
    event.preventDefault();
  };
  return (
    <nav class="scenes" aria-label="Scenes">
      <Scrolled strip={strip} shown={shown} count={scenes.length}>
        <div ref={strip} role="tablist" aria-label="Scenes" onKeyDown={onKeyDown}>
          {scenes.map((one) =>
            one.id === renamed.value ? (
              <RenameInput
                key={one.id}
                label="Name of the scene"
                name={one.name}
                longest={LONGEST_NAME}
                onDone={(name, byKey) => {
                  renamed.value = undefined;
                  void renameScene(one.id, name);
                  if (byKey) focusShown();
                }}
              />
            ) : (
              <Tab key={one.id} entry={one} isShown={one.id === shown} onRename={() => (renamed.value = one.id)} />
            ),
          )}
        </div>
      </Scrolled>
      <IconButton icon="add" name="New scene" onClick={onNew} />
      {scenes.length > MANY_SCENES && <Menu name="All scenes" icon="list" items={scenes.map(sceneItem)} />}
      <Menu name="Scene" icon="more" items={actionItems(scenes, () => (renamed.value = shown))} />
    </nav>
  );
}

function Tab(props: { entry: PageSceneSummary; isShown: boolean; onRename: () => void }) {
  const { entry, isShown, onRename } = props;
  const { id, name, setting, model_count } = entry;
  const hasErrors = entry.has_errors || (isShown && light.value === "error");
  const isWorking =
    !isShown &&
    (runningWork.value.some(({ scene_ids }) => scene_ids.includes(id)) ||
      tasks.value.some(({ sceneId }) => sceneId === id));
  return (
    <button
      type="button"
      role="tab"
      data-scene={id}
      data-working={isWorking}
      data-errors={hasErrors}
      aria-label={`${name}, ${counted(model_count, "part")}${hasErrors ? ", something must be solved" : ""}${isWorking ? ", working" : ""}`}
      aria-selected={isShown}
      tabIndex={isShown ? 0 : -1}
      title={`${name}: ${setting.printer_label}, ${setting.material_label}`}
      onClick={() => showScene(id)}
      onDblClick={onRename}
    >
      {name}
      <small>{model_count || ""}</small>
    </button>
  );
}

/** Keeps the shown tab in view, and has buttons at the ends of a strip that is longer than its room. */
function Scrolled(props: {
  strip: RefObject<HTMLDivElement | null>;
  shown: string | undefined;
  count: number;
  children: preact.ComponentChildren;
}) {
  const { strip, shown, count, children } = props;
  const [room, setRoom] = useState({ before: false, after: false });
  const look = (): void => {
    const { scrollLeft, scrollWidth, clientWidth } = strip.current!;
    setRoom({ before: scrollLeft > 1, after: scrollLeft + clientWidth < scrollWidth - 1 });
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    const element = strip.current!;
    observer.observe(element);
    element.addEventListener("scroll", look);
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  useEffect(() => {
    strip.current!.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    look();
  }, [shown, count]);
  const scroll = (share: number): void =>
    strip.current!.scrollBy({ left: share * strip.current!.clientWidth, behavior: "smooth" });
  return (
    <>
      {room.before && <IconButton icon="chevron" class="earlier" name="Earlier scenes" onClick={() => scroll(-0.8)} />}
      {children}
      {room.after && <IconButton icon="chevron" name="Later scenes" onClick={() => scroll(0.8)} />}
    </>
  );
}

const sceneItem = ({ id, name, model_count, setting }: PageSceneSummary): MenuItem => ({
  label: name,
  note: `${counted(model_count, "part")}, ${setting.printer_label}`,
  run: () => showScene(id),
});

const actionItems = (scenes: readonly PageSceneSummary[], rename: () => void): readonly MenuItem[] => [
  { label: "Rename", note: "F2", run: rename },
  {
    label: scenes[0]?.id === scene.value?.id ? "Empty this scene" : "Delete this scene",
    run: () => void deleteScene(),
  },
  {
    label: "Restore the deleted scene",
    disabled: (pageState.value?.deleted_count ?? 0) === 0,
    run: () => void restoreScene(),
  },
  { label: "Bring back kept scenes", disabled: keeping.value?.folder == null, run: () => void offerRecovery() },
];
