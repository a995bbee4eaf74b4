import { unwatched, type Watch } from "../../../core/watch.ts";
import type { Point } from "../ring-facts.ts";
import { risenAt, type Roof, type RoofRequest } from "./roof.ts";

/** Points between a known corner and the next, from the outermost in, at which the rim is looked for. */
const BETWEEN = [0.75, 0.5, 0.25];

/** Gives heights to the corners just beyond the rim of the region, so that up to the rim nothing is higher than it may be. */
export function spreadToRim(roof: Roof, request: RoofRequest, watch: Watch): void {
  const { bottomMm } = request;
  spread(roof, watch, (near, _, from, to) => {
    for (const share of BETWEEN) {
      const [x, y] = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
      const roofMm = risenAt(x, y, request, roof.stepMm);
      // At the bottom only what lies beyond the rim ends at once.
      if (roofMm > bottomMm) return Math.min(near, Math.max(bottomMm, near + (roofMm - near) / share));
    }
    return near;
  });
}

/** Gives heights to the corners beside those: what goes on from the next two, where it does not rise. */
export const spreadOnward = (roof: Roof, bottomMm: number): void =>
  spread(roof, unwatched, (near, far) =>
    Number.isNaN(far) ? near : Math.min(near, Math.max(bottomMm, 2 * near - far)),
  );

/** To the eight corners around. */
const AROUND = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy] as const)).filter(([dx, dy]) => dx || dy);

/**
 * Gives heights to the corners beside known ones: the least that `guess` makes of any of them: of the height next to it and
 * of the one beyond that, NaN where that is not known.
 */
function spread(
  { leftMm, frontMm, stepMm, columns, rows, heightsMm }: Roof,
  watch: Watch,
  guess: (near: number, far: number, from: Point, to: Point) => number,
): void {
  const before = heightsMm.slice();
  const heightAt = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= columns || row >= rows ? NaN : before[row * columns + column];
  const placeOf = (column: number, row: number): Point => [leftMm + column * stepMm, frontMm + row * stepMm];
  for (let row = 0; row < rows; row++) {
    watch.report(row / rows);
    for (let column = 0; column < columns; column++) {
      if (!Number.isNaN(before[row * columns + column])) continue;
      let least = Infinity;
      for (const [dx, dy] of AROUND) {
        const near = heightAt(column + dx, row + dy);
        if (Number.isNaN(near)) continue;
        const far = heightAt(column + 2 * dx, row + 2 * dy);
        least = Math.min(least, guess(near, far, placeOf(column + dx, row + dy), placeOf(column, row)));
      }
      if (least < Infinity) heightsMm[row * columns + column] = least;
    }
  }
}
