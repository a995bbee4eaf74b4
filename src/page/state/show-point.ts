import type { SupportPoint } from "../action/support-edits.ts";
import { selectNext } from "./support-mode.ts";
import { shownLiftMm } from "./support-draft.ts";
import { view } from "./view-state.ts";

/** Margin around a point that is framed, mm: enough of the part is seen to know where it is. */
const AROUND_MM = 12;

/** Turns the camera to a point. */
export function showPoint({ position: [x, y, z], normal }: SupportPoint): void {
  const point = [x, y, z + shownLiftMm.value] as const;
  view.value?.frame([{ point, radiusMm: AROUND_MM, severity: "info", label: "", isBelow: normal[2] < 0 }]);
}

/** Selects the next or last point, and shows it. */
export function goToPoint(by: 1 | -1): void {
  const point = selectNext(by);
  if (point) showPoint(point);
}
