import { BEARING_SHARE, BOND_STRENGTH, PEEL_STRESS } from "../../hold/strengths.ts";
import type { LayerAreas } from "../points/layer-areas.ts";
import type { SupportSettings } from "../support-settings.ts";
import { CLEARANCE_MM } from "../tree/support-tree.ts";
import { liftMm, raftForm, raftProfile } from "./raft-form.ts";

/** The platform holds at least this many times the largest peel force. */
const HOLD_MARGIN = 2;

/**
 * The area on the platform, mm², that a raft needs at least against the force of the film on the largest layer of its
 * model. As the film peels from one side to the other, so does the raft: only a share of it bears load. What of the
 * model itself is on the platform holds as well as a raft.
 */
export const neededRaftArea = ({ areasMm2 }: LayerAreas): number =>
  (HOLD_MARGIN * PEEL_STRESS * areasMm2.reduce((most, area) => Math.max(most, area), 0)) /
    (BEARING_SHARE * BOND_STRENGTH) -
  areasMm2[0];

/** Wider rafts take the room of other models; only a volume that cuts them off makes them too small. */
const MAX_WIDENING_MM = 20;

/**
 * How far a raft may be widened to all sides at most, mm. Flares of pillars without raft rise at 45°, and end below the
 * model.
 */
export function maxRaftWidening(settings: SupportSettings): number {
  const { thicknessMm, marginMm } = raftForm(settings);
  if (thicknessMm > 0) return MAX_WIDENING_MM;
  const baseMm = raftProfile(settings).at(-1)?.zMm ?? 0;
  return Math.max(0, liftMm(settings) - CLEARANCE_MM - baseMm - marginMm);
}
