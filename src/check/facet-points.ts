import { boxOf, boxSize } from "../geometry/box.ts";
import { type Vec3, cross, distance, exactLength, lerp, subtract } from "../geometry/vector.ts";
import { type Surface, cornersOf } from "../mesh/mesh.ts";

/** Maximum number of steps along the longest facet of a surface. */
const MOST_STEPS = 128;
const LEAST_CELL_MM = 0.5;

/**
 * Spacing of points over the facets of a surface, mm. For large parts the number of points bounds it; for small parts it is as fine as the
 * distance at which edges are separate places.
 */
export const facetCellMm = ({ vertices }: Pick<Surface, "vertices">): number =>
  Math.max(LEAST_CELL_MM, exactLength(boxSize(boxOf(vertices))) / MOST_STEPS);

/**
 * Points all over a facet, corners included, in rows parallel to its longest side, at most `cellMm` apart within and between rows. A
 * facet has as many points as its area and length need; narrow facets have few.
 */
export function facetPoints(surface: Surface, facet: number, cellMm: number): Vec3[] {
  const [apex, left, right] = fromApex(cornersOf(surface, facet));
  const baseMm = distance(left, right);
  const heightMm = exactLength(cross(subtract(left, apex), subtract(right, apex))) / baseMm;
  const rows = Math.max(1, Math.ceil(heightMm / cellMm));
  const beside = Array.from({ length: rows }, (_, i) => {
    const share = (i + 1) / rows;
    const [from, to] = [lerp(apex, left, share), lerp(apex, right, share)];
    const steps = Math.max(1, Math.ceil((share * baseMm) / cellMm));
    return Array.from({ length: steps + 1 }, (_, j) => lerp(from, to, j / steps));
  });
  return [apex, ...beside.flat()];
}

/** The corners of a triangle, beginning with the one opposite to its longest side. */
function fromApex([a, b, c]: readonly [Vec3, Vec3, Vec3]): readonly [Vec3, Vec3, Vec3] {
  const [ab, bc, ca] = [distance(a, b), distance(b, c), distance(c, a)];
  if (bc >= ab && bc >= ca) return [a, b, c];
  return ca >= ab ? [b, c, a] : [c, a, b];
}
