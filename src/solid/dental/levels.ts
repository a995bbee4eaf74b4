import type { Watch } from "../../core/watch.ts";
import { cornerCount, type Ring } from "../../mesh/boolean/region/region.ts";
import { isSelfIntersecting } from "../../mesh/bvh/crossing-facets.ts";
import { facetTree } from "../../mesh/bvh/facet-tree.ts";
import { sidesOf } from "./sides.ts";
import { lengthOf, smoothedRing } from "./smoothed-ring.ts";

/** The outlines of a base at one height: those of the cut, corner for corner, each moved. */
export interface Level {
  readonly zMm: number;
  readonly rings: readonly Ring[];
}

/**
 * How far the sides are smoothed at the bottom. Teeth and the gums between them come every 5 to 9 mm around an arch: of such
 * waves a fifth is left at most, of the arch itself nothing is lost.
 */
const SIGMA_MM = 3;
/** A small outline is smoothed less: its own form must stay. */
const SIGMA_PER_LENGTH = 1 / 24;
/** From level to level outlines become smoother, so that none passes through another on the way. */
const LEVEL_MM = 0.5;
const MOST_LEVELS = 12;
/**
 * Where smoothed sides pass through each other, they are tried with a third of the levels, for the sides of a narrow cleft
 * may meet on a level and pass each other by between two; then smoothed half as far, and so on; then upright.
 */
const COARSER = [1, 3];
const HALVINGS = 4;

/** The levels below the cut, from the top down; of upright sides there is one. */
export function levelsBelow(
  contours: readonly Ring[],
  heightMm: number,
  extrudeMm: number,
  isSmoothed: boolean,
  watch: Watch,
): readonly Level[] {
  if (extrudeMm === 0) return [];
  const upright = [{ zMm: heightMm - extrudeMm, rings: contours }];
  if (!isSmoothed) return upright;
  const tries = Array.from({ length: HALVINGS }, (_, halving) =>
    COARSER.map((coarser) => ({ sigmaMm: SIGMA_MM / 2 ** halving, coarser })),
  ).flat();
  for (const [number, { sigmaMm, coarser }] of tries.entries()) {
    const levels = smoothedLevels(contours, heightMm, extrudeMm, sigmaMm, coarser);
    const part = watch.part(number / tries.length, (number + 1) / tries.length);
    if (!sidesCross([{ zMm: heightMm, rings: contours }, ...levels], part)) return levels;
  }
  return upright;
}

function smoothedLevels(
  contours: readonly Ring[],
  heightMm: number,
  extrudeMm: number,
  sigmaMm: number,
  coarser: number,
): Level[] {
  const count = Math.ceil(Math.min(MOST_LEVELS, extrudeMm / LEVEL_MM) / coarser);
  const sigmas = contours.map((ring) => Math.min(sigmaMm, lengthOf(ring) * SIGMA_PER_LENGTH));
  return Array.from({ length: count }, (_, i) => {
    const share = (i + 1) / count;
    // The variance of a blur grows evenly with its time.
    const rings = contours.map((ring, k) => smoothedRing(ring, sigmas[k] * Math.sqrt(share)));
    return { zMm: heightMm - extrudeMm * share, rings };
  });
}

/** Whether the sides from level to level pass through each other: where outlines do at a level, or on the way to the next. */
function sidesCross(levels: readonly Level[], watch: Watch): boolean {
  let next = 0;
  const loops = levels.map(({ rings }) => rings.map((ring) => Array.from({ length: cornerCount(ring) }, () => next++)));
  const vertices = Float64Array.from(levels.flatMap(({ zMm, rings }) => placesOf(rings, zMm)));
  const tree = facetTree({ vertices, triangles: Uint32Array.from(sidesOf(loops)) }, watch.part(0, 0.5));
  return isSelfIntersecting(tree, watch.part(0.5, 1));
}

/** x, y, z of the corners of rings at a height. */
export const placesOf = (rings: readonly Ring[], zMm: number): number[] =>
  rings.flatMap((ring) =>
    Array.from({ length: cornerCount(ring) }, (_, i) => [ring[2 * i], ring[2 * i + 1], zMm]).flat(),
  );
