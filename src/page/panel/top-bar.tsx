import { useState } from "preact/hooks";
import type { PageSceneSummary, PageSetting } from "../../ui/replies.ts";
import { call, post } from "../server/call.ts";
import { type SaveFormat, save } from "../state/download.ts";
import { undoOrRedo } from "../state/edit.ts";
import { chooseModels } from "../state/import-files.ts";
import { connection, pageState, refresh, scene, showScene, summary, fetchedScene } from "../state/project.ts";
import { notifyFailure } from "../state/tasks.ts";
import { THEMES, theme } from "../state/theme.ts";
import { Icon, IconButton, type IconName } from "../widget/icon.tsx";
import { Menu, type MenuItem } from "../widget/menu.tsx";
import { counted } from "../../core/quantities.ts";
import { notify } from "../state/notices.ts";
import { MessageLog } from "./message-log.tsx";
import { SceneDialog } from "./scene-dialog.tsx";
import { isHelpOpen } from "./shortcuts.tsx";

const FORMATS: readonly [format: SaveFormat, label: string, note: string][] = [
  ["form", "Project", ".form"],
  ["job", "Job", "for the printer"],
  ["fps", "Print setting", ".fps"],
  ["3mf", "3MF", "parts with supports"],
  ["stl", "STL", "one mesh"],
  ["obj", "OBJ", "one mesh"],
  ["glb", "GLB", "for viewers"],
];

const THEME_ICONS: Readonly<Record<(typeof THEMES)[number], IconName>> = {
  system: "system",
  light: "sun",
  dark: "moon",
};

/** Top bar: scenes, undo and redo, files, theme, help. */
export function TopBar() {
  const [dialog, setDialog] = useState<"new" | "change">();
  const setting = summary.value?.setting;
  const undo = summary.value?.undo_count ?? 0;
  const redo = summary.value?.redo_count ?? 0;
  const nextTheme = THEMES[THEMES.indexOf(theme.value) + 1] ?? THEMES[0];
  return (
    <header class="top-bar">
      <h1>Printwright</h1>
      <Scenes onNew={() => setDialog("new")} />
      {setting && <SettingButton setting={setting} onClick={() => setDialog("change")} />}
      <span class="space" />
      <IconButton
        icon="undo"
        name="Undo"
        shortcut="Ctrl+Z"
        disabled={undo === 0}
        onClick={() => void undoOrRedo("undo")}
      />
      <IconButton
        icon="redo"
        name="Redo"
        shortcut="Shift+Ctrl+Z"
        disabled={redo === 0}
        onClick={() => void undoOrRedo("redo")}
      />
      <IconButton icon="open" name="Open files" shortcut="Ctrl+O" onClick={chooseModels} />
      <Menu name="Save" icon="save" items={saveItems((scene.value?.models.length ?? 0) === 0)} />
      <MessageLog />
      <IconButton
        icon={THEME_ICONS[theme.value]}
        name={`Colours: ${theme.value}. Switch to ${nextTheme}`}
        onClick={() => (theme.value = nextTheme)}
      />
      <IconButton icon="help" name="Help" shortcut="?" onClick={() => (isHelpOpen.value = true)} />
      {connection.value === "gone" && (
        <p class="gone" role="alert">
          <Icon name="warning" />
          Printwright does not answer. The page continues when it is running again.
        </p>
      )}
      {dialog !== undefined && <SceneDialog isNew={dialog === "new"} onClose={() => setDialog(undefined)} />}
    </header>
  );
}

const saveItems = (isEmpty: boolean): readonly MenuItem[] =>
  FORMATS.map(([format, label, note]) => ({
    label,
    note,
    disabled: isEmpty && format !== "fps",
    run: () => void save(format),
  }));

function SettingButton({ setting, onClick }: { setting: PageSetting; onClick: () => void }) {
  const { printer_label, material_label, layer_thickness_mm } = setting;
  const thickness = layer_thickness_mm === "ADAPTIVE" ? "adaptive layers" : `${layer_thickness_mm} mm`;
  return (
    <button
      type="button"
      class="plain setting"
      aria-label={`Printer and material: ${printer_label}, ${material_label}, ${thickness}`}
      title="Change printer and material"
      onClick={onClick}
    >
      <b>{printer_label}</b>
      <span>
        {material_label}, {thickness}
      </span>
    </button>
  );
}

/** Tabs of the scenes. Arrow keys select the next or previous tab. */
function Scenes({ onNew }: { onNew: () => void }) {
  const scenes = pageState.value?.scenes ?? [];
  const shown = scene.value?.id;
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const at = scenes.findIndex(({ id }) => id === shown);
    const next = (at + by + scenes.length) % scenes.length;
    const nextScene = scenes[next];
    if (!nextScene) return;
    showScene(nextScene.id);
    (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
    event.preventDefault();
  };
  return (
    <nav class="scenes" aria-label="Scenes">
      <div role="tablist" aria-label="Scenes" onKeyDown={onKeyDown}>
        {scenes.map((one) => (
          <button
            key={one.id}
            type="button"
            role="tab"
            aria-label={`${one.name}, ${counted(one.model_count, "model")}`}
            aria-selected={one.id === shown}
            tabIndex={one.id === shown ? 0 : -1}
            title={`${one.name}: ${one.setting.printer_label}, ${one.setting.material_label}`}
            onClick={() => showScene(one.id)}
          >
            {one.name}
            <small>{one.model_count || ""}</small>
          </button>
        ))}
      </div>
      <IconButton icon="add" name="New scene" onClick={onNew} />
      <Menu name="Scene" icon="more" items={sceneItems(scenes)} />
    </nav>
  );
}

function sceneItems(scenes: readonly PageSceneSummary[]) {
  const isDefault = scenes[0]?.id === scene.value?.id;
  return [
    { label: isDefault ? "Empty this scene" : "Delete this scene", run: () => void deleteScene() },
    {
      label: "Restore the deleted scene",
      disabled: (pageState.value?.deleted_count ?? 0) === 0,
      run: () => void restoreScene(),
    },
  ];
}

async function deleteScene(): Promise<void> {
  const name = summary.value?.name ?? "The scene";
  try {
    await call("DELETE", "/v1/scene/delete/", { scene_id: fetchedScene().id });
    await refresh();
    notify({ severity: "info", text: `${name} was deleted.` });
  } catch (thrown) {
    notifyFailure("Delete the scene", thrown);
  }
}

async function restoreScene(): Promise<void> {
  try {
    const { id } = await post<{ id: string }>("/ui/undo-delete/");
    showScene(id);
  } catch (thrown) {
    notifyFailure("Restore the scene", thrown);
  }
}
