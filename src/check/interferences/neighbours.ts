import { operationFailed } from "../../core/fault.ts";
import type { Watch } from "../../core/watch.ts";

/** More pairs are not looked at: their list alone would be 80 MB. */
const MOST_PAIRS = 1_000_000;
/** The work is dealt out in so many shares, so that every thread has some to the end. */
const SHARES = 32;

/**
 * Pairs of models whose boxes lie within `reachMm` of each other, dealt out in shares. `boxes` holds least x, y, z and
 * greatest x, y, z of each model, mm. A pair is two numbers, the smaller one first. Throws OPERATION_FAILED for more pairs
 * than anybody would read.
 * Source of the sweep: D. Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies" (1992), section 2.3.
 */
export function neighbours(boxes: Float64Array, reachMm: number, watch: Watch): Uint32Array[] {
  const order = Array.from({ length: boxes.length / 6 }, (_, model) => model);
  order.sort((a, b) => boxes[6 * a] - boxes[6 * b]);
  const pairs: number[] = [];
  let near: number[] = [];
  for (const [i, model] of order.entries()) {
    watch.report(i / order.length);
    near = near.filter((other) => boxes[6 * other + 3] + reachMm >= boxes[6 * model]);
    for (const other of near) {
      if (areNear(boxes, 6 * model, 6 * other, reachMm)) pairs.push(Math.min(model, other), Math.max(model, other));
    }
    if (pairs.length > 2 * MOST_PAIRS) throw tooMany();
    near.push(model);
  }
  const size = 2 * Math.ceil(pairs.length / 2 / SHARES);
  return Array.from({ length: Math.ceil(pairs.length / size) || 0 }, (_, share) =>
    Uint32Array.from(pairs.slice(size * share, size * (share + 1))),
  );
}

const areNear = (boxes: Float64Array, a: number, b: number, reachMm: number): boolean =>
  boxes[a + 1] - boxes[b + 4] <= reachMm &&
  boxes[b + 1] - boxes[a + 4] <= reachMm &&
  boxes[a + 2] - boxes[b + 5] <= reachMm &&
  boxes[b + 2] - boxes[a + 5] <= reachMm;

const tooMany = (): Error =>
  operationFailed(
    `More than ${MOST_PAIRS} pairs of models stand box in box: lay the models out, or check fewer at a time with model_ids.`,
  );
