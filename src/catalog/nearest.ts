/** Longer names are compared by their beginnings: requests may hold megabytes. */
const MAX_COMPARED = 64;

/** The values, each once, by how many edits they are from `given`; those equally far keep their order. */
export function nearest(given: string, values: readonly string[]): string[] {
  const distances = new Map(values.map((value) => [value, editDistance(given.slice(0, MAX_COMPARED), value)]));
  return [...distances.keys()].sort((a, b) => distances.get(a)! - distances.get(b)!);
}

/** Levenshtein's distance: the fewest insertions, deletions and changes of a character. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
