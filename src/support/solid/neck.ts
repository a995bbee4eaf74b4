import { add, times, type Vec3 } from "../../core/geometry.ts";
import type { Ball } from "./tube.ts";

/** Of the pillar's radius: 36 % of its section, which carries a part that hangs and snaps between two fingers. */
const NECK_SHARE = 0.6;
const NECK_HEIGHT_MM = 1;
/** What a neck and its widening each take at most of a short pillar. */
const MOST_OF_LENGTH = 1 / 3;

/**
 * The lower end of a pillar that breaks away: a narrow neck from the raft up, then a widening of 45° to the pillar's own
 * radius. `way` is the pillar's direction upward, of length 1.
 */
export function neck({ centre, radiusMm }: Ball, way: Vec3, lengthMm: number): readonly Ball[] {
  const neckMm = NECK_SHARE * radiusMm;
  const most = MOST_OF_LENGTH * lengthMm;
  const narrowTo = Math.min(NECK_HEIGHT_MM / way[2], most);
  const wideFrom = narrowTo + Math.min(radiusMm - neckMm, most);
  return [
    { centre, radiusMm: neckMm },
    { centre: add(centre, times(way, narrowTo)), radiusMm: neckMm },
    { centre: add(centre, times(way, wideFrom)), radiusMm },
  ];
}
