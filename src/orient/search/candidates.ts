import { type BuildVolume, dot, times, type Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { type CupCost, roughCupCost } from "../cost/cup-cost.ts";
import { measureBothWays } from "../cost/measure-roughly.ts";
import { severityOf } from "../cost/severity.ts";
import { costOf, type Criteria } from "../criteria.ts";
import type { Part } from "../form/part.ts";
import { surfelsOf } from "../form/surfels.ts";
import type { Shape } from "../shape.ts";
import { stanceOf } from "../stance/stance.ts";
import { cheapestFirst } from "./cheapest-first.ts";
import { halfOf, lattice } from "./lattice.ts";
import { type Choice, refine } from "./refine.ts";

/** A direction worth a close look. One that lays a flat of the part level is exact, and no search improves it. */
export interface Candidate extends Choice {
  readonly isFlat: boolean;
}

/** 1,026 directions, 5° to 10° apart: no valley of a cost is narrower, but that of a flat on the platform. */
const STEPS = 16;
/** Cells along the part that pieces of its surface lie in: some thousand pieces tell a cost to some percent. */
const CELLS = 14;
/** Directions that are walked downhill from, and those that are then measured by every facet. */
const MOST = 16;
const MEASURED = 12;
/** Cosine of 6°: of candidates closer together, the better. */
const CLOSE = 0.9945;
/** Steps of the search by pieces of the surface, radians. */
const FROM_RAD = 0.06;
const TO_RAD = 0.015;
/** Directions that are looked at in any case, and by what factor one may cost more than the best to be looked at. */
const FEWEST = 24;
const WORTH = 1.15;
/** Directions between two reports. */
const BATCH = 64;

/** The best directions to point up, with their exact costs without cups, the cheapest first. */
export function candidatesOf(
  shape: Shape,
  exactly: (up: Vec3) => number,
  criteria: Criteria,
  volume: BuildVolume,
  watch: Watch,
): Candidate[] {
  const { part, moments, axes, extremes, flats } = shape;
  const severity = severityOf(criteria);
  const surfels = surfelsOf(part, CELLS);
  watch.report(0.1);
  const bothWays = (up: Vec3): number[] =>
    measureBothWays(surfels, extremes.points, up, severity).map((one) => costOf(one, part.areaMm2, criteria));
  const level = flats.map(({ normal }) => ({ up: normal, isFlat: true }));
  const around = halfOf(lattice(STEPS, axes)).map((up) => ({ up, isFlat: false }));
  const rough = [...level, ...around].flatMap(({ up, isFlat }, i, { length }): Candidate[] => {
    if (i % BATCH === 0) watch.report(0.1 + (0.4 * i) / length);
    const [cost, reversed] = bothWays(up);
    return [
      { up, isFlat, cost },
      { up: times(up, -1), isFlat, cost: reversed },
    ];
  });
  const cups = roughCupCost(shape, criteria);
  const fitsAnyhow = 2 * farthestMm(part) <= Math.min(...volume.dimensionsMm);
  const fits = ({ up }: Choice): boolean => fitsAnyhow || stanceOf(extremes.points, moments, up, volume).fits;
  const fitting = apartOf(rough, fits, cups, watch.part(0.5, 0.6));
  const apart = fitting.length > 0 ? fitting : apartOf(rough, () => true, cups, watch.part(0.5, 0.6));
  const walked = apart.map((one, i): Candidate => {
    watch.report(0.6 + (0.1 * i) / apart.length);
    if (one.isFlat) return one;
    const roughly = (up: Vec3): number => bothWays(up)[0];
    const { up, cost } = refine({ ...one, cost: roughly(one.up) }, axes, roughly, FROM_RAD, TO_RAD);
    const total = cost + cups(up);
    return total < one.cost ? { up, isFlat: false, cost: total } : one;
  });
  const measured = walked.toSorted((a, b) => a.cost - b.cost).slice(0, MEASURED);
  return measured
    .map(({ up, isFlat }, i): Candidate => {
      watch.report(0.7 + (0.3 * i) / MEASURED);
      return { up, isFlat, cost: exactly(up) };
    })
    .sort((a, b) => a.cost - b.cost);
}

/** Between the middle of the part's box and its farthest vertex. */
function farthestMm({ vertices }: Part): number {
  let most2 = 0;
  for (let at = 0; at < vertices.length; at += 3) {
    const x = vertices[at];
    const y = vertices[at + 1];
    const z = vertices[at + 2];
    most2 = Math.max(most2, x * x + y * y + z * z);
  }
  return Math.sqrt(most2);
}

/**
 * Of directions without their cups, those that will do and may be the best once their cups count, the cheapest first; none close to
 * another, but that a flat gives way to flats alone.
 */
function apartOf(
  rough: readonly Candidate[],
  willDo: (one: Choice) => boolean,
  cups: CupCost,
  watch: Watch,
): Candidate[] {
  const kept: Candidate[] = [];
  const isApart = (one: Candidate): boolean =>
    kept.every((other) => (one.isFlat && !other.isFlat) || dot(other.up, one.up) <= CLOSE);
  let asked = 0;
  const inAll = (one: Candidate): number | undefined => {
    watch.report(asked++ / rough.length);
    return isApart(one) && willDo(one) ? one.cost + cups(one.up) : undefined;
  };
  let seen = 0;
  let least = Infinity;
  for (const one of cheapestFirst(rough, inAll)) {
    least = Math.min(least, one.cost);
    if (kept.length === MOST || (seen++ >= FEWEST && one.cost > least * WORTH)) break;
    if (isApart(one)) kept.push(one);
  }
  return kept;
}
