import type { Progress } from "../../core/progress.ts";
import { countDifferences } from "../../job/inspect/compare-runs.ts";
import { withJobFile } from "./read-job.ts";

export interface LayersToCompare {
  readonly file: string;
  readonly otherFile: string;
  /** Number of layers of each of the jobs. */
  readonly layerCounts: readonly [number, number];
  readonly first: number;
  readonly end: number;
}

/** The pixels of each layer of a chunk that differ, and the largest difference of values. */
export interface ComparedLayers {
  readonly first: number;
  readonly pixels: readonly number[];
  readonly largest: number;
}

/** Compares a chunk of the layers of two jobs of the same size, pixel by pixel as they are in the files. */
export const compareLayers = (request: LayersToCompare, progress: Progress): Promise<ComparedLayers> =>
  withJobFile(request.file, request.layerCounts[0], (job) =>
    withJobFile(request.otherFile, request.layerCounts[1], async (other) => {
      const { first, end } = request;
      const pixels: number[] = [];
      let largest = 0;
      for (let layer = first; layer < end; layer++) {
        progress.report((layer - first) / (end - first));
        const found = countDifferences(await job.layer(layer), await other.layer(layer));
        pixels.push(found.pixels);
        largest = Math.max(largest, found.largest);
      }
      return { first, pixels, largest };
    }),
  );
