import { type Rectangle, boundingRectangle } from "../geometry/box.ts";
import { cosSin } from "../geometry/vector.ts";
import { type LayoutPart, rotatePart } from "./part.ts";

/** Length by which a part exceeds a rectangle, in the rotation in which it fits best. */
export interface Excess {
  readonly byMm: number;
  readonly widthMm: number;
  readonly depthMm: number;
}

/** Rotations tested first; the best are refined between their neighbours. */
const STEP_DEG = 1;
/** Halvings of a step: to 1e-5 degrees, 1 µm of a part of 10 m. */
const HALVINGS = 18;
/** A part that exceeds the bounds by less may fit: sines are rounded to single precision. */
const DOUBT_MM = 1e-3;

/**
 * By how much a part exceeds the bounds of a floor; undefined if it fits. Rotations about z are tried if allowed (`turns`); rounded
 * corners of the floor are ignored.
 */
export function excessOf(part: LayoutPart, turns: boolean, bounds: Rectangle): Excess | undefined {
  const { hull } = rotatePart(part, 0);
  const at = (degrees: number): Excess => excessAt(hull, degrees, bounds);
  let best = at(0);
  const keep = (found: Excess): Excess => (found.byMm < best.byMm ? (best = found) : found);
  for (let degrees = 0; degrees < (turns ? 180 : 0); degrees += STEP_DEG) {
    const here = keep(at(degrees));
    if (here.byMm > at(degrees - STEP_DEG).byMm || here.byMm > at(degrees + STEP_DEG).byMm) continue;
    let [middle, least] = [degrees, here.byMm];
    for (let half = STEP_DEG / 2, i = 0; i < HALVINGS; half /= 2, i++) {
      for (const next of [middle - half, middle + half]) {
        const found = keep(at(next));
        if (found.byMm < least) [middle, least] = [next, found.byMm];
      }
    }
  }
  return best.byMm > DOUBT_MM ? best : undefined;
}

function excessAt(hull: Float64Array, degrees: number, { minX, minY, maxX, maxY }: Rectangle): Excess {
  const [cos, sin] = cosSin((degrees * Math.PI) / 180);
  const turned = new Float64Array(hull.length);
  for (let i = 0; i < hull.length; i += 2) {
    turned[i] = cos * hull[i] - sin * hull[i + 1];
    turned[i + 1] = sin * hull[i] + cos * hull[i + 1];
  }
  const box = boundingRectangle([turned]);
  const [widthMm, depthMm] = [box.maxX - box.minX, box.maxY - box.minY];
  return { byMm: Math.max(widthMm - (maxX - minX), depthMm - (maxY - minY)), widthMm, depthMm };
}
