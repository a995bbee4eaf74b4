import type { CostedDirection } from "./refine-direction.ts";

/**
 * Yields choices by their total cost, the cheapest first, given lower bounds `cost`. `totalCost` is expensive: it is
 * called for a choice only when no other can be cheaper than its bound; it returns undefined for a choice that is not
 * acceptable.
 */
export function* cheapestFirst<C extends CostedDirection>(
  choices: readonly C[],
  totalCost: (choice: C) => number | undefined,
): Generator<C> {
  const sorted = choices.toSorted((a, b) => a.cost - b.cost);
  // By total cost, the cheapest last.
  const pending: C[] = [];
  for (const choice of sorted) {
    for (let next = pending.at(-1); next && next.cost <= choice.cost; next = pending.at(-1)) {
      pending.pop();
      yield next;
    }
    const cost = totalCost(choice);
    if (cost === undefined) continue;
    const index = pending.findIndex((other) => other.cost <= cost);
    pending.splice(index < 0 ? pending.length : index, 0, { ...choice, cost });
  }
  yield* pending.toReversed();
}
