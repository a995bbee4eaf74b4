import type { Watch } from "../../core/watch.ts";
import { areaOf, type Ring } from "../../mesh/boolean/region/region.ts";
import { united } from "../../mesh/boolean/region/united.ts";
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
/** Where smoothed outlines meet, less is tried so often, then none. */
const TRIES = 4;
/** Outlines that do not meet keep their area when they are united, but for what clipping straightens. */
const KEPT_SHARE = 1e-3;

/** The levels below the cut, from the top down; of upright sides there is one. */
export async function levelsBelow(
  contours: readonly Ring[],
  heightMm: number,
  extrudeMm: number,
  isSmoothed: boolean,
  watch: Watch,
): Promise<Level[]> {
  if (extrudeMm === 0) return [];
  const upright = [{ zMm: heightMm - extrudeMm, rings: contours }];
  if (!isSmoothed) return upright;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const levels = smoothedLevels(contours, heightMm, extrudeMm, SIGMA_MM / 2 ** attempt);
    if (await areAllSimple(levels, watch)) return levels;
  }
  return upright;
}

function smoothedLevels(contours: readonly Ring[], heightMm: number, extrudeMm: number, sigmaMm: number): Level[] {
  const count = Math.min(MOST_LEVELS, Math.ceil(extrudeMm / LEVEL_MM));
  const sigmas = contours.map((ring) => Math.min(sigmaMm, lengthOf(ring) * SIGMA_PER_LENGTH));
  return Array.from({ length: count }, (_, i) => {
    const share = (i + 1) / count;
    // The variance of a blur grows evenly with its time.
    const rings = contours.map((ring, k) => smoothedRing(ring, sigmas[k] * Math.sqrt(share)));
    return { zMm: heightMm - extrudeMm * share, rings };
  });
}

async function areAllSimple(levels: readonly Level[], watch: Watch): Promise<boolean> {
  for (const [number, { rings }] of levels.entries()) {
    watch.report(number / levels.length);
    const areaMm2 = areaOf(rings);
    const apart = await united(rings);
    if (apart.length !== rings.length || Math.abs(areaOf(apart) - areaMm2) > KEPT_SHARE * areaMm2) return false;
  }
  return true;
}
