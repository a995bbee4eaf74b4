import type { Surface } from "../../mesh/mesh.ts";
import type { StandingFoot } from "../raft/foot.ts";
import { tube } from "./tube.ts";

const SIDES = 8;

/** The foot of a bare pillar: upright as far as its base reaches, then narrowing by 45° to the pillar's own radius. */
export function flareBody({ x, y, radius }: StandingFoot, marginMm: number, baseMm: number, turn: number): Surface {
  const wide = radius + marginMm;
  const spine = [
    { centre: [x, y, 0], radiusMm: wide },
    { centre: [x, y, baseMm], radiusMm: wide },
    { centre: [x, y, baseMm + marginMm], radiusMm: radius },
  ] as const;
  return tube({ spine: baseMm > 0 ? spine : spine.slice(1), isCutLevel: true, sides: SIDES, turn });
}
