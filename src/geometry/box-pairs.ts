import type { Progress } from "../core/progress.ts";

/**
 * The pairs of boxes that are at most `reachMm` apart along each axis, found by sweep and prune along x (D. Baraff,
 * "Dynamic Simulation of Non-Penetrating Rigid Bodies", 1992, section 2.3). `boxes` holds the least and the greatest x,
 * y, z of each box; a pair is two indices, in the order of the sweep.
 */
export function* nearbyBoxPairs(
  boxes: Float64Array,
  reachMm: number,
  progress: Progress,
): Generator<readonly [number, number]> {
  const order = Array.from({ length: boxes.length / 6 }, (_, box) => box);
  order.sort((a, b) => boxes[6 * a] - boxes[6 * b]);
  let active: number[] = [];
  for (const [i, box] of order.entries()) {
    progress.report(i / order.length);
    active = active.filter((other) => boxes[6 * other + 3] + reachMm >= boxes[6 * box]);
    for (const other of active) {
      if (
        !areApart(boxes, 6 * other + 1, 6 * box + 1, reachMm) &&
        !areApart(boxes, 6 * other + 2, 6 * box + 2, reachMm)
      ) {
        yield [other, box];
      }
    }
    active.push(box);
  }
}

/** Whether two boxes are more than `reachMm` apart along the axis of the coordinates at a and b. */
const areApart = (boxes: Float64Array, a: number, b: number, reachMm: number): boolean =>
  boxes[a + 3] + reachMm < boxes[b] || boxes[b + 3] + reachMm < boxes[a];
