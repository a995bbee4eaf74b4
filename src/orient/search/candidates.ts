import { type BuildVolume, dot, times, type Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { measureRoughly } from "../cost/measure-roughly.ts";
import { severityOf } from "../cost/severity.ts";
import { costOf, type Criteria } from "../criteria.ts";
import { airAround } from "../cups/air.ts";
import { sealedMm2 } from "../cups/sealed.ts";
import type { Part } from "../form/part.ts";
import { surfelsOf } from "../form/surfels.ts";
import type { Shape } from "../shape.ts";
import { stanceOf } from "../stance/stance.ts";
import { lattice } from "./lattice.ts";
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
const MOST = 24;
const MEASURED = 16;
/** Cosine of 6°: of candidates closer together, the better. */
const CLOSE = 0.9945;
/** Steps of the search by pieces of the surface, radians. */
const FROM_RAD = 0.06;
const TO_RAD = 0.015;
/** Cubes that tell a cup's area to a fifth of it. */
const ROUGH_CUBES = 20_000;
/** Directions whose cups are looked at in any case, and by what factor one may cost more than the best to be looked at. */
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
  const roughly = (up: Vec3): number =>
    costOf(measureRoughly(surfels, extremes.points, up, severity), part.areaMm2, criteria);
  const level = flats.flatMap(({ normal }) => [times(normal, -1), normal]).map((up) => ({ up, isFlat: true }));
  const around = lattice(STEPS, axes).map((up) => ({ up, isFlat: false }));
  const rough = [...level, ...around].map(({ up, isFlat }, i, { length }): Candidate => {
    if (i % BATCH === 0) watch.report(0.1 + (0.4 * i) / length);
    return { up, isFlat, cost: roughly(up) };
  });
  rough.sort((a, b) => a.cost - b.cost);
  const cups = roughCups(shape, criteria);
  const fitsAnyhow = 2 * farthestMm(part) <= Math.min(...volume.dimensionsMm);
  const fits = ({ up }: Choice): boolean => fitsAnyhow || stanceOf(extremes.points, moments, up, volume).fits;
  const fitting = withCups(rough, fits, cups, watch.part(0.5, 0.6));
  const seen = fitting.length > 0 ? fitting : withCups(rough, () => true, cups, watch.part(0.5, 0.6));
  const apart = apartOf(seen);
  const walked = apart.map((one, i): Candidate => {
    watch.report(0.6 + (0.1 * i) / apart.length);
    if (one.isFlat) return one;
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

/** What the cups of a direction add to its cost, about. Each direction is worked out once. */
function roughCups({ part, axes, extremes }: Shape, { weights }: Criteria): (up: Vec3) => number {
  if (weights.cups === 0) return () => 0;
  const air = airAround(part, extremes, axes, ROUGH_CUBES);
  const known = new Map<Vec3, number>();
  return (up) => {
    const cost = known.get(up) ?? (weights.cups * sealedMm2(air, up, extremes.points)) / part.areaMm2;
    known.set(up, cost);
    return cost;
  };
}

/** Of directions without their cups, the cheapest first, those that will do: as many as may be the best once their cups count, cheapest first. */
function withCups(
  sorted: readonly Candidate[],
  willDo: (one: Choice) => boolean,
  cups: (up: Vec3) => number,
  watch: Watch,
): Candidate[] {
  const seen: Candidate[] = [];
  let least = Infinity;
  for (const one of sorted) {
    watch.report(seen.length / sorted.length);
    if (seen.length >= FEWEST && one.cost > least * WORTH) break;
    if (!willDo(one)) continue;
    const cost = one.cost + cups(one.up);
    least = Math.min(least, cost);
    seen.push({ ...one, cost });
  }
  return seen.sort((a, b) => a.cost - b.cost);
}

/** The first, none close to another, but that a flat gives way to flats alone. */
function apartOf(sorted: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const one of sorted) {
    if (kept.length === MOST) break;
    const isClose = (other: Candidate): boolean => (other.isFlat || !one.isFlat) && dot(other.up, one.up) > CLOSE;
    if (!kept.some(isClose)) kept.push(one);
  }
  return kept;
}
