import { ensureCapacity } from "../core/typed-arrays.ts";
import { SIDEWAYS_SHARE } from "../hold/flexibility.ts";
import { GREEN_MODULUS, PEEL_STRESS } from "../hold/strengths.ts";
import { type Vec3, cross, unit } from "../geometry/vector.ts";
import { SURFEL_STRIDE, type Surfels } from "./surfels.ts";

/**
 * A rough estimate of how well tips hold a part against the peel of its layers, in one orientation. It replaces the supports that
 * `support/` would place, in a thousandth of their time.
 */
export interface HoldEstimate {
  /**
   * Area whose tips hold the layer that is hardest to hold, mm²: the area of the layer times {@link leverFactor}. The number of tips
   * is proportional to it.
   */
  readonly loadMm2: number;
  /** Distance by which the top of the part bends under the sideways share of the peel force, mm. */
  readonly bendMm: number;
}

/** Number of slabs. They may be thinner than the cells of the surfels: see {@link smoothed}. */
const SLABS = 10;
/** Sums per slab: weight, x, y, x², xy, y², z, z² of the surface in it. */
const SUMS = 8;

/** The estimate with `up` pointing up. */
export const estimateHold = (surfels: Surfels, up: Vec3): HoldEstimate => walk(slabsOf(surfels, up), 1);

/** The estimates with `up` pointing up and with `up` pointing down. */
export function estimateHoldBothWays(surfels: Surfels, up: Vec3): [upright: HoldEstimate, reversed: HoldEstimate] {
  const slabs = slabsOf(surfels, up);
  return [walk(slabs, 1), walk(slabs, -1)];
}

/** A part in slabs of equal height, from the lowest. */
interface Slabs {
  readonly slabMm: number;
  /** Mean area of the section of each slab, mm². */
  readonly sections: Float64Array;
  /** {@link SUMS} of the surface in and near each slab. */
  readonly sums: Float64Array;
}

function slabsOf({ count, values, cellMm }: Surfels, up: Vec3): Slabs {
  const right = unit(cross(up, leastAxis(up)));
  const back = cross(up, right);
  const { heights, bottom, top } = surfelHeights(count, values, up);
  const ux = up[0];
  const uy = up[1];
  const uz = up[2];
  const slabMm = (top - bottom) / SLABS;
  const sections = new Float64Array(SLABS + 1);
  const sums = new Float64Array(SUMS * SLABS);
  const perMm = slabMm > 0 ? 1 / slabMm : 0;
  const rx = right[0];
  const ry = right[1];
  const rz = right[2];
  const bx = back[0];
  const by = back[1];
  const bz = back[2];
  for (let i = 0; i < count; i++) {
    const at = SURFEL_STRIDE * i;
    const px = values[at];
    const py = values[at + 1];
    const pz = values[at + 2];
    const area = values[at + 6];
    const place = (heights[i] - bottom) * perMm;
    const slab = place >= SLABS ? SLABS - 1 : place | 0;
    const growth = -area * (ux * values[at + 3] + uy * values[at + 4] + uz * values[at + 5]);
    const within = growth * (slab + 1 - place);
    sections[slab] += within;
    sections[slab + 1] += growth - within;
    const x = rx * px + ry * py + rz * pz;
    const y = bx * px + by * py + bz * pz;
    const ax = area * x;
    const ay = area * y;
    const sum = SUMS * slab;
    sums[sum] += area;
    sums[sum + 1] += ax;
    sums[sum + 2] += ay;
    sums[sum + 3] += ax * x;
    sums[sum + 4] += ax * y;
    sums[sum + 5] += ay * y;
    sums[sum + 6] += area * heights[i];
    sums[sum + 7] += area * heights[i] * heights[i];
  }
  for (let slab = 1; slab < SLABS; slab++) sections[slab] += sections[slab - 1];
  return { slabMm, sections, sums: smoothed(sums, slabMm / (cellMm + slabMm)) };
}

/** The heights of the surfels in one direction at a time. */
let scratch = new Float64Array(0);

function surfelHeights(count: number, values: Float64Array, [ux, uy, uz]: Vec3) {
  scratch = ensureCapacity(scratch, count);
  const heights = scratch;
  let bottom = Infinity;
  let top = -Infinity;
  for (let i = 0; i < count; i++) {
    const at = SURFEL_STRIDE * i;
    const z = ux * values[at] + uy * values[at + 1] + uz * values[at + 2];
    heights[i] = z;
    if (z < bottom) bottom = z;
    if (z > top) top = z;
  }
  return { heights, bottom, top };
}

/**
 * The sums of each slab plus those of nearby slabs, whose weight decreases by `fall` per slab: surfels are as high as a cell, so all
 * surfels of one height may be in a single slab.
 */
function smoothed(sums: Float64Array, fall: number): Float64Array {
  const smooth = new Float64Array(sums.length);
  const reach = Math.min(SLABS - 1, fall > 0 ? Math.ceil(1 / fall) - 1 : SLABS);
  for (let to = 0; to < SLABS; to++) {
    const first = Math.max(0, to - reach);
    const last = Math.min(SLABS - 1, to + reach);
    for (let from = first; from <= last; from++) {
      const weight = 1 - fall * Math.abs(to - from);
      const into = SUMS * to;
      const of = SUMS * from;
      for (let i = 0; i < SUMS; i++) smooth[into + i] += weight * sums[of + i];
    }
  }
  return smooth;
}

function leastAxis([x, y, z]: Vec3): Vec3 {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  return ax <= ay && ax <= az ? [1, 0, 0] : ay <= az ? [0, 1, 0] : [0, 0, 1];
}

/** Second moment of a section over that of its outline: 1/3 for a plate, 1/2 for a disc. */
const SECTION_SHARE = 1 / 3;

/**
 * Walks the slabs from the one that prints first. Tips may be anywhere on the surface so far, so its spread is the base on which
 * the pull at the middle of a layer rests.
 */
function walk({ slabMm, sections, sums }: Slabs, step: 1 | -1): HoldEstimate {
  let loadMm2 = 0;
  let bendMm = 0;
  let [area, ax, ay, axx, axy, ayy] = [0, 0, 0, 0, 0, 0];
  let [firstX, firstY, firstZ] = [0, 0, 0];
  // For the column below: sums of 1, z and z² over the stiffness of its slabs, from which the bend of any top follows.
  let [bend0, bend1, bend2] = [0, 0, 0];
  for (let k = 0; k < SLABS; k++) {
    const slab = step > 0 ? k : SLABS - 1 - k;
    const at = SUMS * slab;
    const weight = sums[at];
    if (!(weight > 0)) continue;
    const x = sums[at + 1] / weight;
    const y = sums[at + 2] / weight;
    const height = sums[at + 6] / weight;
    if (area === 0) [firstX, firstY, firstZ] = [x, y, height];
    area += weight;
    ax += sums[at + 1];
    ay += sums[at + 2];
    axx += sums[at + 3];
    axy += sums[at + 4];
    ayy += sums[at + 5];
    const sectionMm2 = sections[slab];
    if (!(sectionMm2 > 0)) continue;
    const outX = x - ax / area;
    const outY = y - ay / area;
    const out2 = outX * outX + outY * outY;
    const xx = axx / area - (ax / area) * (ax / area);
    const xy = axy / area - (ax / area) * (ay / area);
    const yy = ayy / area - (ay / area) * (ay / area);
    const along2 = (outX * outX * xx + 2 * outX * outY * xy + outY * outY * yy) / (out2 || 1);
    loadMm2 = Math.max(loadMm2, sectionMm2 * leverFactor(out2, 3 * along2));
    const z = (k + 0.5) * slabMm;
    // Both are means over slabs nearby, so their slope is that of the part.
    const rise = Math.max(slabMm / 2, Math.abs(height - firstZ));
    const leanX = (x - firstX) / rise;
    const leanY = (y - firstY) / rise;
    const outline = sectionOutline(sums, at, leanX, leanY);
    const pullN = SIDEWAYS_SHARE * PEEL_STRESS * sectionMm2;
    const free = 1 - bracedShare(outline, leanX, leanY);
    bendMm = Math.max(bendMm, free * pullN * (z * z * bend0 - 2 * z * bend1 + bend2));
    const stiffness = GREEN_MODULUS * sectionMm2 * SECTION_SHARE * outline.weak;
    if (!(stiffness > 0)) continue;
    bend0 += slabMm / stiffness;
    bend1 += (slabMm * z) / stiffness;
    bend2 += (slabMm * z * z) / stiffness;
  }
  return { loadMm2, bendMm };
}

/**
 * The outline of a section of a part that leans by `leanX` and `leanY` per mm of height, from the sums at `at`. Slabs nearby are offset
 * from each other by the lean: the section is narrower than their union.
 */
function sectionOutline(sums: Float64Array, at: number, leanX: number, leanY: number): Ellipse {
  const weight = sums[at];
  const x = sums[at + 1] / weight;
  const y = sums[at + 2] / weight;
  const height = sums[at + 6] / weight;
  const thick2 = sums[at + 7] / weight - height * height;
  return ellipseOf(
    sums[at + 3] / weight - x * x - leanX * leanX * thick2,
    sums[at + 4] / weight - x * y - leanX * leanY * thick2,
    sums[at + 5] / weight - y * y - leanY * leanY * thick2,
  );
}

/**
 * The factor by which a pull needs more tips if it acts at a distance `out` from the middle of an even row of tips of half-length `c`,
 * given the squares of both. Each tip bears at most its strength, upward or downward: with the tips on one side of a point at −φ·c
 * pulling and the others pressing, forces and moments are in balance for out / c = (1 − φ²) / (2 φ), and the factor is 1/φ.
 */
function leverFactor(out2: number, c2: number): number {
  const ratio = Math.sqrt(out2 / Math.max(c2, MIN_HALF_LENGTH2));
  return ratio + Math.sqrt(1 + ratio * ratio);
}

/** Least half-length of a row, squared, mm²: that of a single tip. */
const MIN_HALF_LENGTH2 = 0.25;

/** The moments of an outline about its centroid along its weakest direction and across it, mm². */
interface Ellipse {
  readonly weak: number;
  readonly strong: number;
  readonly weakX: number;
  readonly weakY: number;
}

function ellipseOf(xx: number, xy: number, yy: number): Ellipse {
  const mean = (xx + yy) / 2;
  const half = (xx - yy) / 2;
  const apart = Math.sqrt(half * half + xy * xy);
  const weak = Math.max(0, mean - apart);
  // The longer of the two equal eigenvectors of the smaller eigenvalue.
  const [x, y] = half < 0 ? [apart - half, -xy] : [-xy, apart + half];
  const length = Math.sqrt(x * x + y * y) || 1;
  return { weak, strong: mean + apart, weakX: x / length, weakY: y / length };
}

/** Tangents of 3° and 12°: with a smaller lean a part needs no support under it, with a larger one it needs a row along its length. */
const LEAN_TANGENTS = [0.0524, 0.2126] as const;

/**
 * The share to which supports under a leaning part hold it sideways: where it leans in its weak direction, and for a round section in
 * any direction.
 */
function bracedShare({ weak, strong, weakX, weakY }: Ellipse, leanX: number, leanY: number): number {
  const along = leanX * weakX + leanY * weakY;
  const round = strong > 0 ? weak / strong : 0;
  const lean = Math.sqrt(along * along + round * (leanX * leanX + leanY * leanY - along * along));
  const [least, enough] = LEAN_TANGENTS;
  return Math.min(1, Math.max(0, (lean - least) / (enough - least)));
}
