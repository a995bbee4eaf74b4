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

/**
 * A request made ready, so that any thread can draw any chunk of its layers. What grows with the number of models or
 * facets lies in shared memory.
 */
export interface Stack {
  /** One for each different mesh. */
  readonly solids: readonly Solid[];
  /** The solid of each model. What stands twice in the same place is one model. */
  readonly solidOf: Uint32Array;
  /** Which facets each chunk cuts; models of one solid that stand at the same height share an entry. */
  readonly index: FacetIndex;
  /** The entry of each model in the index. */
  readonly entryOf: Uint32Array;
  /** The {@link RasterTransform} of each model. */
  readonly transforms: Float64Array;
  readonly grid: Grid;
  readonly clipTo?: BuildVolume;
  readonly boundariesMm: Float64Array;
  /** Layers of a chunk; the last one may have fewer. */
  readonly chunkSize: number;
  readonly chunkCount: number;
}

export const transformOf = ({ transforms }: Stack, model: number): RasterTransform =>
  transforms.subarray(TRANSFORM_LENGTH * model, TRANSFORM_LENGTH * (model + 1));

/** The facets that a chunk cuts of a model. */
export function facetsOf({ index, entryOf, chunkCount }: Stack, model: number, chunk: number): Uint32Array {
  const at = entryOf[model] * (chunkCount + 1) + chunk;
  return index.facets.subarray(index.starts[at], index.starts[at + 1]);
}

export const layerCountOf = ({ boundariesMm }: Stack): number => Math.max(0, boundariesMm.length - 1);

/** Layers are sampled at their middle. */
export const middlesOf = (boundariesMm: Float64Array): Float64Array =>
  Float64Array.from(
    { length: Math.max(0, boundariesMm.length - 1) },
    (_, k) => (boundariesMm[k] + boundariesMm[k + 1]) / 2,
  );
