import { exactLength, subtract, type Vec3 } from "../../../core/geometry.ts";
import type { Watch } from "../../../core/watch.ts";
import { isSelfIntersecting } from "../../bvh/crossing-facets.ts";
import { type FacetTree, facetTree } from "../../bvh/facet-tree.ts";
import { facetNormal } from "../facet-normal.ts";
import { treesCross } from "../trees-cross.ts";
import { fairFill } from "./fair-fill.ts";
import { goesOnCurved } from "./goes-on-curved.ts";
import { refineFill } from "./refine-fill.ts";
import type { Facet, Surroundings } from "./surroundings.ts";

/** A smaller loop is as small as the facets about it. */
const FEWEST_CORNERS = 6;
/** Larger ones stay flat, and no fill gets many more vertices: it would take seconds. */
const MOST_CORNERS = 2000;
const MOST_ADDED = 4000;

export interface CurvedFill {
  /** Of the vertices that come after those of the loop. */
  readonly added: readonly Vec3[];
  readonly facets: readonly Facet[];
}

/** Whether a loop of so many corners can be one of a curved hole. */
export const mayBeCurved = (corners: number): boolean => corners >= FEWEST_CORNERS && corners <= MOST_CORNERS;

/**
 * The fill of a hole in a curved surface, made of its flat fill, as fine as what is around it and bent as that is; undefined
 * where the flat one will do, or the curved one would cross itself or the surface.
 */
export function curvedFill(
  around: Surroundings,
  fill: readonly Facet[],
  isTaken: (i: number, j: number) => boolean,
  surfaceTree: () => FacetTree,
  watch: Watch,
): CurvedFill | undefined {
  const { corners: n, inner } = around;
  if (!goesOnCurved(around, fill)) return undefined;
  const places = [...around.places];
  const first = places.length;
  const isTakenBy = (a: number, b: number): boolean => a < n && b < n && isTaken(a, b);
  const refined = refineFill(places, sizesFor(around, fill), fill, isTakenBy);
  if (places.length === first) return undefined;
  const bent = fairFill(places, [...refined, ...inner], n, first, watch);
  const rounded = bent.map((place): Vec3 => [Math.fround(place[0]), Math.fround(place[1]), Math.fround(place[2])]);
  if (crosses(rounded, refined, surfaceTree(), watch.part(1, 1))) return undefined;
  const numberOf = (v: number): number => (v < n ? v : v - first + n);
  const facets = refined.map(([a, b, c]): Facet => [numberOf(a), numberOf(b), numberOf(c)]);
  return { added: rounded.slice(first), facets };
}

/** The mean length of the edges at each corner of the loop; larger, where so fine a fill would have too many vertices. */
function sizesFor({ places, inner, corners: n }: Surroundings, fill: readonly Facet[]): number[] {
  const sums = places.map(() => 0);
  const counts = places.map(() => 0);
  for (const facet of inner) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [facet[k]!, facet[(k + 1) % 3]!];
      const size = exactLength(subtract(places[a]!, places[b]!));
      for (const v of [a, b]) {
        sums[v]! += size;
        counts[v]!++;
      }
    }
  }
  const sizes = sums.map((sum, v) => (v < n ? sum / counts[v]! : 0));
  const mean = sizes.reduce((sum, size) => sum + size, 0) / n;
  const area = fill.reduce(
    (sum, [a, b, c]) => sum + exactLength(facetNormal(places[a]!, places[b]!, places[c]!)) / 2,
    0,
  );
  const coarsening = Math.max(1, Math.sqrt(area / (MOST_ADDED * mean * mean)));
  return sizes.map((size) => coarsening * size);
}

function crosses(places: readonly Vec3[], facets: readonly Facet[], all: FacetTree, watch: Watch): boolean {
  const surface = { vertices: Float64Array.from(places.flat()), triangles: Uint32Array.from(facets.flat()) };
  const tree = facetTree(surface, watch);
  return isSelfIntersecting(tree, watch) || treesCross(tree, all, () => true, watch);
}
