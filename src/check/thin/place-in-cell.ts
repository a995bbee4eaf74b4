import { add, cross, dot, exactLength, subtract, times, unit, type Vec3 } from "../../core/geometry.ts";
import type { FacetTree } from "../../mesh/bvh/facet-tree.ts";
import type { NearestPoint } from "../../mesh/bvh/nearest-point.ts";
import { windingNumber } from "../../mesh/bvh/winding-number.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { largestBall } from "./largest-ball.ts";

/** A surface that bounds a solid, and its facets in a tree. */
export interface Bounded {
  readonly surface: Surface;
  readonly tree: FacetTree;
}

/** A place inside a solid. */
export interface PlaceInCell {
  readonly place: Vec3;
  /** A place of the surface, on whose ball of this depth the surface does not reach in. */
  readonly foot: Vec3;
  /** From the foot to the place, of length 1. */
  readonly inward: Vec3;
  readonly depthMm: number;
}

/** A foot is moved off the edges of its facet by this share of a cell, but at most by this share of the way to its middle. */
const OFF_EDGE = 0.1;
const MOST_OF_WAY = 0.3;

/** A place inside a cell's share of the solid lies no deeper than this share of a cell below the surface. */
const MOST_DEPTH = 0.5;

/** What stands off a facet as its normal does, within 3°, is before or behind the facet itself and not beyond its edge. */
const ALONG_NORMAL = 0.9985;

/**
 * The middle of a cell where it lies inside the solid, else a place below the facet that is nearest to it. `isFull`: all
 * about the middle is solid. Undefined where the nearest facet has no area.
 */
export function placeInCell(
  { surface, tree }: Bounded,
  middle: Vec3,
  nearest: NearestPoint,
  isFull: boolean,
  cellMm: number,
): PlaceInCell | undefined {
  const { point, facet, distanceMm } = nearest;
  const corners = cornersOf(surface, facet);
  const normal = cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0]));
  const size = exactLength(normal);
  const away = subtract(middle, point);
  const rise = size === 0 ? 0 : dot(normal, away) / size;
  const isBeside = Math.abs(rise) < ALONG_NORMAL * distanceMm;
  const isInside = isFull || (isBeside || rise === 0 ? windingNumber(tree, middle) > 0 : rise < 0);
  if (isInside && distanceMm > 0) return { place: middle, foot: point, inward: unit(away), depthMm: distanceMm };
  if (size === 0) return undefined;
  const toMiddle = subtract(times(corners.reduce(add), 1 / 3), point);
  const way = exactLength(toMiddle);
  const share = way === 0 ? 0 : Math.min(MOST_OF_WAY, (OFF_EDGE * cellMm) / way);
  const foot = add(point, times(toMiddle, share));
  const inward = times(normal, -1 / size);
  const depthMm = largestBall(tree, foot, inward, MOST_DEPTH * cellMm).radiusMm;
  return { place: add(foot, times(inward, depthMm)), foot, inward, depthMm };
}

const cornersOf = ({ vertices, triangles }: Surface, facet: number): Vec3[] =>
  [0, 1, 2].map((corner): Vec3 => {
    const at = 3 * triangles[3 * facet + corner];
    return [vertices[at], vertices[at + 1], vertices[at + 2]];
  });
