import type { Watch } from "../../core/watch.ts";
import { type Region, type Ring, signedArea } from "../../mesh/boolean/region/region.ts";
import type { Archway } from "./archway.ts";
import { cellFinder } from "./cell-finder.ts";
import { leastHeightAt, type Roof } from "./roof/roof.ts";
import { isIn, type Point } from "./ring-facts.ts";
import { lengthsTo } from "./smoothed-ring.ts";
import { spreadEvenly } from "./spread-evenly.ts";

/** Holes through the side of a base, at its bottom. */
export interface DrainShape {
  readonly radiusMm: number;
  /** Height of a hole over its width, were it whole: it is half an ellipse, open to the platform. */
  readonly heightRatio: number;
  /** At least so far from the rim of one hole to that of the next. */
  readonly apartMm: number;
  readonly mostPerContour: number;
}

export interface DrainHole extends Archway {
  /** Number of the cell that it leads to. */
  readonly cell: number;
}

export interface DrainSite {
  /** The outlines of the bottom, and what of them is hollow. */
  readonly bottom: Region;
  readonly cells: readonly Region[];
  readonly roof: Roof;
  readonly bottomMm: number;
  readonly shellMm: number;
}

/** From one place that is tried to the next. */
const STEP_MM = 0.25;
/** Outlines have no more places. */
const MOST_PLACES = 4000;
/** A hole ends so far behind the shell. */
const BEHIND_MM = 0.5;
/** How much of its width must lead into one cell; where no place has it, less will do. */
const CLEAR_SHARES = [1, 0.6, 0.2];

interface Candidate extends DrainHole {
  /** Its place along the contour. */
  readonly alongMm: number;
}

/** The holes of all contours around a bottom, as evenly spread along each as what is behind its side allows. */
export function drainHolesOf(site: DrainSite, shape: DrainShape, watch: Watch): DrainHole[] {
  const contours = site.bottom.filter((ring) => signedArea(ring) > 0);
  return contours.flatMap((contour, i) =>
    holesOf(contour, site, shape, watch.part(i / contours.length, (i + 1) / contours.length)),
  );
}

function holesOf(contour: Ring, site: DrainSite, shape: DrainShape, watch: Watch): DrainHole[] {
  const lengths = lengthsTo(contour);
  const lengthMm = lengths[lengths.length - 1];
  const leastMm = 2 * shape.radiusMm + shape.apartMm;
  const most = Math.min(shape.mostPerContour, Math.max(1, Math.floor(lengthMm / leastMm)));
  for (const share of CLEAR_SHARES) {
    const candidates = candidatesOn(contour, lengths, site, shape, share, watch);
    if (candidates.length === 0) continue;
    const places = candidates.map(({ alongMm }) => alongMm);
    return spreadEvenly(places, lengthMm, leastMm, most).map((number) => candidates[number]);
  }
  return [];
}

function candidatesOn(
  contour: Ring,
  lengths: Float64Array,
  { bottom, cells, roof, bottomMm, shellMm }: DrainSite,
  { radiusMm, heightRatio }: DrainShape,
  clearShare: number,
  watch: Watch,
): Candidate[] {
  const cellAt = cellFinder(cells);
  const lengthMm = lengths[lengths.length - 1];
  const count = Math.min(MOST_PLACES, Math.ceil(lengthMm / STEP_MM));
  const heightMm = radiusMm * heightRatio;
  const depthMm = shellMm + BEHIND_MM;
  const found: Candidate[] = [];
  for (let i = 0; i < count; i++) {
    watch.report(i / count);
    const alongMm = (i / count) * lengthMm;
    const [x, y] = pointAt(contour, lengths, alongMm);
    const [ax, ay] = pointAt(contour, lengths, (alongMm - radiusMm + lengthMm) % lengthMm);
    const [bx, by] = pointAt(contour, lengths, (alongMm + radiusMm) % lengthMm);
    const size = Math.sqrt((bx - ax) ** 2 + (by - ay) ** 2);
    if (size === 0) continue;
    const [tx, ty] = [(bx - ax) / size, (by - ay) / size];
    // What is solid lies to the left of a contour.
    const at = (inward: number, aside: number): Point => [x - ty * inward + tx * aside, y + tx * inward + ty * aside];
    const inner = [0, -clearShare * radiusMm, clearShare * radiusMm].map((aside) => at(depthMm, aside));
    const cell = cellAt(inner[0]);
    if (cell < 0 || inner.some((point) => cellAt(point) !== cell)) continue;
    if (!inner.every((point) => leastHeightAt(roof, ...point) - bottomMm >= heightMm)) continue;
    // The sides of an outline that bends away begin farther in, those of one that bends in farther out.
    const outset = radiusMm + BEHIND_MM;
    if (isIn(bottom, ...at(-outset, 0))) continue;
    found.push({ alongMm, from: at(-outset, 0), to: inner[0], radiusMm, heightMm, cell });
  }
  return found;
}

function pointAt(ring: Ring, lengths: Float64Array, alongMm: number): Point {
  let [low, high] = [0, lengths.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lengths[middle] <= alongMm) low = middle;
    else high = middle - 1;
  }
  const sideMm = lengths[low + 1] - lengths[low];
  const share = sideMm > 0 ? (alongMm - lengths[low]) / sideMm : 0;
  const next = (2 * low + 2) % ring.length;
  return [
    ring[2 * low] + share * (ring[next] - ring[2 * low]),
    ring[2 * low + 1] + share * (ring[next + 1] - ring[2 * low + 1]),
  ];
}
