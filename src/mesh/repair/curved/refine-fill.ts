import { exactLength, subtract, type Vec3 } from "../../../core/geometry.ts";
import type { Facet } from "./surroundings.ts";

/** How much finer than the edges around: Liepa's α. */
const DENSITY = Math.SQRT2;
const MOST_ROUNDS = 24;
/** Of edges to Delaunay ones, over all facets. */
const MOST_SWEEPS = 24;

/**
 * Splits the facets of a fill at their middles and turns edges, until it is as fine as what is around it: `sizes` are the
 * mean lengths of the edges at its corners, mm. Adds the new places to `places`. Edges that `isTaken` are not made.
 * Source: P. Liepa, "Filling Holes in Meshes" (2003), after P. Pfeifle, H.-P. Seidel (1996).
 */
export function refineFill(
  places: Vec3[],
  sizes: number[],
  fill: readonly Facet[],
  isTaken: (a: number, b: number) => boolean,
): Facet[] {
  let facets = relaxed(places, fill, isTaken);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next: Facet[] = [];
    for (const facet of facets) {
      const [a, b, c] = facet;
      const mean = (values: readonly [number, number, number]): number => (values[0] + values[1] + values[2]) / 3;
      const size = mean([sizes[a]!, sizes[b]!, sizes[c]!]);
      const axis = (k: 0 | 1 | 2): number => mean([places[a]![k], places[b]![k], places[c]![k]]);
      const middle: Vec3 = [axis(0), axis(1), axis(2)];
      const isLarge = facet.every((v) => {
        const reach = DENSITY * exactLength(subtract(middle, places[v]!));
        return reach > size && reach > sizes[v]!;
      });
      if (!isLarge) {
        next.push(facet);
        continue;
      }
      const m = places.push(middle) - 1;
      sizes[m] = size;
      next.push([a, b, m], [b, c, m], [c, a, m]);
    }
    if (next.length === facets.length) break;
    facets = relaxed(places, next, isTaken);
  }
  return facets;
}

/** Turns edges about whose ends the angles opposite of them add up to more than half a turn, until there are none. */
function relaxed(places: readonly Vec3[], fill: readonly Facet[], isTaken: (a: number, b: number) => boolean): Facet[] {
  const facets = fill.map(([a, b, c]): [number, number, number] => [a, b, c]);
  const keyOf = (a: number, b: number): number => a * places.length + b;
  const sides = new Map<number, number>();
  const enter = (facet: number): void => {
    for (let k = 0; k < 3; k++) sides.set(keyOf(facets[facet]![k]!, facets[facet]![(k + 1) % 3]!), facet);
  };
  facets.forEach((_, facet) => enter(facet));
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    let isTurned = false;
    for (let facet = 0; facet < facets.length; facet++) {
      for (let k = 0; k < 3; k++) {
        const [a, b, c] = [facets[facet]![k]!, facets[facet]![(k + 1) % 3]!, facets[facet]![(k + 2) % 3]!];
        const other = sides.get(keyOf(b, a));
        if (other === undefined || a > b) continue;
        const d = facets[other]!.find((v) => v !== a && v !== b)!;
        if (sides.has(keyOf(c, d)) || sides.has(keyOf(d, c)) || isTaken(c, d)) continue;
        if (cotangent(places, c, a, b) + cotangent(places, d, a, b) >= -LEVEL) continue;
        sides.delete(keyOf(a, b));
        sides.delete(keyOf(b, a));
        facets[facet] = [c, d, b];
        facets[other] = [d, c, a];
        enter(facet);
        enter(other);
        isTurned = true;
        break;
      }
    }
    if (!isTurned) break;
  }
  return facets;
}

/** Four places on a circle, but for rounding, keep the edge that they have. */
const LEVEL = 1e-6;

/** Of the angle at `apex` between the ways to `a` and to `b`. */
export function cotangent(places: readonly Vec3[], apex: number, a: number, b: number): number {
  const [u, v] = [subtract(places[a]!, places[apex]!), subtract(places[b]!, places[apex]!)];
  const along = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const [x, y, z] = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  return along / Math.max(exactLength([x, y, z]), Number.MIN_VALUE);
}
