/**
 * Three corners of each facet of the sides that lead from level to level, from the top down: each loop of vertices to the
 * same one below.
 */
export function sidesOf(levels: readonly (readonly (readonly number[])[])[]): number[] {
  const facets: number[] = [];
  levels.slice(1).forEach((loops, level) => {
    loops.forEach((below, k) => addSides(levels[level][k], below, facets));
  });
  return facets;
}

/** A wall from each side of a loop down to the same one below. */
function addSides(above: readonly number[], below: readonly number[], facets: number[]): void {
  for (let i = 0; i < above.length; i++) {
    const next = (i + 1) % above.length;
    facets.push(above[next], above[i], below[i], above[next], below[i], below[next]);
  }
}
