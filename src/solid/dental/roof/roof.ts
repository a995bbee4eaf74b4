import type { Region } from "../../../mesh/boolean/region/region.ts";
import type { FacetTree } from "../../../mesh/bvh/facet-tree.ts";
import { distanceTo } from "../../../mesh/bvh/nearest-point.ts";

/** The heights to which the columns over a region are hollow, at the corners of a grid. */
export interface Roof {
  readonly leftMm: number;
  readonly frontMm: number;
  readonly stepMm: number;
  readonly columns: number;
  readonly rows: number;
  /** Row by row from the front; NaN away from the region. */
  readonly heightsMm: Float64Array;
}

export interface RoofRequest {
  /** What may be hollow at the bottom. */
  readonly region: Region;
  readonly bottomMm: number;
  readonly topMm: number;
  /** The outside of the solid but for its bottom. */
  readonly tree: FacetTree;
  readonly shellMm: number;
}

/** A column ends where it is so near the shell, in steps. */
const ENDS_WITHIN = 0.02;
/** How far a search looks beyond the shell, in steps. */
const LOOK = 16;

/**
 * The height to which a column is hollow: up from the bottom for as long as the outside is as far away as the shell is thick,
 * by no more than what it is farther, so that nothing is passed over. Source: sphere tracing, J. C. Hart (1996).
 */
export function risenAt(x: number, y: number, request: RoofRequest, stepMm: number): number {
  const { bottomMm, topMm, tree, shellMm } = request;
  let z = bottomMm;
  while (z < topMm) {
    const farther = distanceTo(tree, [x, y, z], shellMm + LOOK * stepMm) - shellMm;
    if (farther < ENDS_WITHIN * stepMm) break;
    z += farther;
  }
  return z;
}

/** The least height of the corners of the square that a place lies in; NaN where one is not known. */
export function leastHeightAt(
  { leftMm, frontMm, stepMm, columns, rows, heightsMm }: Roof,
  x: number,
  y: number,
): number {
  const column = Math.floor((x - leftMm) / stepMm);
  const row = Math.floor((y - frontMm) / stepMm);
  if (column < 0 || row < 0 || column + 1 >= columns || row + 1 >= rows) return NaN;
  const at = row * columns + column;
  return Math.min(heightsMm[at], heightsMm[at + 1], heightsMm[at + columns], heightsMm[at + columns + 1]);
}
