import type { Vec3 } from "../../geometry/vector.ts";
import type { SupportDraft, SupportPoint } from "../action/support-edits.ts";
import { looseIslands } from "./apply-supports.ts";
import { notify } from "./notices.ts";
import { selectNext, supportDraft, supportMode } from "./support-mode.ts";
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

/** The islands that no point holds, as they were for a draft, and which of them was shown last. */
let islands: { readonly of: SupportDraft; readonly places: readonly { readonly point: Vec3 }[] } | undefined;
let lastIsland = -1;

/** Shows the next island that no point holds, from the lowest on. */
export async function goToIsland(): Promise<void> {
  const { value: mode } = supportMode;
  const { value: draft } = supportDraft;
  if (!mode || !draft) return;
  if (islands?.of !== draft) {
    const places = await looseIslands(mode, "Next island");
    if (!places) return;
    [islands, lastIsland] = [{ of: draft, places }, -1];
  }
  const { places } = islands;
  if (places.length === 0) return notify({ severity: "success", text: "All islands are held." });
  lastIsland = (lastIsland + 1) % places.length;
  const [x, y, z] = places[lastIsland]!.point;
  const point = [x, y, z + shownLiftMm.value] as const;
  const label = `Island ${lastIsland + 1} of ${places.length}`;
  view.value?.frame([{ point, radiusMm: AROUND_MM, severity: "warning", label, isBelow: true }]);
}
