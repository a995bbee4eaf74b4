import { distance } from "../geometry/vector.ts";
import type { Weakness } from "./hold-walk.ts";

/** Weaknesses of one kind that are nearer to each other than this, mm, count as one. */
const NEAR_MM = 15;

/** The worst weakness of each kind among those near to each other, the worst first. */
export function worstWeaknesses(all: readonly Weakness[]): Weakness[] {
  const worst: Weakness[] = [];
  const ascending = all.toSorted((a, b) => a.heldShare - b.heldShare || a.point[2] - b.point[2]);
  for (const one of ascending) {
    if (worst.some((other) => other.kind === one.kind && distance(other.point, one.point) < NEAR_MM)) continue;
    worst.push(one);
  }
  return worst;
}
