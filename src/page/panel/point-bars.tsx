import { counted } from "../../core/quantities.ts";
import {
  editStack,
  areSupportsHidden,
  chooseTool,
  deletePoints,
  selectedPoints,
  supportMode,
  supportTool,
} from "../state/support-mode.ts";
import { brushKind } from "../state/support-areas.ts";
import { selectedPointsArea, view } from "../state/view-state.ts";
import { Icon } from "../widget/icon.tsx";
import { SizeButtons } from "./support-mode.tsx";

/** Tools of the edit of points, above the view. */
export function PointBar() {
  if (!supportMode.value) return null;
  return (
    <div class="point-bar" role="toolbar" aria-label="Support points">
      <b>Support points</b>
      <button type="button" aria-pressed={supportTool.value === "ADD"} onClick={() => chooseTool("ADD")}>
        <Icon name="add" />
        Add
      </button>
      <button type="button" aria-pressed={supportTool.value === "SELECT"} onClick={() => chooseTool("SELECT")}>
        <Icon name="select" />
        Select
      </button>
      <button type="button" onClick={() => view.value?.look("bottom")}>
        From below
      </button>
      <button
        type="button"
        aria-pressed={areSupportsHidden.value}
        onClick={() => (areSupportsHidden.value = !areSupportsHidden.value)}
      >
        Hide supports
      </button>
    </div>
  );
}

/** Distance of the bar from the selected points, px. */
const BESIDE_PX = 14;

/** What can be done with the selected points, beside them. */
export function PointSelectionBar() {
  const mode = supportMode.value;
  const area = selectedPointsArea.value;
  const count = selectedPoints.value.size;
  if (!mode || !area || count === 0) return null;
  const right = area.picture.width - (area.left + area.width);
  const isLeft = right < WIDTH_PX + BESIDE_PX;
  const x = isLeft ? area.left - BESIDE_PX - WIDTH_PX : area.left + area.width + BESIDE_PX;
  const y = area.top + area.height / 2;
  return (
    <div
      class="point-selection"
      role="group"
      aria-label="Selected points"
      style={{
        left: `${Math.max(8, Math.min(area.picture.width - WIDTH_PX - 8, x))}px`,
        top: `${Math.max(60, Math.min(area.picture.height - 90, y))}px`,
      }}
    >
      <b role="status">{counted(count, "point")}</b>
      <SizeButtons mode={mode} hasSizes={false} />
      <button type="button" class="danger" aria-label="Delete the points" title="Delete (Del)" onClick={deletePoints}>
        <Icon name="trash" />
      </button>
    </div>
  );
}

/** Width that the bar takes at most, px. */
const WIDTH_PX = 330;

type Hints = readonly (readonly [keys: string, does: string])[];

const POINT_HINTS: Hints = [
  ["Click", "add"],
  ["Drag", "move"],
  ["Shift+drag", "select by rectangle"],
  ["Q W E", "size"],
  ["Del", "delete"],
  ["I", "next island"],
  ["N", "next point"],
];
const FACE_HINTS: Hints = [
  ["Click", "mark the face that lights up"],
  ["Drag", "turn the view"],
];
const BRUSH_HINTS: Hints = [
  ["Drag", "draw on the part; beside it, turn the view"],
  ["Alt+wheel", "size of the brush"],
];

function hints(): Hints {
  if (supportTool.value === "ADD") return POINT_HINTS;
  if (supportTool.value === "SELECT") return [["Click", "select"], ...POINT_HINTS.slice(1)];
  return brushKind.value === "FACE" ? FACE_HINTS : BRUSH_HINTS;
}

/** One line of help below the view. */
export function PointHints() {
  if (!supportMode.value) return null;
  return (
    <p class="point-hints" data-edits={editStack.value.done.length}>
      {hints().map(([keys, does]) => (
        <span key={keys}>
          <b>{keys}</b> {does}
        </span>
      ))}
    </p>
  );
}
