import { type Axis, matrixRow } from "../../geometry/vector.ts";
import { viewMatrix } from "../../render/camera.ts";
import type { ChangeTarget } from "./change-drag.ts";
import { type Change, amountOf, changesNothing } from "./changes.ts";
import type { Orbit, Pixel } from "./orbit.ts";
import type { Overlay } from "./overlay.ts";
import type { Tool } from "./view.ts";

/** Amounts per key press, without and with Shift. */
const MOVE_MM = [1, 10] as const;
const ROTATE_DEG = [5, 45] as const;
const SCALE = [1.01, 1.1] as const;
/** Key presses within this time after the previous one belong to the same change. */
const SERIES_MS = 500;

/** Directions of keys in the picture: to the right, away from the viewer, up. */
const DIRECTIONS: Readonly<Record<string, readonly [across: number, away: number, up: number]>> = {
  ArrowRight: [1, 0, 0],
  ArrowLeft: [-1, 0, 0],
  ArrowUp: [0, 1, 0],
  ArrowDown: [0, -1, 0],
  PageUp: [0, 0, 1],
  PageDown: [0, 0, -1],
};

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/**
 * Change of the selection by a key press with a tool: arrow keys with Ctrl, and Page Up and Page Down. Directions are the scene axes nearest
 * to those of the picture. Undefined if the key changes nothing.
 */
export function nudgeOf(press: Press, tool: Tool, orbit: Orbit): Change | undefined {
  const direction = DIRECTIONS[press.key];
  const isArrow = press.key.startsWith("Arrow");
  if (!direction || press.altKey || tool === "pick" || isArrow !== (press.ctrlKey || press.metaKey)) return undefined;
  const [across, away, up] = direction;
  const size = press.shiftKey ? 1 : 0;
  const { right, ahead } = groundAxes(orbit);
  if (tool === "scale") {
    const factor = across + away + up > 0 ? SCALE[size] : 1 / SCALE[size];
    return { kind: "scale", factor };
  }
  if (tool === "rotate") {
    // Right and left rotate about z, up and down about the horizontal axis of the picture, Page Up and Down about the line of sight
    // (Page Up counter-clockwise).
    const [axis, sign]: readonly [Axis, number] =
      across !== 0 ? [2, across] : away !== 0 ? [right.axis, -away * right.sign] : [ahead.axis, -up * ahead.sign];
    return { kind: "rotate", axis, degrees: sign * ROTATE_DEG[size] };
  }
  const by: [number, number, number] = [0, 0, up * MOVE_MM[size]];
  by[right.axis] += across * right.sign * MOVE_MM[size];
  by[ahead.axis] += away * ahead.sign * MOVE_MM[size];
  return { kind: "move", by };
}

interface SignedAxis {
  readonly axis: 0 | 1;
  readonly sign: 1 | -1;
}

/** The horizontal scene axes that are nearest to "right" in the picture and to "away from the viewer" (up in the picture, seen from above). */
function groundAxes(orbit: Orbit): { readonly right: SignedAxis; readonly ahead: SignedAxis } {
  const view = viewMatrix(orbit);
  const [right, up, toward] = [matrixRow(view, 0), matrixRow(view, 1), matrixRow(view, 2)];
  const axis = Math.abs(right[0]) >= Math.abs(right[1]) ? 0 : 1;
  const other = axis === 0 ? 1 : 0;
  const ahead = Math.abs(up[other]) > 0.01 ? up[other] : -toward[other];
  return {
    right: { axis, sign: right[axis] < 0 ? -1 : 1 },
    ahead: { axis: other, sign: ahead < 0 ? -1 : 1 },
  };
}

/** Combines two changes into one; undefined if they have different kinds or axes. */
export function combinedChange(a: Change, b: Change): Change | undefined {
  if (a.kind === "move" && b.kind === "move") {
    return { kind: "move", by: [a.by[0] + b.by[0], a.by[1] + b.by[1], a.by[2] + b.by[2]] };
  }
  if (a.kind === "rotate" && b.kind === "rotate" && a.axis === b.axis) return { ...a, degrees: a.degrees + b.degrees };
  if (a.kind === "scale" && b.kind === "scale") {
    return { kind: "scale", factor: Number((a.factor * b.factor).toFixed(6)) };
  }
  return undefined;
}

/** Changes of the selection by key presses. */
export interface Nudges {
  /** Adds a key press. Returns false if there is no selection to change. */
  add(change: Change): boolean;
  /** Proposes the change of the key presses so far. */
  finish(): void;
}

/** Start of a series of key presses: its target, and the pixel at which its amount is shown. */
export interface NudgeStart {
  readonly target: ChangeTarget;
  readonly at: Pixel;
}

/** Key presses are shown immediately; a series of them is proposed as one change. */
export function newNudges(overlay: Overlay, start: () => NudgeStart | undefined): Nudges {
  let series: (NudgeStart & { readonly change: Change }) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const finish = (): void => {
    clearTimeout(timer);
    if (!series) return;
    const { target, change } = series;
    series = undefined;
    overlay.say(undefined);
    if (changesNothing(change)) target.show(undefined);
    else target.propose(change);
  };
  return {
    add(change) {
      const both = series && combinedChange(series.change, change);
      if (!both) finish();
      const begun = series ?? start();
      if (!begun) return false;
      series = { ...begun, change: both ?? change };
      series.target.show(series.change);
      overlay.say(amountOf(series.change), series.at);
      clearTimeout(timer);
      timer = setTimeout(finish, SERIES_MS);
      return true;
    },
    finish,
  };
}
