import type { Polygons } from "../../geometry/polygon.ts";
import { type SecondMoments, bearableByOne } from "../../hold/equilibrium.ts";
import type { LayerLoad } from "../../hold/layer-loads.ts";
import { BEARING_SHARE, BOND_STRENGTH } from "../../hold/strengths.ts";
import { liftMm } from "../../hold/support-lift.ts";
import type { SupportSettings } from "../support-settings.ts";
import { CLEARANCE_MM } from "../tree/support-tree.ts";
import { raftForm, raftProfile } from "./raft-form.ts";

/** The platform holds at least this many times the largest peel force. */
const HOLD_MARGIN = 2;

/**
 * The area on the platform, mm², that a raft needs at least against the pull of the film on the largest layer of its model.
 * As the film peels from one side to the other, so does the raft: only a share of it bears load.
 */
export const neededRaftArea = (loads: readonly LayerLoad[]): number =>
  (HOLD_MARGIN * loads.reduce((most, { n }) => Math.max(most, n), 0)) / (BEARING_SHARE * BOND_STRENGTH);

/** Whether a raft with an outline holds on the platform where its model leans out beyond it. */
export function holdsMoments(outline: Polygons, loads: readonly LayerLoad[]): boolean {
  const { areaMm2, x, y, moments } = sectionOf(outline);
  const strengthN = (BEARING_SHARE * BOND_STRENGTH * areaMm2) / HOLD_MARGIN;
  return loads.every((load) => bearableByOne(strengthN, moments, load.x - x, load.y - y) >= load.n);
}

/** Area, centroid and second moments per area of polygons, by Green's theorem. */
function sectionOf(region: Polygons): { areaMm2: number; x: number; y: number; moments: SecondMoments } {
  let [area, sumX, sumY, sumXx, sumXy, sumYy] = [0, 0, 0, 0, 0, 0];
  for (const polygon of region) {
    for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
      const [ax, ay, bx, by] = [polygon[j], polygon[j + 1], polygon[i], polygon[i + 1]];
      const twice = ax * by - bx * ay;
      area += twice / 2;
      sumX += (twice * (ax + bx)) / 6;
      sumY += (twice * (ay + by)) / 6;
      sumXx += (twice * (ax * ax + ax * bx + bx * bx)) / 12;
      sumYy += (twice * (ay * ay + ay * by + by * by)) / 12;
      sumXy += (twice * (ax * by + 2 * ax * ay + 2 * bx * by + bx * ay)) / 24;
    }
  }
  const [x, y] = [sumX / area, sumY / area];
  return { areaMm2: area, x, y, moments: [sumXx / area - x * x, sumXy / area - x * y, sumYy / area - y * y] };
}

/** Wider rafts take the room of other models; only a volume that cuts them off makes them too small. */
const MAX_WIDENING_MM = 20;

/**
 * Maximum distance, mm, by which a raft may be widened to all sides. Flares of pillars without raft rise at 45°, and end below the model.
 */
export function maxRaftWidening(settings: SupportSettings): number {
  const { thicknessMm, marginMm } = raftForm(settings);
  if (thicknessMm > 0) return MAX_WIDENING_MM;
  const baseMm = raftProfile(settings).at(-1)?.zMm ?? 0;
  return Math.max(0, liftMm(settings) - CLEARANCE_MM - baseMm - marginMm);
}
