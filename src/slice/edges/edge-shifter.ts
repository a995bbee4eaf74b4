import { getOrInsert } from "../../core/memoize.ts";
import { type KeptWidths, keptWidths } from "./kept-widths.ts";
import type { LayerOutlines } from "../cut-layers.ts";
import { addSmallLoops, joinLoops, newLoops } from "../outline-loops.ts";
import { faceShares } from "./face-shares.ts";
import { type Segments, appendSegments, newSegments } from "../outline-segments.ts";
import { addShiftedLoops } from "./shifted-loops.ts";
import type { EdgeShifts } from "../stack.ts";
import { ThinWalls } from "./thin-walls.ts";

/** Memory that is reused from layer to layer. */
const scratch = { loops: newLoops(), walls: new ThinWalls(), shifted: newSegments(), shares: new Float64Array() };

/** The outlines of a layer with moved edges, which the next layer of the thread overwrites; the same ones if they are not moved. */
export type EdgeShifter = (layer: LayerOutlines) => Segments;

/**
 * Moves the edges of each model by itself. Those of infills stay: they do not join end to end. Thin walls and small bodies are kept by models
 * of their own: that of model m is m + `modelCount`. `pixelMm`: size of a pixel across and down.
 */
export function newEdgeShifter(
  { shiftsMm, blurMm, slopeShares }: EdgeShifts,
  modelCount: number,
  pixelMm: readonly [number, number],
): EdgeShifter {
  const kept = new Map<number, KeptWidths>();
  return ({ index, segments, meshSegments = segments.count, faces }) => {
    const shiftMm = shiftsMm[index];
    if (shiftMm === 0) return segments;
    const { loops, walls, shifted } = scratch;
    shifted.count = 0;
    const shares = faces && slopeShares && faceShares(segments, faces, pixelMm, slopeShares, scratch.shares);
    if (shares) scratch.shares = shares;
    joinLoops(segments, meshSegments, pixelMm, loops, shares);
    addShiftedLoops(loops, shiftMm, pixelMm, shifted);
    if (shiftMm < 0) {
      const widths = getOrInsert(kept, shiftMm, () => keptWidths(-shiftMm, blurMm, Math.max(...pixelMm)));
      // Light of small bodies lacks from all sides: they stay as they are.
      addSmallLoops(loops, widths.thickMm, modelCount, pixelMm, shifted);
      walls.addStrips(loops, widths, modelCount, pixelMm, shifted);
    }
    appendSegments(segments, meshSegments, shifted);
    return shifted;
  };
}
