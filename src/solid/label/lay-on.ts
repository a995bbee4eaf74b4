import { operationFailed } from "../../core/fault.ts";
import type { Chart, ChartPlace } from "./chart.ts";
import { WAY_OUT } from "./way-out.ts";

/** So many times as large as in the plane letters are at least, on the surface and at their tops or floors. */
const LEAST_GROWTH = 0.4;
const LEAST_GROWTH_BESIDE = 0.1;

/**
 * Lays places of the plane on a surface, for letters that reach from it to some offsets. Throws OPERATION_FAILED, naming
 * the letter, where one finds no surface, or one so curved that the letter would be crushed or would fold.
 */
export function layOn(
  chart: Chart,
  offsetsMm: readonly number[],
  letterAt: (x: number) => string,
): (x: number, y: number) => ChartPlace {
  return (x, y) => {
    const found = chart.at(x, y);
    const refuse = (why: string) => operationFailed(`at ${letterAt(x)} the surface ${why}`);
    if (!found) throw refuse(`ends or has a sharp edge: ${WAY_OUT}`);
    if (found.growth(0) < LEAST_GROWTH) throw refuse(`bends too much: ${WAY_OUT}`);
    if (offsetsMm.some((mm) => found.growth(mm) < LEAST_GROWTH_BESIDE))
      throw refuse("bends too much for this depth: choose another place or a smaller depth_mm.");
    return found;
  };
}
