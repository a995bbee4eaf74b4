import type { Choice } from "./refine.ts";

/**
 * Choices at what they cost in all, the cheapest first, given what they cost at least. `inAll` is asked of one only once all that
 * remain may be dearer than it; it answers undefined of one that will not do.
 */
export function* cheapestFirst<C extends Choice>(
  choices: readonly C[],
  inAll: (choice: C) => number | undefined,
): Generator<C> {
  const sorted = choices.toSorted((a, b) => a.cost - b.cost);
  // The cheapest last.
  const waiting: C[] = [];
  for (const choice of sorted) {
    while (waiting.length > 0 && waiting.at(-1)!.cost <= choice.cost) yield waiting.pop()!;
    const cost = inAll(choice);
    if (cost === undefined) continue;
    const place = waiting.findIndex((other) => other.cost <= cost);
    waiting.splice(place < 0 ? waiting.length : place, 0, { ...choice, cost });
  }
  yield* waiting.toReversed();
}
