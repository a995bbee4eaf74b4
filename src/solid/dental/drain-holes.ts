import type { Progress } from "../../core/progress.ts";
import { partitionPoint } from "../../geometry/binary-search.ts";
import { type Point2, type Polygon, type Polygons, containsPoint, signedArea } from "../../geometry/polygon.ts";
import type { Archway } from "./cavity-solids.ts";
import { cellLocator } from "./honeycomb.ts";
import { type Roof, minHeightAt } from "./roof.ts";
import { cumulativeLengths, pointAlong } from "./smooth-outline.ts";

/** Holes through the side of a base, at its bottom. */
export interface DrainOptions {
  readonly radiusMm: number;
  /** Height over width of the whole ellipse; a hole is its upper half, open to the platform. */
  readonly heightRatio: number;
  /** Least distance between the rims of adjacent holes. */
  readonly apartMm: number;
  readonly mostPerContour: number;
}

export interface DrainHole extends Archway {
  /** Index of the cell that it drains. */
  readonly cell: number;
}

export interface DrainSite {
  /** The outlines of the bottom. */
  readonly bottom: Polygons;
  /** The hollow parts of the bottom. */
  readonly cells: readonly Polygons[];
  readonly roof: Roof;
  readonly bottomMm: number;
  readonly shellMm: number;
}

/** Step between the positions that are tried, and their greatest number per outline. */
const STEP_MM = 0.25;
const MAX_POSITIONS = 4000;
/** A hole extends this far beyond the shell. */
const BEHIND_MM = 0.5;
/** Sides of the half ellipse of a hole. */
const SEGMENTS = 32;
/** Share of a hole's width that must lead into one cell; if no position has it, the next lower share is tried. */
const CLEAR_SHARES = [1, 0.6, 0.2];

interface DrainHoleCandidate extends DrainHole {
  /** Position along the contour. */
  readonly alongMm: number;
}

/** Places holes along each contour of a bottom, as evenly as the space inside of its sides permits. */
export function placeDrainHoles(site: DrainSite, options: DrainOptions, progress: Progress): DrainHole[] {
  const contours = site.bottom.filter((polygon) => signedArea(polygon) > 0);
  return contours.flatMap((contour, i) =>
    contourDrainHoles(contour, site, options, progress.part(i / contours.length, (i + 1) / contours.length)),
  );
}

function contourDrainHoles(contour: Polygon, site: DrainSite, options: DrainOptions, progress: Progress): DrainHole[] {
  const lengths = cumulativeLengths(contour);
  const lengthMm = lengths[lengths.length - 1];
  const pitchMm = 2 * options.radiusMm + options.apartMm;
  const most = Math.min(options.mostPerContour, Math.max(1, Math.floor(lengthMm / pitchMm)));
  for (const share of CLEAR_SHARES) {
    const candidates = findCandidates(contour, lengths, site, options, share, progress);
    if (candidates.length === 0) continue;
    const positions = candidates.map(({ alongMm }) => alongMm);
    return spreadEvenly(positions, lengthMm, pitchMm, most).map((index) => candidates[index]);
  }
  return [];
}

function findCandidates(
  contour: Polygon,
  lengths: Float64Array,
  { bottom, cells, roof, bottomMm, shellMm }: DrainSite,
  { radiusMm, heightRatio }: DrainOptions,
  clearShare: number,
  progress: Progress,
): DrainHoleCandidate[] {
  const cellAt = cellLocator(cells);
  const lengthMm = lengths[lengths.length - 1];
  const count = Math.min(MAX_POSITIONS, Math.ceil(lengthMm / STEP_MM));
  const heightMm = radiusMm * heightRatio;
  const depthMm = shellMm + BEHIND_MM;
  // Away from the middle of the hole the outline may be farther in or farther out.
  const outset = radiusMm + BEHIND_MM;
  const candidates: DrainHoleCandidate[] = [];
  for (let i = 0; i < count; i++) {
    progress.report(i / count);
    const alongMm = (i / count) * lengthMm;
    const [x, y] = pointAlong(contour, lengths, alongMm);
    const [ax, ay] = pointAlong(contour, lengths, (alongMm - radiusMm + lengthMm) % lengthMm);
    const [bx, by] = pointAlong(contour, lengths, (alongMm + radiusMm) % lengthMm);
    const size = Math.sqrt((bx - ax) ** 2 + (by - ay) ** 2);
    if (size === 0) continue;
    const [tx, ty] = [(bx - ax) / size, (by - ay) / size];
    // The solid is to the left of a contour.
    const at = (inward: number, aside: number): Point2 => [x - ty * inward + tx * aside, y + tx * inward + ty * aside];
    const inner = [0, -clearShare * radiusMm, clearShare * radiusMm].map((aside) => at(depthMm, aside));
    const cell = cellAt(inner[0]);
    if (cell < 0 || inner.some((point) => cellAt(point) !== cell)) continue;
    if (!inner.every((point) => minHeightAt(roof, ...point) - bottomMm >= heightMm)) continue;
    if (containsPoint(bottom, ...at(-outset, 0))) continue;
    candidates.push({ alongMm, from: at(-outset, 0), to: inner[0], radiusMm, heightMm, segments: SEGMENTS, cell });
  }
  return candidates;
}

/** Sets that are compared; each begins at another position. */
const MAX_STARTS = 200;
/** Least distances that differ by less than this share of the whole length count as equal. */
const EQUAL_SHARE = 1e-3;

interface PositionSet {
  /** Indices of the positions. */
  readonly chosen: number[];
  /** Least distance between adjacent positions. */
  readonly leastMm: number;
}

/**
 * Chooses at most `most` of ascending positions along a closed line, at least `apartMm` apart: as many as possible, then as far apart
 * as possible. Each set that is compared takes the positions closest to even spacing from its first one.
 */
export function spreadEvenly(
  positionsMm: readonly number[],
  lengthMm: number,
  apartMm: number,
  most: number,
): number[] {
  const stride = Math.ceil(positionsMm.length / MAX_STARTS);
  let best: PositionSet = { chosen: [], leastMm: 0 };
  for (let start = 0; start < positionsMm.length; start += stride) {
    const set = positionsFrom(start, positionsMm, lengthMm, apartMm, most);
    const isMore = set.chosen.length > best.chosen.length;
    const isWider = set.leastMm > best.leastMm + EQUAL_SHARE * lengthMm;
    if (isMore || (set.chosen.length === best.chosen.length && isWider)) best = set;
  }
  return best.chosen;
}

function positionsFrom(
  start: number,
  positionsMm: readonly number[],
  lengthMm: number,
  apartMm: number,
  most: number,
): PositionSet {
  const count = positionsMm.length;
  const distanceTo = (step: number): number => {
    const distanceMm = positionsMm[(start + step) % count] - positionsMm[start];
    return distanceMm < 0 ? distanceMm + lengthMm : distanceMm;
  };
  const chosen = [start];
  let last = 0;
  let leastMm = lengthMm;
  for (let i = 1; i < most; i++) {
    const ideal = (i / most) * lengthMm;
    const [from, to] = [last + apartMm, lengthMm - apartMm];
    const wanted = Math.max(from, Math.min(to, ideal));
    const next = partitionPoint(count, (step) => distanceTo(step) < wanted);
    const free = [next - 1, next].filter(
      (step) => step > 0 && step < count && distanceTo(step) >= from && distanceTo(step) <= to,
    );
    if (free.length === 0) break;
    const step = free.reduce((near, one) =>
      Math.abs(distanceTo(one) - ideal) < Math.abs(distanceTo(near) - ideal) ? one : near,
    );
    chosen.push((start + step) % count);
    leastMm = Math.min(leastMm, distanceTo(step) - last);
    last = distanceTo(step);
  }
  return { chosen, leastMm: Math.min(leastMm, lengthMm - last) };
}
