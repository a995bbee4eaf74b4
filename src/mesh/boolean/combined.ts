import type { Manifold } from "manifold-3d";

/** What `combine` makes of the solids that are made for it alone; they are deleted, whoever asks deletes the result. */
export function combined(makers: readonly (() => Manifold)[], combine: (solids: Manifold[]) => Manifold): Manifold {
  const solids: Manifold[] = [];
  try {
    for (const make of makers) solids.push(make());
    const result = combine(solids);
    // The kernel puts its work off until the result is asked for.
    result.status();
    return result;
  } finally {
    for (const solid of solids) solid.delete();
  }
}
