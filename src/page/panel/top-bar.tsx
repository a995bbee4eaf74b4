import { useState } from "preact/hooks";
import type { PageSetting } from "../../ui/replies.ts";
import { type SaveFormat, save } from "../state/download.ts";
import { undoOrRedo } from "../state/edit.ts";
import { chooseModels } from "../state/import-files.ts";
import { keptAt } from "../state/keeping.ts";
import { connection, family, scene, summary } from "../state/project.ts";
import { editStack, redoEdit, undoEdit } from "../state/support-mode.ts";
import { THEMES, theme } from "../state/theme.ts";
import { Icon, IconButton, type IconName } from "../widget/icon.tsx";
import { Menu, type MenuItem } from "../widget/menu.tsx";
import { shownTime } from "../widget/shown-time.ts";
import { settingText } from "./first-steps.tsx";
import { MessageLog } from "./message-log.tsx";
import { CalibrationDialog } from "./calibration-dialog.tsx";
import { DrawerButton } from "./parts-drawer.tsx";
import { PlanDialog } from "./plan-dialog.tsx";
import { RecoveryDialog } from "./recovery-dialog.tsx";
import { PictureDialog } from "./picture-form.tsx";
import { SceneDialog } from "./scene-dialog.tsx";
import { SceneTabs } from "./scene-tabs.tsx";
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
  const [dialog, setDialog] = useState<"new" | "change" | "picture" | "calibration">();
  const setting = summary.value?.setting;
  const undo = summary.value?.undo_count ?? 0;
  const redo = summary.value?.redo_count ?? 0;
  const nextTheme = THEMES[THEMES.indexOf(theme.value) + 1] ?? THEMES[0];
  return (
    <header class="top-bar">
      <h1>Printwright</h1>
      <DrawerButton />
      <SceneTabs onNew={() => setDialog("new")} />
      {setting && <SettingButton setting={setting} onClick={() => setDialog("change")} />}
      <span class="space" />
      {keptAt.value !== undefined && (
        <time
          class="kept"
          dateTime={keptAt.value}
          title="Kept on this machine only. A saved project is for others, too."
        >
          <Icon name="check" />
          Kept {shownTime(keptAt.value)}
        </time>
      )}
      <IconButton
        icon="undo"
        name="Undo"
        shortcut="Ctrl+Z"
        disabled={undo === 0 && editStack.value.done.length === 0}
        onClick={() => (editStack.value.done.length > 0 ? undoEdit() : void undoOrRedo("undo"))}
      />
      <IconButton
        icon="redo"
        name="Redo"
        shortcut="Shift+Ctrl+Z"
        disabled={redo === 0 && editStack.value.undone.length === 0}
        onClick={() => (editStack.value.undone.length > 0 ? redoEdit() : void undoOrRedo("redo"))}
      />
      <IconButton icon="open" class="open-files" name="Open files" shortcut="Ctrl+O" onClick={chooseModels} />
      <Menu name="Save" icon="save" items={saveItems((scene.value?.models.length ?? 0) === 0, setDialog)} />
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
      <RecoveryDialog />
      <PlanDialog />
      {dialog === "picture" && <PictureDialog onClose={() => setDialog(undefined)} />}
      {dialog === "calibration" && setting && (
        <CalibrationDialog setting={setting} onClose={() => setDialog(undefined)} />
      )}
      {(dialog === "new" || dialog === "change") && (
        <SceneDialog isNew={dialog === "new"} onClose={() => setDialog(undefined)} />
      )}
    </header>
  );
}

const saveItems = (isEmpty: boolean, open: (dialog: "picture" | "calibration") => void): readonly MenuItem[] => [
  ...FORMATS.map(([format, label, note]) => ({
    label,
    // Parts in powder have no supports.
    note: format === "3mf" && family.value === "powder" ? "parts" : note,
    disabled: isEmpty && format !== "fps",
    run: () => void save(format),
  })),
  { label: "Picture…", note: "or a flight around the parts", disabled: isEmpty, run: () => open("picture") },
  ...(family.value === "resin" && summary.value?.setting.needs_makers_program !== true
    ? [{ label: "Calibration plate…", note: "figures of the resin", run: () => open("calibration") }]
    : []),
];

function SettingButton({ setting, onClick }: { setting: PageSetting; onClick: () => void }) {
  const { printer_label } = setting;
  const text = settingText(setting);
  return (
    <button
      type="button"
      class="plain setting"
      aria-label={`Printer and material: ${printer_label}, ${text}`}
      title="Change printer and material"
      onClick={onClick}
    >
      <b>{printer_label}</b>
      <span>{text}</span>
    </button>
  );
}
