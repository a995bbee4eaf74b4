import type { Progress } from "../../core/progress.ts";
import { type HoldNeed, findWeaknesses } from "../../hold/hold-walk.ts";
import type { HeldTip } from "../../hold/held-tip.ts";
import type { Sections } from "../../hold/sections.ts";
import { touchStrengthN } from "../../hold/strengths.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { SupportSettings } from "../support-settings.ts";
import type { HoldCandidate } from "./hold-candidates.ts";
import { type FindStanding, type Standing, type Touchpoint, automaticPoint } from "./touchpoint.ts";

export interface HoldPointsRequest {
  readonly sections: Sections;
  /** Points that tips reach, with the regions of the sections that they touch. */
  readonly placed: readonly PlacedPoint[];
  /** Sorted by height, the lowest first. `regions` has the region of each, −1 if there is none. */
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

/** Supports bear this many times the pull of the film, because printed shapes have errors and resins differ. Working value. */
const HOLD_MARGIN = 1.35;
/** Least distance between points, in sizes of a touch, and in mm: tips need room between each other. */
const APART_SIZES = 1.6;
const LEAST_APART_MM = 0.8;
/** Distance to the nearest other point, mm, above which more distance gains nothing: pillars have enough room between them. */
const FULL_APART_MM = 2;
/** Each point that no tip reaches from a useful place costs a search for a path. After this many in a row, the choice ends. */
const MAX_UNREACHED = 200;

/**
 * Points that hold a part against the pull of the film at every height, in addition to those placed already. If {@link findWeaknesses}
 * finds that the present tips do not bear a layer, it asks for the candidate with the largest product of its gain ({@link HoldNeed}), its
 * quality and its distance from other points.
 */
export function findHoldPoints(request: HoldPointsRequest, progress: Progress): HoldPoint[] {
  const { sections, placed, settings, groundMm } = request;
  const strengthOf = (sizeMm: number): number => touchStrengthN(sizeMm) / settings.density;
  const choice = new HoldPointChoice(request, strengthOf(settings.touchpointSizeMm));
  const tips = placed.map(({ touchpoint: { position, sizeMm }, region, foot }): HeldTip => ({
    position,
    region,
    foot,
    strengthN: strengthOf(sizeMm),
    sizeMm,
  }));
  const reinforce = (need: HoldNeed): HeldTip | undefined => choice.next(need);
  const checkCancelled = (): void => progress.report(0);
  findWeaknesses({ sections, tips, groundMm, margin: HOLD_MARGIN, reinforce, checkCancelled });
  return choice.found;
}

/** Chooses candidates one by one. */
class HoldPointChoice {
  readonly found: HoldPoint[] = [];
  readonly #request: HoldPointsRequest;
  readonly #strengthN: number;
  readonly #apartMm: number;
  /** Squared distance of each candidate to the nearest point, mm²; −1 if it is taken, too near, or not reached. */
  readonly #squares: Float64Array;
  /** x, y, z of each candidate. */
  readonly #places: Float64Array;
  #unreached = 0;

  constructor(request: HoldPointsRequest, strengthN: number) {
    const { placed, candidates, regions, settings } = request;
    this.#request = request;
    this.#strengthN = strengthN;
    this.#apartMm = Math.max(LEAST_APART_MM, APART_SIZES * settings.touchpointSizeMm);
    this.#squares = Float64Array.from(regions, (region) => (region < 0 ? -1 : Infinity));
    this.#places = new Float64Array(3 * candidates.length);
    for (const [i, { point }] of candidates.entries()) this.#places.set(point.position, 3 * i);
    for (const { touchpoint } of placed) this.#keepAway(touchpoint.position);
  }

  /** The tip at the best candidate that a tip can reach; undefined if there is none. */
  next(need: HoldNeed): HeldTip | undefined {
    const { candidates, regions, standingOf, settings } = this.#request;
    while (this.#unreached < MAX_UNREACHED) {
      const index = this.#best(need);
      if (index < 0) return undefined;
      this.#squares[index] = -1;
      const sizeMm = settings.touchpointSizeMm;
      const touchpoint = automaticPoint(candidates[index].point, "OVERHANG", sizeMm);
      const standing = standingOf(touchpoint);
      if (!standing || (standing.foot && !need.helpsFrom(standing.foot))) {
        this.#unreached++;
        continue;
      }
      this.#unreached = 0;
      const [{ position }, region] = [touchpoint, regions[index]];
      this.found.push({ touchpoint, region });
      this.#keepAway(position);
      return { position, region, foot: standing.foot, strengthN: this.#strengthN, sizeMm };
    }
    return undefined;
  }

  #best({ topMm, helps, gain }: HoldNeed): number {
    const { candidates, regions } = this.#request;
    const squares = this.#squares;
    const places = this.#places;
    let [most, index] = [0, -1];
    for (let i = 0; i < squares.length && places[3 * i + 2] <= topMm; i++) {
      if (squares[i] < 0) continue;
      const { point, quality } = candidates[i];
      const { position } = point;
      const apart = Math.min(1, Math.sqrt(squares[i]) / FULL_APART_MM);
      // The expensive test is last.
      const value = quality * apart * gain(position);
      if (value > most && helps(regions[i], position[2])) [most, index] = [value, i];
    }
    return index;
  }

  /** Updates the distances of all candidates for a new point. Unrolled: it runs for each pair of a point and a candidate. */
  #keepAway([x, y, z]: Vec3): void {
    const squares = this.#squares;
    const places = this.#places;
    const apartMm = this.#apartMm;
    for (let i = 0, at = 0; i < squares.length; i++, at += 3) {
      const dx = places[at] - x;
      const dy = places[at + 1] - y;
      const dz = places[at + 2] - z;
      const square = dx * dx + dy * dy + dz * dz;
      if (square < squares[i]) squares[i] = square < apartMm * apartMm ? -1 : square;
    }
  }
}
