import { add, times, type Vec3 } from "../../core/geometry.ts";
import type { FacetTree } from "../../mesh/bvh/facet-tree.ts";
import type { Foot } from "./foot-of.ts";
import { largestBall } from "./largest-ball.ts";

/** A place that stands for a cell whose middle is not solid lies no deeper than this share of a cell below the surface. */
const MOST_DEPTH_CELLS = 0.5;

/** The place of a solid that stands for a cell: its middle, or one over its foot of which no surface is nearer than that. */
export const placeOver = (tree: FacetTree, { foot, inward, depthMm }: Foot, cellMm: number): Vec3 =>
  add(foot, times(inward, depthMm ?? largestBall(tree, foot, inward, MOST_DEPTH_CELLS * cellMm).radiusMm));
