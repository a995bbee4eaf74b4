import { type EmptyRegions, findPockets } from "../../geometry/pockets.ts";
import type { LayeredSpace, Sealing, SpaceRegion } from "./sealed-spaces.ts";

/** A space that stays sealed, whole. */
export interface LeftSealed {
  readonly sealing: Sealing;
  readonly volumeMm3: number;
  /** In its lowest layer for a cup, in its highest one for a pool. */
  readonly end: SpaceRegion;
}

/**
 * All sealed spaces of layers, the largest first, by {@link findPockets} alone, which finds cups of any scene as well: a proof that shares nothing
 * with the choice of holes. Pools are the pockets of the layers in reverse order, below a layer of air.
 */
export function sealedPockets(space: LayeredSpace): LeftSealed[] {
  const { layers, boundariesMm, pixelMm } = space;
  const last = layers.length - 1;
  const cups = findPockets(layers, boundariesMm, pixelMm).map(({ volumeMm3, lowest }): LeftSealed => ({
    sealing: "CUP",
    volumeMm3,
    end: lowest,
  }));
  const pools = findPockets(upsideDown(layers), turned(boundariesMm), pixelMm).map(
    ({ volumeMm3, lowest: { layer, region } }): LeftSealed => ({
      sealing: "POOL",
      volumeMm3,
      end: { layer: last + 1 - layer, region },
    }),
  );
  return [...cups, ...pools].toSorted((a, b) => b.volumeMm3 - a.volumeMm3);
}

/** A layer of air, then the layers from the highest to the lowest. */
function upsideDown(layers: readonly EmptyRegions[]): EmptyRegions[] {
  const air: EmptyRegions = { layer: 0, pixels: [1], isOpen: [1], links: [] };
  const turnedLayers = layers.toReversed().map(({ pixels, isOpen }, i): EmptyRegions => {
    const below = i === 0 ? undefined : layers[layers.length - i];
    const links = below ? Array.from(below.links).toReversed() : Array.from(pixels).flatMap((_, region) => [0, region]);
    return { layer: i + 1, pixels, isOpen, links };
  });
  return [air, ...turnedLayers];
}

/** The boundaries of the same layers from the top down, after a layer of air of a millimetre. */
function turned(boundariesMm: Float64Array): Float64Array {
  const top = boundariesMm[boundariesMm.length - 1];
  return Float64Array.from([
    0,
    ...Array.from(boundariesMm)
      .toReversed()
      .map((mm) => 1 + top - mm),
  ]);
}
