import { test } from "node:test";
import fc from "fast-check";
import { addSharesBelow, shareBelow } from "../../../src/orient/cost/below.ts";
import { assertNear } from "../../fixture/workshop.ts";

const SLABS = 6;
const SLAB_MM = 0.5;
const STEPS = 2000;

/** The mean share in a slab, by the midpoint rule. */
function meanShare(low: number, mid: number, high: number, slab: number): number {
  let sum = 0;
  for (let i = 0; i < STEPS; i++) sum += shareBelow(low, mid, high, (slab + (i + 0.5) / STEPS) * SLAB_MM);
  return sum / STEPS;
}

/** Corners anywhere, and at the ends of slabs, so that sides are level. */
const height = fc.oneof(
  fc.double({ min: 0, max: SLABS * SLAB_MM, noNaN: true }),
  fc.integer({ min: 0, max: SLABS }).map((slab) => slab * SLAB_MM),
);

test("slabs gain the mean share of a triangle that lies below, whatever its corners", () => {
  fc.assert(
    fc.property(fc.tuple(height, height, height), fc.boolean(), (corners, isRounded) => {
      const [low, mid, high] = corners.sort((a, b) => a - b);
      fc.pre(high - low > 1e-3);
      const first = Math.floor(low / SLAB_MM);
      // Rounding may take a corner at the start of a slab for one at the end of that before.
      const from = isRounded && first > 0 && low === first * SLAB_MM ? first - 1 : first;
      const sums = new Float64Array(SLABS);
      addSharesBelow(sums, 3, low, mid, high, from, SLABS - 1, SLAB_MM);
      sums.forEach((sum, slab) => assertNear(sum, 3 * meanShare(low, mid, high, slab), 3e-3, `slab ${slab}`));
    }),
    { examples: [[[0.5, 0.5, 1.5], true]] },
  );
});
