import { lowerBound } from "../../geometry/binary-search.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { LayerLoad } from "../../hold/layer-loads.ts";
import { TEARING_STRESS, touchAreaMm2, touchStrengthN } from "../../hold/strengths.ts";

/** A place at which a tip meets a model. */
export interface Touch {
  readonly position: Vec3;
  /** Its diameter. */
  readonly sizeMm: number;
}

/** Sums over touches of their stiffness times 1, x, y, x², x y, y², and of its square. */
type Sums = [n: number, x: number, y: number, xx: number, xy: number, yy: number, squares: number];

/**
 * The largest force on each of the touches of a model, N. The touches that hold a layer are modelled as springs under a rigid part, as stiff
 * as their areas are large, so those on the side to which the part leans out bear more, and those on the other side are pressed. A touch at
 * its strength passes the excess to others, unless all of them have to bear more. No touch bears more than the force that tears it off. The
 * press of a layer onto the film, before it is exposed, is as large as the pull: resin is squeezed out of the gap through which it is drawn
 * in. The press loads pillars along their axes.
 */
export function touchLoads(layers: readonly LayerLoad[], touches: readonly Touch[]): Float64Array {
  const ascending = touches.map((_, i) => i).sort((a, b) => touches[a].position[2] - touches[b].position[2]);
  const heights = Float64Array.from(ascending, (i) => touches[i].position[2]);
  const xs = Float64Array.from(ascending, (i) => touches[i].position[0]);
  const ys = Float64Array.from(ascending, (i) => touches[i].position[1]);
  const sizes = Float64Array.from(ascending, (i) => touches[i].sizeMm);
  const largestMm = sizes.reduce((most, size) => Math.max(most, size), 0);
  const tearingN = sizes.map((size) => TEARING_STRESS * touchAreaMm2(size));
  const strengthN = sizes.map(touchStrengthN);
  /** Relative to the largest touch, so that touches of one size are exactly equal. */
  const stiffness = sizes.map((size) => (size / largestMm) ** 2);
  const largestMm2 = (largestMm * largestMm) / 16;
  /** In the order of heights. */
  const loadsN = new Float64Array(touches.length);
  const sums: Sums = [0, 0, 0, 0, 0, 0, 0];
  let holding = 0;
  for (const { heightMm, n: pullN, x, y } of layers) {
    const end = Math.max(Math.min(1, touches.length), lowerBound(heights, heightMm));
    for (; holding < end; holding++) addTouch(sums, xs[holding], ys[holding], stiffness[holding]);
    if (pullN <= 0 || holding === 0) continue;
    const [n] = sums;
    const [middleX, middleY] = [sums[1] / n, sums[2] / n];
    // The mean of the second moments of discs.
    const touchMm2 = (sums[6] / n) * largestMm2;
    const xx = sums[3] / n - middleX * middleX + touchMm2;
    const xy = sums[4] / n - middleX * middleY;
    const yy = sums[5] / n - middleY * middleY + touchMm2;
    const determinant = xx * yy - xy * xy;
    const [u, v] = [x - middleX, y - middleY];
    const b = (yy * u - xy * v) / determinant;
    const c = (xx * v - xy * u) / determinant;
    raiseLoads(loadsN, { holding, xs, ys, stiffness, strengthN, tearingN }, { pullN, n, middleX, middleY, b, c });
  }
  const ofTouch = new Float64Array(touches.length);
  for (const [i, touch] of ascending.entries()) ofTouch[touch] = loadsN[i];
  return ofTouch;
}

/** The touches that hold a layer are the first `holding` of these, in the order of heights. */
interface HoldingTouches {
  readonly holding: number;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly stiffness: Float64Array;
  readonly strengthN: Float64Array;
  readonly tearingN: Float64Array;
}

/** The pull of a layer on touches of the stiffness `n` together, around their middle, and how it leans to both sides. */
interface LayerPull {
  readonly pullN: number;
  readonly n: number;
  readonly middleX: number;
  readonly middleY: number;
  readonly b: number;
  readonly c: number;
}

/** Raises the loads of touches to those of a layer. A function of its own, which engines compile to a tenth of the time of the same loop in {@link touchLoads}. */
function raiseLoads(
  loadsN: Float64Array,
  { holding, xs, ys, stiffness, strengthN, tearingN }: HoldingTouches,
  { pullN, n, middleX, middleY, b, c }: LayerPull,
): void {
  for (let i = 0; i < holding; i++) {
    const share = (stiffness[i] * (1 + b * (xs[i] - middleX) + c * (ys[i] - middleY))) / n;
    const forceN = Math.abs(pullN * share);
    // Most layers pull less than one before.
    if (forceN <= loadsN[i]) continue;
    const borneN = Math.min(tearingN[i], Math.max(strengthN[i], (stiffness[i] * pullN) / n));
    loadsN[i] = Math.max(loadsN[i], Math.min(borneN, forceN));
  }
}

/** {@link touchLoads} of those touches that supports reach; 0 for the others. */
export function reachedTouchLoads(
  layers: readonly LayerLoad[],
  touches: readonly Touch[],
  reaches: readonly (object | undefined)[],
): Float64Array {
  const loadsN = touchLoads(
    layers,
    touches.filter((_, i) => reaches[i]),
  );
  let reached = 0;
  return Float64Array.from(reaches, (how) => (how ? loadsN[reached++] : 0));
}

function addTouch(sums: Sums, x: number, y: number, stiffness: number): void {
  sums[0] += stiffness;
  sums[1] += stiffness * x;
  sums[2] += stiffness * y;
  sums[3] += stiffness * x * x;
  sums[4] += stiffness * x * y;
  sums[5] += stiffness * y * y;
  sums[6] += stiffness * stiffness;
}
