import type { Progress } from "../core/progress.ts";
import type { Box } from "../geometry/box.ts";
import { buildBvh } from "../mesh/bvh/bvh.ts";
import { windingField } from "../mesh/bvh/fast-winding-number.ts";
import { intersectingPairs } from "../mesh/bvh/self-intersections.ts";
import { float32SpacingMm } from "../mesh/measure.ts";
import { type Mesh, triangleCount } from "../mesh/mesh.ts";
import { cutSelfIntersections } from "./arrangement/cut-self-intersections.ts";
import { regionAround } from "./intersection-region.ts";
import { type CutSurface, resolveLocally, TOLERANCE_GROWTH, UNCUTTABLE } from "./resolve-locally.ts";

/** Initial weld tolerance, as a multiple of the single-precision spacing at the largest coordinate. It is above rounding errors. */
const TOLERANCE_STEPS = 8;
/** The weld tolerance of a round of cutting. The first round is 0. */
export const weldToleranceMm = (box: Box, round: number): number =>
  TOLERANCE_STEPS * float32SpacingMm(box) * TOLERANCE_GROWTH ** round;

/** A surface with more intersections is rarely a damaged solid. */
export const MAX_PAIRS = 20_000;

/** If a greater share of the facets is near intersections, cutting the whole mesh is as fast. */
const MAX_REGION_SHARE = 0.5;

/**
 * Shares of the progress at which the hierarchy is built, intersections are found, the region around them is known, and a cut of this
 * region ends. Estimates.
 */
const SHARES = { indexed: 0.15, searched: 0.28, surrounded: 0.29, prepared: 0.3, cutLocally: 0.8 };

/**
 * Cuts a closed mesh along its self-intersections and removes what is inside: bodies that overlap become one. Vertices of cuts are
 * welded within `toleranceMm`; if the result intersects itself again, the tolerance grows up to `maxToleranceMm`. Returns the same
 * object if there are no intersections; undefined if there are more than `maxPairs` or cutting fails.
 */
export function resolveSelfIntersections(
  mesh: Mesh,
  toleranceMm: number,
  maxToleranceMm: number,
  progress: Progress,
  maxPairs = MAX_PAIRS,
): CutSurface | undefined {
  const tree = buildBvh(mesh, progress.part(0, SHARES.indexed));
  const pairs = intersectingPairs(tree, progress.part(SHARES.indexed, SHARES.searched), maxPairs);
  if (!pairs) return undefined;
  if (pairs.length === 0) return { surface: mesh, isIntersectionFree: true };
  const windingNumberAt = windingField(tree);
  const isNear = regionAround(mesh, pairs);
  progress.report(SHARES.surrounded);
  const nearCount = isNear.reduce((sum, one) => sum + one, 0);
  if (nearCount < MAX_REGION_SHARE * triangleCount(mesh)) {
    const crossing = { mesh, tree, windingNumberAt, pairs };
    const local = resolveLocally(
      crossing,
      isNear,
      toleranceMm,
      maxToleranceMm,
      progress.part(SHARES.prepared, SHARES.cutLocally),
    );
    if (local) return local === UNCUTTABLE ? undefined : local;
  }
  const cutting = progress.part(SHARES.prepared, 1);
  cutting.report(0);
  const surface = cutSelfIntersections(mesh, pairs, windingNumberAt, toleranceMm, maxToleranceMm, cutting);
  return surface && { surface, isIntersectionFree: false };
}
