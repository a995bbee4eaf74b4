import { add, cross, dot, exactLength, subtract, times, unit, type Vec3 } from "../../core/geometry.ts";
import type { FacetTree } from "../../mesh/bvh/facet-tree.ts";
import type { NearestPoint } from "../../mesh/bvh/nearest-point.ts";
import { windingNumber } from "../../mesh/bvh/winding-number.ts";
import type { Surface } from "../../mesh/mesh.ts";

/** A surface that bounds a solid, and its facets in a tree. */
export interface Bounded {
  readonly surface: Surface;
  readonly tree: FacetTree;
}

/** The place of a solid's surface from which a cell is looked at. */
export interface Foot {
  readonly foot: Vec3;
  /** From the foot into the solid, of length 1. */
  readonly inward: Vec3;
  /** From the foot to the middle of the cell, where that lies inside: no surface is nearer to it. */
  readonly depthMm?: number;
}

/** A foot is moved off the edges of its facet by this share of a cell, but at most by this share of the way to its middle. */
const OFF_EDGE = 0.1;
const MOST_OF_WAY = 0.3;

/** What stands off a facet as its normal does, within 3°, is before or behind the facet itself and not beyond its edge. */
const ALONG_NORMAL = 0.9985;

/**
 * The place of the surface nearest to the middle of a cell where that lies inside the solid, else one close by on the same
 * facet. `isFull`: all about the middle is solid. Undefined where the nearest facet has no area.
 */
export function footOf(
  { surface, tree }: Bounded,
  middle: Vec3,
  { point, facet, distanceMm }: NearestPoint,
  isFull: boolean,
  cellMm: number,
): Foot | undefined {
  const [a, b, c] = [cornerOf(surface, facet, 0), cornerOf(surface, facet, 1), cornerOf(surface, facet, 2)];
  const normal = cross(subtract(b, a), subtract(c, a));
  const size = exactLength(normal);
  const away = subtract(middle, point);
  const rise = size === 0 ? 0 : dot(normal, away) / size;
  const isBeside = Math.abs(rise) < ALONG_NORMAL * distanceMm;
  const isInside = isFull || (isBeside || rise === 0 ? windingNumber(tree, middle) > 0 : rise < 0);
  if (isInside && distanceMm > 0) return { foot: point, inward: unit(away), depthMm: distanceMm };
  if (size === 0) return undefined;
  const toMiddle = subtract(times(add(add(a, b), c), 1 / 3), point);
  const way = exactLength(toMiddle);
  const share = way === 0 ? 0 : Math.min(MOST_OF_WAY, (OFF_EDGE * cellMm) / way);
  return { foot: add(point, times(toMiddle, share)), inward: times(normal, -1 / size) };
}

function cornerOf({ vertices, triangles }: Surface, facet: number, corner: 0 | 1 | 2): Vec3 {
  const at = 3 * triangles[3 * facet + corner];
  return [vertices[at], vertices[at + 1], vertices[at + 2]];
}
