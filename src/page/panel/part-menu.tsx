import { must } from "../../core/must.ts";
import type { Action } from "../../feature/page-row.ts";
import { ACTIONS } from "../action/actions.ts";
import { save } from "../state/download.ts";
import { deleteSelected, setLock, setVisible } from "../state/edit.ts";
import { canRename, startRename } from "../state/listed-parts.ts";
import { openMirror } from "../state/mirror.ts";
import { copyParts, hasCopied, moveToScene, pasteParts } from "../state/part-clipboard.ts";
import { partMenuAt } from "../state/part-menu.ts";
import { family, pageState, scene, selectedIds } from "../state/project.ts";
import { runAction } from "../state/run-action.ts";
import { sceneFindings } from "../state/scene-findings.ts";
import { supportMode } from "../state/support-mode.ts";
import { targetModels } from "../state/target-models.ts";
import { chooseTool } from "../state/view-state.ts";
import { ContextMenu } from "../widget/context-menu.tsx";
import type { MenuItem } from "../widget/menu.tsx";
import { isDuplicating } from "./model-tools.tsx";
import { showParts } from "./parts-drawer.tsx";
import { selectAll } from "./shortcuts.tsx";

/** Other scenes that the menu names; all are in the tabs. */
const MOST_SCENES = 6;

/** Menu of the selected parts: right click, Shift+F10 or a long press. */
export function PartMenu() {
  const at = partMenuAt.value;
  if (!at) return null;
  const items = selectedIds.value.length > 0 ? partItems() : sceneItems();
  return <ContextMenu name="Selected parts" at={at} items={items} onClose={() => (partMenuAt.value = undefined)} />;
}

const sceneItems = (): readonly MenuItem[] => [
  { label: "Paste", note: "Ctrl+V", disabled: !hasCopied.value, run: () => void pasteParts() },
  { label: "Select all", note: "Ctrl+A", run: selectAll },
];

function partItems(): readonly MenuItem[] {
  const selected = new Set(selectedIds.value);
  const parts = (scene.value?.models ?? []).filter(({ id }) => selected.has(id));
  const areVisible = parts.every(({ visible }) => visible);
  const areLocked = parts.every(({ lock }) => lock === "FULLY_LOCKED");
  const model_ids = selectedIds.value;
  const isResin = family.value === "resin";
  return [
    { label: "Duplicate…", note: "Ctrl+D", run: () => (isDuplicating.value = true) },
    { label: "Copy", note: "Ctrl+C", run: copyParts },
    { label: "Paste", note: "Ctrl+V", disabled: !hasCopied.value, run: () => void pasteParts() },
    { label: areVisible ? "Hide" : "Show", note: "H", run: () => void setVisible(targetModels(), !areVisible) },
    {
      label: areLocked ? "Unlock" : "Lock in place",
      run: () => void setLock(targetModels(), areLocked ? "FREE" : "FULLY_LOCKED"),
    },
    { label: "Rename", note: "F2", disabled: !canRename(model_ids), run: rename },
    ...(isResin ? [{ label: "Orient", run: () => void runAction(ORIENT) }] : []),
    ...restingItem({ label: "Face down", note: "P", run: () => chooseTool("face-down") }),
    ...(isResin ? [{ label: "Support", run: () => void runAction(SUPPORT) }] : []),
    ...(haveCups(selected) ? [{ label: "Vent", run: () => void runAction(VENT) }] : []),
    ...restingItem({ label: "Mirror…", note: "Shift+M", run: openMirror }),
    ...restingItem({ label: "Cut…", note: "K", run: () => chooseTool("cut") }),
    { label: "Export as 3MF", run: () => void save("3mf", { model_ids }) },
    { label: "Export as STL", run: () => void save("stl", { model_ids }) },
    ...moveItems(),
    { label: "Delete", note: "Del", run: () => void deleteSelected() },
  ];
}

const actionOf = (name: string): Action =>
  must(
    ACTIONS.find(({ path }) => path === `/v1/scene/model/${name}/`),
    `The action ${name}`,
  );

const ORIENT = actionOf("auto-orient");
const SUPPORT = actionOf("auto-support");
const VENT = actionOf("vent");

/** Whether the checks of the present state found cups in some of these parts. */
const haveCups = (ids: ReadonlySet<string>): boolean =>
  sceneFindings.value.some(
    ({ kind, is_old, model_ids }) => kind === "CUPS" && !is_old && model_ids.some((id) => ids.has(id)),
  );

/** An item of a tool that rests while support points are edited. */
const restingItem = (item: MenuItem): readonly MenuItem[] => (supportMode.value ? [] : [item]);

function rename(): void {
  showParts();
  startRename(selectedIds.value);
}

function moveItems(): readonly MenuItem[] {
  const others = (pageState.value?.scenes ?? []).filter(({ id }) => id !== scene.value?.id).slice(0, MOST_SCENES);
  return [
    ...others.map(({ id, name }) => ({ label: `Move to “${name}”`, run: () => void moveToScene(id) })),
    { label: "Move to a new scene", run: () => void moveToScene(undefined) },
  ];
}
