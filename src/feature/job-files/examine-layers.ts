import {
  type EmptyLayer,
  type EmptyRegions,
  emptyLayer,
  emptyRegionsOf,
  packEmptyRegions,
} from "../../geometry/pockets.ts";
import type { Progress } from "../../core/progress.ts";
import { toSharedMemory } from "../../core/typed-arrays.ts";
import type { SpanLayer } from "../../geometry/spans.ts";
import { type CoarseGrid, coarsen } from "../../job/inspect/coarse-spans.ts";
import { type PixelPlace, islandsOf, placesOfRegions } from "../../job/inspect/islands.ts";
import { type LayerSums, litLayer } from "../../job/inspect/lit-spans.ts";
import { type SampledGrid, sampledSpans } from "../../job/inspect/sampled-spans.ts";
import { packSpans } from "../../slice/packed-spans.ts";
import type { JobCheck } from "./job-checks.ts";
import { withJobFile } from "./read-job.ts";

/** Light, of 255, from which a pixel bounds a cup: half, as in `check/cups.ts`. */
const HALF_LIT = 128;

/** Islands of a chunk that are listed; all are counted. */
const MAX_LISTED = 100;

export interface ExamineRequest {
  readonly file: string;
  /** Number of layers of the whole job. */
  readonly layerCount: number;
  /** The layers that are examined: from `first` to before `end`. */
  readonly first: number;
  readonly end: number;
  readonly checks: readonly JobCheck[];
  /** For cups: the samples whose connected regions are found. */
  readonly sampled?: SampledGrid | undefined;
  /** For overhangs: the grid on which their distances are computed. */
  readonly coarse?: CoarseGrid | undefined;
}

/** What a chunk of layers holds. Large arrays are in shared memory. */
export interface ExaminedLayers {
  readonly first: number;
  readonly sums: readonly LayerSums[];
  readonly islandCount: number;
  /** The lowest ones. */
  readonly islands: readonly PixelPlace[];
  /** The connected regions of the dark samples (`geometry/pockets.ts`), for cups. */
  readonly empty?: Uint32Array;
  /** For each of these regions, from the lowest layer up, the column and the row of a sample. */
  readonly emptyPlaces?: Uint32Array;
  /** The lit pixels on the coarse grid (`slice/packed-spans.ts`), for overhangs. */
  readonly coarse?: Uint32Array;
}

/** Decodes and examines a chunk of layers, and decodes the layer below it. */
export function examineLayers(request: ExamineRequest, progress: Progress): Promise<ExaminedLayers> {
  const { file, layerCount, first, end, checks, sampled, coarse } = request;
  const findsIslands = checks.includes("ISLANDS");
  return withJobFile(file, layerCount, async (job) => {
    const sums: LayerSums[] = [];
    const islands: PixelPlace[] = [];
    const empties: EmptyRegions[] = [];
    const emptyPlaces: number[] = [];
    const coarseLayers: SpanLayer[] = [];
    let islandCount = 0;
    let below: SpanLayer | undefined;
    let emptyBelow: EmptyLayer | undefined;
    for (let index = findsIslands || sampled ? Math.max(0, first - 1) : first; index < end; index++) {
      progress.report((index - first) / (end - first));
      const runs = await job.layer(index);
      const lit = litLayer(runs, index);
      const empty = sampled && emptyLayer(sampledSpans(runs, index, sampled, HALF_LIT), sampled.columns.length);
      if (index >= first) {
        sums.push(lit.sums);
        if (coarse) coarseLayers.push(coarsen(lit.spans, coarse));
        const found = findsIslands && below ? islandsOf(lit.spans, below) : [];
        islandCount += found.length;
        islands.push(...found.slice(0, MAX_LISTED - islands.length));
        if (empty) {
          empties.push(...emptyRegionsOf([empty], sampled.columns.length, emptyBelow));
          for (const { column, row } of placesOfRegions(empty.empty, empty.regions)) emptyPlaces.push(column, row);
        }
      }
      [below, emptyBelow] = [lit.spans, empty];
    }
    return {
      first,
      sums,
      islandCount,
      islands,
      ...(sampled && {
        empty: packEmptyRegions(empties),
        emptyPlaces: toSharedMemory(Uint32Array.from(emptyPlaces)),
      }),
      ...(coarse && { coarse: packSpans(coarseLayers) }),
    };
  });
}
