import type { BuildVolume } from "../core/geometry.ts";
import type { FacetIndex } from "./facet-index.ts";
import type { Placed } from "./placed.ts";
import { type Grid, type RasterTransform, TRANSFORM_LENGTH } from "./raster-map.ts";
import type { Solid } from "./solid.ts";

/** What is to be sliced, into which layers, on which grid. */
export interface StackRequest {
  readonly placed: readonly Placed[];
  /** Layer k reaches from entry k to entry k + 1; ascending, from 0. */
  readonly boundariesMm: Float64Array;
  readonly grid: Grid;
  /** Where something stands outside of the build volume: what is to be left of it. */
  readonly clipTo?: BuildVolume;
}

/** A solid and the facets that each chunk cuts of it: one for all copies that stand at the same height. */
export interface Part {
  readonly solid: Solid;
  readonly index: FacetIndex;
}

/**
 * A request made ready, so that any thread can draw any chunk of its layers. What grows with the number of models or
 * facets lies in shared memory.
 */
export interface Stack {
  readonly parts: readonly Part[];
  /** For each mesh placed, its part. */
  readonly partOf: Uint32Array;
  /** For each mesh placed, its {@link RasterTransform}. */
  readonly transforms: Float64Array;
  readonly grid: Grid;
  readonly clipTo?: BuildVolume;
  readonly boundariesMm: Float64Array;
  /** Layers of a chunk; the last one may have fewer. */
  readonly chunkSize: number;
  readonly chunkCount: number;
}

export const transformOf = ({ transforms }: Stack, placed: number): RasterTransform =>
  transforms.subarray(TRANSFORM_LENGTH * placed, TRANSFORM_LENGTH * (placed + 1));

export const layerCountOf = ({ boundariesMm }: Stack): number => Math.max(0, boundariesMm.length - 1);
