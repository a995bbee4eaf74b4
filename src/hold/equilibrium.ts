/** Areas that bear force, seen from above: touchpoints, sections of the part, its contact with the platform. */
export interface Holds {
  /** {@link HOLD_STRIDE} numbers of each hold. */
  readonly values: number[];
  /** Sums of strength times 1, x, y, x², x y, y² over all holds. */
  readonly sums: Sums;
  /** Box around all holds, with their widths: least x and y, greatest x and y. */
  readonly box: [left: number, front: number, right: number, back: number];
}

type Sums = [n: number, x: number, y: number, xx: number, xy: number, yy: number];

/** Strength (N), centroid x, y (mm), and second moments per area xx, xy, yy (mm²) of a hold. */
const HOLD_STRIDE = 6;

/** Half the width of a disc or a rectangle is at most this many times the root of its second moment. */
const HALF_WIDTHS = 2;

export const newHolds = (): Holds => ({
  values: [],
  sums: [0, 0, 0, 0, 0, 0],
  box: [Infinity, Infinity, -Infinity, -Infinity],
});

export function addHold(
  { values, sums, box }: Holds,
  strengthN: number,
  x: number,
  y: number,
  moments: SecondMoments,
): void {
  const [xx, xy, yy] = moments;
  values.push(strengthN, x, y, xx, xy, yy);
  const weighted = [1, x, y, x * x + xx, x * y + xy, y * y + yy];
  weighted.forEach((value, i) => (sums[i] += strengthN * value));
  const [wide, deep] = [xx, yy].map((moment) => HALF_WIDTHS * Math.sqrt(moment));
  widen(box, [x - wide, y - deep, x + wide, y + deep]);
}

export function addHolds({ values, sums, box }: Holds, more: Holds): void {
  for (const value of more.values) values.push(value);
  more.sums.forEach((value, i) => (sums[i] += value));
  widen(box, more.box);
}

function widen(box: Holds["box"], [left, front, right, back]: Holds["box"]): void {
  box[0] = Math.min(box[0], left);
  box[1] = Math.min(box[1], front);
  box[2] = Math.max(box[2], right);
  box[3] = Math.max(box[3], back);
}

/** Second moments per area about the centroid, mm²: xx, xy, yy. */
export type SecondMoments = readonly [xx: number, xy: number, yy: number];

/** Second moments of a disc: its diameter squared, divided by 16. */
export const discMoments = (diameterMm: number): SecondMoments => [diameterMm ** 2 / 16, 0, diameterMm ** 2 / 16];

/**
 * Square of the mean distance of the points of a section from a line through its centroid, divided by their mean square: 0.75 for a
 * rectangle along its sides, 32 / (9π²) = 0.72 for a disc, more for a ring. The lesser counts.
 */
const MEAN_SHAPE = 0.72;

/** A virtual rotation of a rigid part that raises the load by 1: the part rises by 1 + b (x − load x) + c (y − load y) at (x, y). */
export interface VirtualRotation {
  b: number;
  c: number;
}

export const noRotation = (): VirtualRotation => ({ b: 0, c: 0 });

/** Rise of a {@link VirtualRotation} at a place, as a share of the rise at the load. */
export const riseAt = ({ b, c }: VirtualRotation, loadX: number, loadY: number, x: number, y: number): number =>
  1 + b * (x - loadX) + c * (y - loadY);

/** Each stage minimises with holds widened by this factor: far from the minimum the signs of the rises decide, and steps are long. */
const WIDENINGS = [64, 8, 1] as const;
const MAX_STEPS = 24;
/** Maximum number of steps from the previous rotation of least work; if they are not enough, the minimum is elsewhere. */
const MAX_STEPS_ON = 8;
/** Shorter steps gain only rounding errors. */
const LEAST_SHARE = 1e-6;
/** Relative decrease at which a stage ends. */
const PRECISION = 1e-6;
/** Added to second moments of holds, mm²: the work of points would have kinks. */
const LEAST_MOMENT_MM2 = 1e-4;

/**
 * The largest pull, N, that holds can bear at a place, each in tension or compression up to its strength, in equilibrium of forces and
 * of moments about both axes. By the upper bound theorem of limit analysis it is the least work of the holds over all virtual
 * rotations of the part that raise the place by 1: the minimum of a convex function of two variables, found by Newton's method from
 * `rotation`, which becomes the rotation of least work. A hold through which the line of no rise runs still works, by its width: the work
 * of each hold is taken as strength · √(rise² + width²), which is up to 8 % more than the work of a disc.
 */
export function bearableN({ values }: Holds, loadX: number, loadY: number, rotation: VirtualRotation): number {
  if (values.length === 0) return 0;
  if (rotation.b !== 0 || rotation.c !== 0) {
    const n = minimise(values, loadX, loadY, rotation, 1, MAX_STEPS_ON);
    if (n !== undefined) return n;
  }
  [rotation.b, rotation.c] = [0, 0];
  let n = 0;
  for (const widening of WIDENINGS) n = minimise(values, loadX, loadY, rotation, widening, MAX_STEPS) ?? work.n;
  return n;
}

/**
 * Whether holds bear a pull for certain: by shares of their strength that are a linear function of the place, as those of springs
 * under a rigid part, where no share exceeds 1 within their box. A lower bound of {@link bearableN}, in a few operations.
 */
export function surelyBear({ sums, box }: Holds, loadN: number, loadX: number, loadY: number): boolean {
  const [n, sumX, sumY, sumXx, sumXy, sumYy] = sums;
  if (n < loadN) return false;
  const [middleX, middleY] = [sumX / n, sumY / n];
  const xx = sumXx / n - middleX * middleX;
  const xy = sumXy / n - middleX * middleY;
  const yy = sumYy / n - middleY * middleY;
  const determinant = xx * yy - xy * xy;
  const [u, v] = [loadX - middleX, loadY - middleY];
  const b = (yy * u - xy * v) / determinant;
  const c = (xx * v - xy * u) / determinant;
  const [left, front, right, back] = box;
  const across = Math.max(Math.abs(b * (left - middleX)), Math.abs(b * (right - middleX)));
  const along = Math.max(Math.abs(c * (front - middleY)), Math.abs(c * (back - middleY)));
  return (loadN / n) * (1 + across + along) <= 1;
}

/** Work of the holds, its gradient and its second derivatives at a virtual rotation. */
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

/** The least work from a starting rotation; undefined if it takes more than the given steps. */
function minimise(
  values: readonly number[],
  loadX: number,
  loadY: number,
  rotation: VirtualRotation,
  widening: number,
  maxSteps: number,
): number | undefined {
  measureWork(values, loadX, loadY, rotation.b, rotation.c, widening);
  for (let step = 0; step < maxSteps; step++) {
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
    for (; share > LEAST_SHARE; share /= 2) {
      measureWork(values, loadX, loadY, rotation.b + share * sb, rotation.c + share * sc, widening);
      if (work.n <= n + 0.1 * share * slope) break;
    }
    if (share <= LEAST_SHARE) return n;
    rotation.b += share * sb;
    rotation.c += share * sc;
  }
  return undefined;
}

/** {@link bearableN} of one hold alone, in closed form: its strength, reduced by the lever of the load in widths of the hold. */
export function bearableByOne(strengthN: number, [xx, xy, yy]: SecondMoments, u: number, v: number): number {
  const a = MEAN_SHAPE * (xx + LEAST_MOMENT_MM2);
  const b = MEAN_SHAPE * xy;
  const c = MEAN_SHAPE * (yy + LEAST_MOMENT_MM2);
  const lever = (c * u * u - 2 * b * u * v + a * v * v) / (a * c - b * b);
  return strengthN / Math.sqrt(1 + lever);
}
