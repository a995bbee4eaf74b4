import type { Watch } from "../../../core/watch.ts";
import type { Standing } from "../part.ts";
import { LEAST_SPACING_MM } from "../settle.ts";
import { slide } from "../slide.ts";
import type { NestingRequest } from "./nesting.ts";

const ROUNDS = 3;

/** Parts that stand apart, each pushed to the front edge and to the left as far as it goes: the foremost first, over and over. */
export function tightened(
  standing: readonly Standing[],
  { floor, spacingMm, obstacles }: Pick<NestingRequest, "floor" | "spacingMm" | "obstacles">,
  watch: Watch,
): Standing[] {
  const all = [...standing];
  const foreEdge = ({ part, y }: Standing): number => y + part.box.minY;
  for (let round = 0; round < ROUNDS; round++) {
    const order = [...all.keys()].sort((a, b) => foreEdge(all[a]) - foreEdge(all[b]) || a - b);
    for (const [count, i] of order.entries()) {
      watch.report((round + count / order.length) / ROUNDS);
      const { part } = all[i];
      const around = {
        floor,
        spacingMm: Math.max(spacingMm, LEAST_SPACING_MM),
        standing: [...all.toSpliced(i, 1), ...obstacles],
      };
      const front = slide(part, all[i], [0, -1], around);
      all[i] = { part, ...slide(part, front, [-1, 0], around, [0, -1]) };
    }
  }
  return all;
}
