import { crossing, normal } from "../../core/normal-distribution.ts";

/** How wide walls are drawn that edges, moved inwards, would leave too thin. */
export interface KeptWidths {
  /** Walls of at least this width are left as they are drawn with moved edges. */
  readonly thickMm: number;
  /** The width to draw, mm, for the widths of walls at equal steps from 0 to `thickMm`. */
  readonly widthsMm: Float64Array;
}

const STEPS = 64;
/** Engines differ in the last bits of exponentials. */
const PER_MM = 2 ** 30;
/** Blurs beyond which the light of the far edge of a wall is complete: 0.1 % are missing. */
const FAR_BLURS = 3;

/**
 * Widths to draw walls with whose edges print `growthMm` beyond their places. At its edges a thin wall lacks light from beyond its other edge: it
 * needs more than a thick one. The light is blurred by a Gauss function of the standard deviation `blurMm`; the least dose that cures
 * follows from it and the growth of an edge. No wall is widened. Without the blur, or if edges grow by more than three times as much, walls keep up to `pixelMm`.
 */
export function keptWidths(growthMm: number, blurMm: number | undefined, pixelMm: number): KeptWidths {
  const isKnown = blurMm !== undefined && growthMm <= FAR_BLURS * blurMm;
  const thickMm = isKnown ? growthMm + FAR_BLURS * blurMm : 2 * growthMm + pixelMm;
  const widthOf = (wallMm: number): number =>
    isKnown ? litWidth(wallMm, growthMm, blurMm) : Math.max(wallMm - 2 * growthMm, pixelMm);
  const widthsMm = Float64Array.from({ length: STEPS + 1 }, (_, step) => {
    const wallMm = (thickMm * step) / STEPS;
    return Math.round(PER_MM * Math.min(wallMm, widthOf(wallMm))) / PER_MM;
  });
  return { thickMm, widthsMm };
}

/** The width of the light by which a wall cures in its own width. */
function litWidth(wallMm: number, growthMm: number, blurMm: number): number {
  const least = normal(-growthMm / blurMm);
  const missing = (litMm: number): number =>
    least - normal((wallMm + litMm) / 2 / blurMm) + normal((wallMm - litMm) / 2 / blurMm);
  return crossing(missing, 0, wallMm + 8 * blurMm);
}

/** The width to draw for a wall, interpolated. */
export function keptWidth({ thickMm, widthsMm }: KeptWidths, wallMm: number): number {
  const at = (STEPS * wallMm) / thickMm;
  const below = Math.floor(at);
  if (below >= STEPS) return widthsMm[STEPS];
  return widthsMm[below] + (at - below) * (widthsMm[below + 1] - widthsMm[below]);
}
