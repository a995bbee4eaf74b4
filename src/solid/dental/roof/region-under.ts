import { cutOut } from "../../../mesh/boolean/region/cut-out.ts";
import type { Region, Ring } from "../../../mesh/boolean/region/region.ts";
import type { Roof } from "./roof.ts";

/** Squares reach a little beyond their sides, in steps: two that share a corner leave no upright edge of four walls there. */
const ASIDE = 0.05;

/** The region but for where the roof is lower than `leastMm`: what is left is hollow throughout to that height. */
export async function regionUnder(roof: Roof, region: Region, leastMm: number): Promise<Region> {
  const low = lowRuns(roof, leastMm);
  return low.length === 0 ? region : cutOut(region, low);
}

/** Rectangles over runs of squares with a corner that is lower; those without a known one are away from the region. */
function lowRuns({ leftMm, frontMm, stepMm, columns, rows, heightsMm }: Roof, leastMm: number): Ring[] {
  const runs: Ring[] = [];
  const isLow = (at: number): boolean =>
    [at, at + 1, at + columns, at + columns + 1].some((corner) => heightsMm[corner] < leastMm);
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns;) {
      if (!isLow(row * columns + column)) {
        column++;
        continue;
      }
      const first = column;
      while (column + 1 < columns && isLow(row * columns + column)) column++;
      const [left, right] = [leftMm + (first - ASIDE) * stepMm, leftMm + (column + ASIDE) * stepMm];
      const [front, back] = [frontMm + (row - ASIDE) * stepMm, frontMm + (row + 1 + ASIDE) * stepMm];
      runs.push(Float64Array.of(left, front, right, front, right, back, left, back));
    }
  }
  return runs;
}
