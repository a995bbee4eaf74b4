import { boxOf, boxSize } from "../geometry/box.ts";
import { type Vec3, distance, exactLength, lerp } from "../geometry/vector.ts";
import { type Surface, cornersOf } from "../mesh/mesh.ts";

/** Of the longest facet of a surface. */
const MOST_STEPS = 128;
const LEAST_CELL_MM = 0.5;

/** How far apart points over the facets of a surface are, mm: few enough for the longest of them, and for a small part as near as edges are told apart. */
export const facetCellMm = ({ vertices }: Pick<Surface, "vertices">): number =>
  Math.max(LEAST_CELL_MM, exactLength(boxSize(boxOf(vertices))) / MOST_STEPS);

/** Points all over a facet, its corners among them, at most `cellMm` from one to the next. */
export function facetPoints(surface: Surface, facet: number, cellMm: number): Vec3[] {
  const [a, b, c] = cornersOf(surface, facet);
  const steps = Math.max(1, Math.ceil(Math.max(distance(a, b), distance(b, c), distance(c, a)) / cellMm));
  return Array.from({ length: steps + 1 }, (_, i) => {
    const [from, to] = [lerp(a, b, i / steps), lerp(a, c, i / steps)];
    return Array.from({ length: i + 1 }, (_, j) => lerp(from, to, i === 0 ? 0 : j / i));
  }).flat();
}
