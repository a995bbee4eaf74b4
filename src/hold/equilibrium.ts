/**
 * Areas that bear force, seen from above: touches, sections of the part, what stands on the platform. Each has
 * {@link HOLD_STRIDE} numbers.
 */
export interface Holds {
  readonly values: number[];
}

/** Strength (N), centroid x, y (mm), and second moments per area xx, xy, yy (mm²) of a hold. */
export const HOLD_STRIDE = 6;

export const newHolds = (): Holds => ({ values: [] });

export function addHold({ values }: Holds, strengthN: number, x: number, y: number, moments: Moments): void {
  values.push(strengthN, x, y, moments[0], moments[1], moments[2]);
}

/** Second moments per area about the centroid, mm²: xx, xy, yy. */
export type Moments = readonly [xx: number, xy: number, yy: number];

/** Second moments of a disc: its diameter squared, divided by 16. */
export const discMoments = (diameterMm: number): Moments => [diameterMm ** 2 / 16, 0, diameterMm ** 2 / 16];

/**
 * Mean distance of the points of a section from a line through its centroid, squared, divided by their mean square: 0.75
 * of a rectangle along its sides, 32 / (9π²) = 0.72 · … of a disc, more of a ring. The lesser counts.
 */
const MEAN_SHAPE = 0.72;

/** A virtual turn of a rigid part that rises by 1 at the load: it rises by 1 + b (x − load x) + c (y − load y) at (x, y). */
interface Turn {
  b: number;
  c: number;
}

/** Rise of a {@link Turn} at a place, as a share of that at the load. */
export const riseAt = ({ b, c }: Turn, loadX: number, loadY: number, x: number, y: number): number =>
  1 + b * (x - loadX) + c * (y - loadY);

/** Each stage minimises with touches widened by this factor: far from the minimum the rises' signs decide, and steps are long. */
const WIDENINGS = [64, 8, 1] as const;
const MAX_STEPS = 24;
/** Relative decrease at which a stage ends. */
const PRECISION = 1e-6;
/** Added to second moments of holds, mm²: the work of points would have kinks. */
const LEAST_MOMENT_MM2 = 1e-4;

/** What holds can bear at a place, N, and the turn of the part that takes least force. */
export interface Bearable {
  readonly n: number;
  readonly turn: Turn;
}

/**
 * The largest pull that holds can bear at a place, each in tension or compression up to its strength, in equilibrium of
 * forces and of moments about both axes. By the upper bound theorem of limit analysis it is the least work of the holds
 * over all turns of the part that raise the place by 1: the minimum of a convex function of two variables, found by
 * Newton's method. A hold whose line of no rise runs through it still works, by its width: the work of each is taken as
 * strength · √(rise² + width²), which is up to 8 % more than that of a disc.
 */
export function bearable({ values }: Holds, loadX: number, loadY: number): Bearable {
  const turn: Turn = { b: 0, c: 0 };
  if (values.length === 0) return { n: 0, turn };
  let n = 0;
  for (const widening of WIDENINGS) n = minimise(values, loadX, loadY, turn, widening);
  return { n, turn };
}

/** Work of the holds, its gradient and its second derivatives at a turn. */
const work = { n: 0, b: 0, c: 0, bb: 0, bc: 0, cc: 0 };

function measureWork(values: readonly number[], loadX: number, loadY: number, b: number, c: number, widening: number) {
  let [n, gb, gc, hbb, hbc, hcc] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < values.length; at += HOLD_STRIDE) {
    const strength = values[at];
    const u = values[at + 1] - loadX;
    const v = values[at + 2] - loadY;
    const xx = widening * MEAN_SHAPE * (values[at + 3] + LEAST_MOMENT_MM2);
    const xy = widening * MEAN_SHAPE * values[at + 4];
    const yy = widening * MEAN_SHAPE * (values[at + 5] + LEAST_MOMENT_MM2);
    const rise = 1 + b * u + c * v;
    const mb = xx * b + xy * c;
    const mc = xy * b + yy * c;
    const size = Math.sqrt(rise * rise + b * mb + c * mc) + 1e-12;
    const db = (rise * u + mb) / size;
    const dc = (rise * v + mc) / size;
    n += strength * size;
    gb += strength * db;
    gc += strength * dc;
    hbb += (strength * (u * u + xx - db * db)) / size;
    hbc += (strength * (u * v + xy - db * dc)) / size;
    hcc += (strength * (v * v + yy - dc * dc)) / size;
  }
  work.n = n;
  work.b = gb;
  work.c = gc;
  work.bb = hbb;
  work.bc = hbc;
  work.cc = hcc;
}

function minimise(values: readonly number[], loadX: number, loadY: number, turn: Turn, widening: number): number {
  measureWork(values, loadX, loadY, turn.b, turn.c, widening);
  for (let step = 0; step < MAX_STEPS; step++) {
    const { n, b: gb, c: gc } = work;
    // Levenberg's damping keeps the step bounded where the work is nearly linear along a direction.
    const damping = 1e-9 * (work.bb + work.cc) + 1e-12;
    const [bb, cc, bc] = [work.bb + damping, work.cc + damping, work.bc];
    const determinant = bb * cc - bc * bc;
    const sb = (bc * gc - cc * gb) / determinant;
    const sc = (bc * gb - bb * gc) / determinant;
    const slope = gb * sb + gc * sc;
    if (!(slope < -PRECISION * n)) return n;
    let share = 1;
    for (; share > 1e-6; share /= 2) {
      measureWork(values, loadX, loadY, turn.b + share * sb, turn.c + share * sc, widening);
      if (work.n <= n + 0.1 * share * slope) break;
    }
    if (share <= 1e-6) {
      measureWork(values, loadX, loadY, turn.b, turn.c, widening);
      return n;
    }
    turn.b += share * sb;
    turn.c += share * sc;
  }
  return work.n;
}

/** {@link bearable} by one hold alone, in closed form: its strength, less the lever of the load in its widths. */
export function bearableByOne(strengthN: number, [xx, xy, yy]: Moments, u: number, v: number): number {
  const a = MEAN_SHAPE * (xx + LEAST_MOMENT_MM2);
  const b = MEAN_SHAPE * xy;
  const c = MEAN_SHAPE * (yy + LEAST_MOMENT_MM2);
  const lever = (c * u * u - 2 * b * u * v + a * v * v) / (a * c - b * b);
  return strengthN / Math.sqrt(1 + lever);
}
