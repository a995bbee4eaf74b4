import { lowerBound } from "../../geometry/binary-search.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { layerLoads } from "../../hold/layer-loads.ts";
import type { Sections } from "../../hold/sections.ts";
import { TEARING_STRESS, touchAreaMm2, touchStrengthN } from "../../hold/strengths.ts";

/** Sums over touches: their number, and the sums of x, y, x², x y, y². */
type Sums = [n: number, x: number, y: number, xx: number, xy: number, yy: number];

/**
 * The largest force on each of the touches of a model, N. The touches that hold a layer are modelled as equal springs under a rigid part,
 * so those on the side to which the part leans out bear more, and those on the other side are pressed. A touch at its strength passes the
 * excess to others, unless all of them have to bear more. No touch bears more than the force that tears it off. The press of a layer onto
 * the film, before it is exposed, is as large as the pull: resin is squeezed out of the gap through which it is drawn in. The press loads
 * pillars along their axes.
 */
export function touchLoads(sections: Sections, touches: readonly Vec3[], sizeMm: number): Float64Array {
  const ascending = touches.map((_, i) => i).sort((a, b) => touches[a][2] - touches[b][2]);
  const heights = Float64Array.from(ascending, (i) => touches[i][2]);
  const xs = Float64Array.from(ascending, (i) => touches[i][0]);
  const ys = Float64Array.from(ascending, (i) => touches[i][1]);
  const tearingN = TEARING_STRESS * touchAreaMm2(sizeMm);
  const strengthN = touchStrengthN(sizeMm);
  const touchMm2 = (sizeMm * sizeMm) / 16;
  /** In the order of heights. */
  const loadsN = new Float64Array(touches.length);
  const sums: Sums = [0, 0, 0, 0, 0, 0];
  let holding = 0;
  for (const { heightMm, n: pullN, x, y } of layerLoads(sections)) {
    const end = Math.max(Math.min(1, touches.length), lowerBound(heights, heightMm));
    for (; holding < end; holding++) addTouch(sums, touches[ascending[holding]]);
    if (pullN <= 0 || holding === 0) continue;
    const [n] = sums;
    const [middleX, middleY] = [sums[1] / n, sums[2] / n];
    const xx = sums[3] / n - middleX * middleX + touchMm2;
    const xy = sums[4] / n - middleX * middleY;
    const yy = sums[5] / n - middleY * middleY + touchMm2;
    const borneN = Math.min(tearingN, Math.max(strengthN, pullN / n));
    const determinant = xx * yy - xy * xy;
    const [u, v] = [x - middleX, y - middleY];
    const b = (yy * u - xy * v) / determinant;
    const c = (xx * v - xy * u) / determinant;
    for (let i = 0; i < holding; i++) {
      const share = (1 + b * (xs[i] - middleX) + c * (ys[i] - middleY)) / n;
      loadsN[i] = Math.max(loadsN[i], Math.min(borneN, Math.abs(pullN * share)));
    }
  }
  const ofTouch = new Float64Array(touches.length);
  for (const [i, touch] of ascending.entries()) ofTouch[touch] = loadsN[i];
  return ofTouch;
}

function addTouch(sums: Sums, [x, y]: Vec3): void {
  sums[0] += 1;
  sums[1] += x;
  sums[2] += y;
  sums[3] += x * x;
  sums[4] += x * y;
  sums[5] += y * y;
}
