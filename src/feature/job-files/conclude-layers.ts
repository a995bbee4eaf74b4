import { MIN_CUP_MM3 } from "../../check/cups.ts";
import { MAX_PARTS, newPlaceFinder } from "../../check/finding-place.ts";
import { type EmptyRegions, findPockets, unpackEmptyRegions } from "../../geometry/pockets.ts";
import { must } from "../../core/must.ts";
import type { Progress } from "../../core/progress.ts";
import { upperBound } from "../../geometry/binary-search.ts";
import type { CoarseGrid } from "../../job/inspect/coarse-spans.ts";
import type { SampledGrid } from "../../job/inspect/sampled-spans.ts";

/** Unsupported pixels nearer to each other than this are one place, as in `check/supportedness.ts`. */
const PLACE_CELL_MM = 0.5;

/** What is known of all layers of a job, by chunks from the lowest up. */
export interface LayersToConclude {
  readonly boundariesMm: Float64Array;
  readonly pixelMm: readonly [acrossMm: number, downMm: number];
  readonly cups?: { readonly grid: SampledGrid; readonly chunks: readonly EmptyChunk[] } | undefined;
  readonly overhangs?: { readonly grid: CoarseGrid; readonly listed: readonly Uint32Array[] } | undefined;
}

/** The dark regions of a chunk, as `ExaminedLayers` has them. */
export interface EmptyChunk {
  readonly empty: Uint32Array;
  readonly emptyPlaces: Uint32Array;
}

/** A place in the pictures of a job: the layer, and a point in pixels from the top left. */
export interface JobPlace {
  readonly layer: number;
  readonly column: number;
  readonly row: number;
  /** mm³ of a cup, mm² of an overhang. */
  readonly size: number;
}

export interface ConcludedLayers {
  /** The largest first. */
  readonly cups: readonly JobPlace[];
  /** The largest clusters of unsupported pixels, the largest first. */
  readonly overhangs: readonly JobPlace[];
}

/** Joins the findings of chunks of layers to those of the job. */
export function concludeLayers(layers: LayersToConclude, progress: Progress): ConcludedLayers {
  return { cups: cupsOf(layers, progress), overhangs: overhangsOf(layers, progress) };
}

function cupsOf({ boundariesMm, cups }: LayersToConclude, progress: Progress): JobPlace[] {
  if (!cups) return [];
  const { grid, chunks } = cups;
  function* regions(): Generator<EmptyRegions> {
    for (const { empty } of chunks) {
      for (const layer of unpackEmptyRegions(empty)) {
        progress.report(layer.layer / boundariesMm.length);
        yield layer;
      }
    }
  }
  const pockets = findPockets(regions(), boundariesMm, Math.sqrt(grid.sampleMm2));
  const large = pockets
    .filter(({ volumeMm3 }) => volumeMm3 >= MIN_CUP_MM3)
    .toSorted((a, b) => b.volumeMm3 - a.volumeMm3 || a.widest.layer - b.widest.layer);
  const sampleOf = samplesOfRegions(chunks, new Set(large.map(({ widest }) => keyOf(widest))));
  return large.map(({ volumeMm3, widest }) => {
    const [column, row] = must(sampleOf.get(keyOf(widest)), "A sample of a cup");
    const [across, down] = [grid.columns[column] ?? 0, grid.rows[row] ?? 0];
    return { layer: widest.layer, column: across + 0.5, row: down + 0.5, size: volumeMm3 };
  });
}

const keyOf = ({ layer, region }: { readonly layer: number; readonly region: number }): string => `${layer} ${region}`;

/** A sample of each of these regions. */
function samplesOfRegions(
  chunks: readonly EmptyChunk[],
  wanted: ReadonlySet<string>,
): Map<string, readonly [column: number, row: number]> {
  const found = new Map<string, readonly [number, number]>();
  for (const { empty, emptyPlaces } of chunks) {
    let at = 0;
    for (const { layer, pixels } of unpackEmptyRegions(empty)) {
      for (let region = 0; region < pixels.length; region++, at += 2) {
        const key = keyOf({ layer, region });
        if (wanted.has(key)) found.set(key, [emptyPlaces[at] ?? 0, emptyPlaces[at + 1] ?? 0]);
      }
    }
  }
  return found;
}

function overhangsOf({ boundariesMm, pixelMm, overhangs }: LayersToConclude, progress: Progress): JobPlace[] {
  if (!overhangs) return [];
  const { columns, pixelMm: coarseMm } = overhangs.grid;
  const finder = newPlaceFinder(PLACE_CELL_MM);
  for (const listed of overhangs.listed) {
    progress.report(1);
    for (let i = 0; i < listed.length; i += 2) {
      const [layer, pixel] = [listed[i] ?? 0, listed[i + 1] ?? 0];
      const row = Math.floor(pixel / columns);
      // The grid has an empty pixel on each side.
      const [across, down] = [(pixel - row * columns - 0.5) * coarseMm, (row - 0.5) * coarseMm];
      finder.add(across, down, boundariesMm[layer] ?? 0, coarseMm * coarseMm);
    }
  }
  return finder
    .parts()
    .slice(0, MAX_PARTS)
    .map(({ point: [across, down, heightMm], size }) => ({
      layer: upperBound(boundariesMm, heightMm) - 1,
      column: across / pixelMm[0],
      row: down / pixelMm[1],
      size,
    }));
}
