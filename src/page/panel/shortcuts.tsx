import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { applyCut } from "../state/cut.ts";
import { deleteSelected, setVisible, undoOrRedo } from "../state/edit.ts";
import { save } from "../state/download.ts";
import { chooseModels } from "../state/import-files.ts";
import { shownJob } from "../state/job-file.ts";
import { toggleLayers } from "../state/layers.ts";
import { openMirror } from "../state/mirror.ts";
import { copyParts, hasCopied, pasteParts } from "../state/part-clipboard.ts";
import { copyMeasure, leaveMeasure, measured } from "../state/measure.ts";
import { openPartMenu } from "../state/part-menu.ts";
import { canPrepare, prepareScene } from "../state/prepare.ts";
import { openPrint } from "../state/print.ts";
import { flipSection, section, toggleSection } from "../state/section.ts";
import { applyEdits } from "../state/apply-supports.ts";
import { goToIsland, goToPoint } from "../state/show-point.ts";
import {
  areSupportsHidden,
  deletePoints,
  discardEdits,
  editSelectedSupports,
  editStack,
  redoEdit,
  selectAllPoints,
  setSizeClass,
  supportMode,
  undoEdit,
} from "../state/support-mode.ts";
import { targetModels } from "../state/target-models.ts";
import { pageState, scene, selectedIds, selection } from "../state/project.ts";
import { dropTrial, trial } from "../state/preview.ts";
import { chooseTool, pickFor, pickingFor, tool, view } from "../state/view-state.ts";
import { Dialog } from "../widget/dialog.tsx";
import { isDuplicating } from "./model-tools.tsx";
import { focusRegion, openNextStep } from "./page-regions.ts";
import { closeDrawer } from "./parts-drawer.tsx";
import { TOOLS, VIEWPOINTS } from "./tool-bar.tsx";

export const isHelpOpen = signal(false);

interface Shortcut {
  readonly keys: string;
  readonly does: string;
  matches(event: KeyboardEvent): boolean;
  run(event: KeyboardEvent): void;
}

const isModified = (event: KeyboardEvent): boolean => event.ctrlKey || event.metaKey;

const key = (name: string, does: string, run: () => void): Shortcut => ({
  keys: name.length === 1 ? name.toUpperCase() : name,
  does,
  matches: (event) => !isModified(event) && !event.altKey && event.key.toLowerCase() === name.toLowerCase(),
  run,
});

const ctrl = (name: string, does: string, run: () => void, shift = false): Shortcut => ({
  keys: `${shift ? "Shift+" : ""}Ctrl+${name.toUpperCase()}`,
  does,
  matches: (event) => isModified(event) && event.shiftKey === shift && event.key.toLowerCase() === name,
  run,
});

/** A key by its place on the keyboard, since not all keyboards have its letter. */
const code = (name: string, keys: string, does: string, run: () => void): Shortcut => ({
  keys,
  does,
  matches: (event) => !isModified(event) && !event.altKey && event.code === name,
  run,
});

/** A shortcut that leaves its key to the browser unless it has something to do. */
const onlyIf = (holds: () => boolean, shortcut: Shortcut): Shortcut => ({
  ...shortcut,
  matches: (event) => shortcut.matches(event) && holds(),
});

const isTextSelected = (): boolean => getSelection()?.isCollapsed === false;

const prepare = (): void => {
  if (canPrepare.value) void prepareScene();
};

const isF6 = (event: KeyboardEvent): boolean => !isModified(event) && !event.altKey && event.key === "F6";
const focusRegionOf = ({ shiftKey }: KeyboardEvent): void => focusRegion(shiftKey ? -1 : 1);

const hasParts = (): boolean => (scene.value?.models.length ?? 0) > 0;

const toggleVisible = (): void => {
  const selected = new Set(selectedIds.value);
  const chosen = (scene.value?.models ?? []).filter(({ id }) => selected.has(id));
  if (chosen.length > 0) void setVisible(targetModels(), !chosen.every(({ visible }) => visible));
};

export const selectAll = (): void => {
  const ids = (scene.value?.models ?? []).map(({ id }) => id);
  selection.value = { ids, anchor: ids[0] };
};

const escape = (): void => {
  if (closeDrawer()) return;
  if (tool.value === "measure") leaveMeasure();
  else if (pickingFor.value !== undefined) pickFor(undefined);
  else if (tool.value === "cut") chooseTool("select");
  else if (trial.value) dropTrial();
  else if (section.value) section.value = undefined;
  else selection.value = { ids: [], anchor: undefined };
};

const isEditingPoints = (): boolean => supportMode.value !== undefined;
/** A button, a link or an option that has the focus uses Enter itself. */
const isFree = ({ target }: KeyboardEvent): boolean =>
  !(target instanceof HTMLElement && target.matches("button, a, summary, select, [role=option], [role=listbox]"));
const enter = key("Enter", "Apply the edits of points", () => void applyEdits());

const isCutting = (): boolean => tool.value === "cut";

/** Keys while support points are edited; the others stay as they are. */
const POINT_KEYS: readonly Shortcut[] = [
  key("q", "Points: light", () => setSizeClass("LIGHT")),
  key("w", "Points: medium", () => setSizeClass("MEDIUM")),
  key("e", "Points: heavy", () => setSizeClass("HEAVY")),
  key("Delete", "Points: delete the selected ones", deletePoints),
  ctrl("a", "Points: select all", selectAllPoints),
  {
    ...key("n", "Points: next one; with Shift the last one", () => undefined),
    run: ({ shiftKey }) => goToPoint(shiftKey ? -1 : 1),
  },
  key("i", "Points: next island that nothing holds, the lowest first", () => void goToIsland()),
  { ...enter, matches: (event) => enter.matches(event) && isFree(event) },
  key("Escape", "Discard the edits of points", discardEdits),
  key("h", "Points: hide or show the supports", () => (areSupportsHidden.value = !areSupportsHidden.value)),
  onlyIf(() => editStack.value.done.length > 0, ctrl("z", "Points: undo the last edit", undoEdit)),
  onlyIf(() => editStack.value.undone.length > 0, ctrl("z", "Points: redo", redoEdit, true)),
  onlyIf(() => editStack.value.undone.length > 0, ctrl("y", "Points: redo", redoEdit)),
];
const POINT_SHORTCUTS = POINT_KEYS.map((shortcut) => onlyIf(isEditingPoints, shortcut));

/** Keys that work everywhere except in fields and dialogs. */
const SHORTCUTS: readonly Shortcut[] = [
  ...POINT_SHORTCUTS,
  key("t", "Edit support points", editSelectedSupports),
  ctrl("z", "Undo", () => void undoOrRedo("undo")),
  ctrl("z", "Redo", () => void undoOrRedo("redo"), true),
  ctrl("y", "Redo", () => void undoOrRedo("redo")),
  ctrl("o", "Open files", chooseModels),
  { ...ctrl("enter", "Prepare the selected parts, or all", prepare), keys: "Ctrl+Enter" },
  ctrl("s", "Save the project", () => hasParts() && void save("form")),
  ctrl("p", "Print…", openPrint),
  onlyIf(() => measured.value !== undefined && !isTextSelected(), ctrl("c", "Copy what is measured", copyMeasure)),
  onlyIf(() => selectedIds.value.length > 0 && !isTextSelected(), ctrl("c", "Copy the selected parts", copyParts)),
  onlyIf(
    () => hasCopied.value,
    ctrl("v", "Paste parts, also from another scene", () => void pasteParts()),
  ),
  ctrl("a", "Select all models", selectAll),
  ctrl("d", "Duplicate", () => (isDuplicating.value = selectedIds.value.length > 0)),
  key("Delete", "Delete the selected models", () => void deleteSelected()),
  key("h", "Hide or show the selected models", toggleVisible),
  key("Escape", "End the tool that is used, then the section, then the selection", escape),
  onlyIf(isCutting, {
    ...key("Enter", "Cut: make the cut", () => void applyCut()),
    matches: (event) => enter.matches(event) && isFree(event),
  }),
  ...TOOLS.map(([tool, name, letter]) => key(letter, name, () => chooseTool(tool))),
  {
    keys: "Shift+M",
    does: "Mirror",
    matches: (event) => !isModified(event) && event.shiftKey && event.key.toLowerCase() === "m",
    run: () => hasParts() && !supportMode.value && openMirror(),
  },
  key("k", "Cut", () => !supportMode.value && chooseTool("cut")),
  code("BracketLeft", "[", "Open the step before", () => openNextStep(-1)),
  code("BracketRight", "]", "Open the next step", () => openNextStep(1)),
  { keys: "F6", does: "Next region of the page; with Shift the one before", matches: isF6, run: focusRegionOf },
  {
    keys: "Shift+F10",
    does: "Menu of the selected parts",
    matches: (event) => event.key === "ContextMenu" || (event.shiftKey && event.key === "F10"),
    run: openPartMenu,
  },
  key("f", "Fill the view", () => view.value?.frame()),
  {
    keys: "Shift+X",
    does: "Flip the section",
    matches: (event) => !isModified(event) && event.shiftKey && event.key.toLowerCase() === "x",
    run: flipSection,
  },
  key("x", "Section", toggleSection),
  key("l", "Layers", toggleLayers),
  ...VIEWPOINTS.map(([viewpoint, name, digit]) =>
    key(digit, `Look from: ${name.toLowerCase()}`, () => view.value?.look(viewpoint)),
  ),
  key("?", "Show this help", () => (isHelpOpen.value = true)),
];

const ELSEWHERE: readonly [keys: string, does: string][] = [
  ["Drag", "In the view: rotate it; with the right button or two fingers move it"],
  ["Drag of a selected part", "In the view: move the selection on the platform; with Ctrl by whole millimetres"],
  ["Drag of the arrow of a section", "In the view: move the section; with Ctrl by whole millimetres"],
  ["Shift+drag", "In the view: select all in a rectangle"],
  ["Alt+drag", "In the view, while support points are edited: take out of the selection"],
  ["Alt+wheel", "In the view, while areas are marked: size of the brush"],
  ["Wheel, pinch, +, −", "In the view: zoom"],
  ["Arrows", "In the view: rotate it; with Shift move it"],
  ["Ctrl+arrows", "In the view: move the selection by 1 mm, or with the tools Turn and Scale by 5° and 1 %"],
  ["Shift+Ctrl+arrows", "The same by 10 mm, 45° or 10 %"],
  ["Page Up/Down", "In the view: lift and lower (powder), rotate about the third axis, scale"],
  ["Page Up/Down, Ctrl+arrows", "In the view, while cutting: move the plane by 1 mm, tilt it by 5°; with Shift more"],
  ["Space", "In the view, while cutting with keys where you click: a key in the middle"],
  ["Enter", "In the view, while measuring or choosing places: what is in the middle"],
  ["Page Up/Down", "In the layers: next or previous layer; with Shift ten layers"],
  ["Arrows, Page Up/Down", "In a job file: next or previous layer, ten layers; Home and End: first and last layer"],
  ["Up, Down, Home", "In the list of models: select; with Shift a range, with Ctrl only move the cursor"],
  ["Space", "In the list: add the part to the selection, or remove it"],
  ["Right, Left", "In the list: show the copies of a row, or fold them"],
  ["Right click", "On a part or a row of the list: menu; fingers press long"],
  ["F2", "In the list, and on the tab of a scene: rename"],
];

const LOOK_FROM = VIEWPOINTS.map(([, name]) => name.toLowerCase()).join(", ");

const rowOf = ({ keys, does }: Shortcut) => [keys, does] as const;

/** All keys for the help dialog. The digits share one row. */
const LISTED: readonly (readonly [keys: string, does: string])[] = [
  ...SHORTCUTS.filter((one) => !/^\d$/.test(one.keys) && !POINT_SHORTCUTS.includes(one)).map(rowOf),
  [VIEWPOINTS.map(([, , digit]) => digit).join(" "), `Look from: ${LOOK_FROM}`],
  ...ELSEWHERE,
  ...POINT_SHORTCUTS.map(rowOf),
];

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.matches("input:not([type=checkbox], [type=radio], [type=range]), select, textarea") ||
    target.closest("dialog") !== null);

/** Handles the keys of the page, and shows the help about them. */
export function Shortcuts() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || shownJob.value || isTyping(event.target)) return;
      const shortcut = SHORTCUTS.find((one) => one.matches(event));
      if (!shortcut) return;
      event.preventDefault();
      shortcut.run(event);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return isHelpOpen.value ? <Help /> : null;
}

function Help() {
  return (
    <Dialog title="Help" onClose={() => (isHelpOpen.value = false)} class="help-dialog">
      <ol>
        <li>Drop a part into the page, or choose a file.</li>
        <li>
          Press <b>Prepare</b>: it is oriented, supported and laid out, or packed for powder.
        </li>
        <li>
          Press <b>Print</b>, choose the printer, and start.
        </li>
      </ol>
      <p class="note">
        Actions work on the selected models, or on all models if none is selected. Numbers accept a decimal comma or
        point, and simple calculations such as 25.4*2.
      </p>
      <h3>Keys</h3>
      <dl class="keys">
        {LISTED.map(([keys, does]) => (
          <div key={`${keys} ${does}`}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="note">Printwright {pageState.value?.version}</p>
    </Dialog>
  );
}
