import type { Progress } from "../../core/progress.ts";
import { type HoldNeed, findWeaknesses } from "../../hold/hold-walk.ts";
import type { HeldTip } from "../../hold/held-tip.ts";
import type { Sections } from "../../hold/sections.ts";
import { touchStrengthN } from "../../hold/strengths.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { SupportSettings } from "../support-settings.ts";
import type { HoldCandidate } from "./hold-candidates.ts";
import type { FindStanding, Standing, Touchpoint } from "./touchpoint.ts";

export interface HoldPointsRequest {
  readonly sections: Sections;
  /** Points that tips reach, with the regions of the sections that they touch. */
  readonly placed: readonly PlacedPoint[];
  /** The lowest first, with the region of each; −1 where there is none. */
  readonly candidates: readonly HoldCandidate[];
  readonly regions: Int32Array;
  readonly settings: SupportSettings;
  /** Parts that begin below this height rest on the platform or the raft, mm. */
  readonly groundMm: number;
  readonly standingOf: FindStanding;
}

export interface HoldPoint {
  readonly touchpoint: Touchpoint;
  /** The region of the sections that it touches. */
  readonly region: number;
}

/** A point that is placed already, and the base of its tip. */
export interface PlacedPoint extends HoldPoint, Standing {}

/** Supports bear this many times the pull of the film: shapes print with some error, and resins differ. Working value. */
const HOLD_MARGIN = 1.35;
/** Points are at least this far apart, in sizes of a touch, and mm: tips need room between each other. */
const APART_SIZES = 1.6;
const LEAST_APART_MM = 0.8;
/** Points this far from all others gain nothing more by being farther, mm: pillars have room between them. */
const FULL_APART_MM = 2;
/** Points that no tip reaches from a useful place cost a search for a way each: after this many in a row, the search ends. */
const MAX_UNREACHED = 200;

/**
 * Points that hold a part against the pull of the film at every height, in addition to those placed already: where
 * {@link findWeaknesses} finds that the tips so far do not bear a layer, that candidate is taken at which a tip works most
 * against the turn that they resist least, times its quality and its distance from other points.
 */
export function findHoldPoints(request: HoldPointsRequest, progress: Progress): HoldPoint[] {
  const { sections, placed, candidates, regions, settings, groundMm, standingOf } = request;
  const { touchpointSizeMm: sizeMm, density } = settings;
  const strengthN = touchStrengthN(sizeMm) / density;
  const apartMm = Math.max(LEAST_APART_MM, APART_SIZES * sizeMm);
  /** Squared distance of each candidate to the nearest point, mm²; −1 where it is taken, too near, or not reached. */
  const squares = Float64Array.from(regions, (region) => (region < 0 ? -1 : Infinity));
  const places = Float64Array.from(candidates.flatMap(({ touchpoint }) => touchpoint.position));
  // Unrolled: it runs for each pair of a point and a candidate.
  const keepAway = ([x, y, z]: Vec3): void => {
    for (let i = 0, at = 0; i < squares.length; i++, at += 3) {
      const dx = places[at] - x;
      const dy = places[at + 1] - y;
      const dz = places[at + 2] - z;
      const square = dx * dx + dy * dy + dz * dz;
      if (square < squares[i]) squares[i] = square < apartMm * apartMm ? -1 : square;
    }
  };
  for (const { touchpoint } of placed) keepAway(touchpoint.position);
  const found: HoldPoint[] = [];
  let unreached = 0;
  const best = ({ topMm, helps, gain }: HoldNeed): number => {
    let [most, index] = [0, -1];
    for (let i = 0; i < candidates.length && candidates[i].touchpoint.position[2] <= topMm; i++) {
      if (squares[i] < 0) continue;
      const { touchpoint, quality } = candidates[i];
      const { position } = touchpoint;
      const apart = Math.min(1, Math.sqrt(squares[i]) / FULL_APART_MM);
      // The costly questions last.
      const value = quality * apart * gain(position);
      if (value > most && helps(regions[i], position[2])) [most, index] = [value, i];
    }
    return index;
  };
  const reinforce = (need: HoldNeed): HeldTip | undefined => {
    while (unreached < MAX_UNREACHED) {
      const index = best(need);
      if (index < 0) return undefined;
      squares[index] = -1;
      const { touchpoint } = candidates[index];
      const standing = standingOf(touchpoint);
      if (!standing || (standing.foot && !need.helpsFrom(standing.foot))) {
        unreached++;
        continue;
      }
      unreached = 0;
      found.push({ touchpoint, region: regions[index] });
      keepAway(touchpoint.position);
      return { position: touchpoint.position, region: regions[index], foot: standing.foot, strengthN, sizeMm };
    }
    return undefined;
  };
  const tips = placed.map(({ touchpoint: { position }, region, foot }): HeldTip => ({
    position,
    region,
    foot,
    strengthN,
    sizeMm,
  }));
  const checkCancelled = (): void => progress.report(0);
  findWeaknesses({ sections, tips, groundMm, margin: HOLD_MARGIN, reinforce, checkCancelled });
  return found;
}
