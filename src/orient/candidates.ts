import type { Progress } from "../core/progress.ts";
import { roughCups } from "./cups.ts";
import type { DirectionCost } from "./refine-direction.ts";
import { type CandidateDirection, type RefinedStarts, type RoughSearch, searchRoughly } from "./rough-search.ts";

/** Number of directions that are measured exactly. */
const MAX_MEASURED = 8;

/**
 * The best directions to point up, with their exact costs without cups, the cheapest first. `made`: the result of the rough search where
 * several threads have made it.
 */
export function findCandidates(
  search: RoughSearch,
  exactCost: DirectionCost,
  progress: Progress,
  made?: RefinedStarts,
): CandidateDirection[] {
  const { starts, refined, air } = made ?? searchRoughly(search, progress.part(0, 0.7));
  const { cost: cups } = roughCups(search.shape, search.criteria, air);
  const best = starts.map((start, i): CandidateDirection => {
    if (start.isExact) return start;
    const { up, cost } = refined[i];
    const total = cost + cups(up);
    return total < start.cost ? { up, isExact: false, cost: total } : start;
  });
  const measuring = progress.part(0.7, 1);
  return best
    .toSorted((a, b) => a.cost - b.cost)
    .slice(0, MAX_MEASURED)
    .map(({ up, isExact }, i): CandidateDirection => {
      measuring.report(i / MAX_MEASURED);
      return { up, isExact, cost: exactCost(up) };
    })
    .sort((a, b) => a.cost - b.cost);
}
