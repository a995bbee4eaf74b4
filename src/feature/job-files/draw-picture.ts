import type { Progress } from "../../core/progress.ts";
import { encodePngLayer } from "../../job/encode-png-layer.ts";
import { croppedRuns } from "../../job/fit/cropped-runs.ts";
import { type Panel, fittedRuns } from "../../job/fit/fitted-runs.ts";
import { type Turn, turnedRuns } from "../../job/fit/turned-runs.ts";
import { withJobFile } from "./read-job.ts";

export interface PictureRequest {
  readonly file: string;
  /** Number of layers of the whole job. */
  readonly layerCount: number;
  readonly layer: number;
  readonly turn: Turn;
  /** Size of the pixels of the file, in any unit: only their ratio counts. */
  readonly pixelSize: readonly [across: number, down: number];
  /** Longest side of the picture. */
  readonly maxPixels: number;
  /** A point of the picture in the file, of whose surroundings a close-up is drawn, pixel by pixel. */
  readonly closeUp?: readonly [column: number, row: number] | undefined;
}

/** Draws a layer of a job as a PNG file. Each pixel has the mean of those of the file that it covers, at least one. */
export const drawPicture = (request: PictureRequest, progress: Progress): Promise<Uint8Array<ArrayBuffer>> =>
  withJobFile(request.file, request.layerCount, async (job) => {
    progress.report(0);
    const panel = { pixels: job.pixels, pixelMm: request.pixelSize };
    const layer = await job.layer(request.layer);
    const runs = request.closeUp
      ? croppedRuns(layer, request.closeUp, closeUpSize(request))
      : fittedRuns(layer, panel, smallerPanel(panel, request.maxPixels)).runs;
    return encodePngLayer(turnedRuns(runs, request.turn)).slice() as Uint8Array<ArrayBuffer>;
  });

/** A panel of the same size with square pixels, at most `maxPixels` along each side, and no more than the panel has. */
function smallerPanel({ pixels: [columns, rows], pixelMm: [across, down] }: Panel, maxPixels: number): Panel {
  const pixel = Math.max(columns * across, rows * down) / maxPixels;
  const countOf = (count: number, size: number): number =>
    Math.min(count, Math.max(1, Math.round((count * size) / pixel)));
  const pixels = [countOf(columns, across), countOf(rows, down)] as const;
  return { pixels, pixelMm: [(columns * across) / pixels[0], (rows * down) / pixels[1]] };
}

/** Columns and rows of a square of the machine, along whose longer side there are `maxPixels`. */
function closeUpSize({
  pixelSize: [across, down],
  maxPixels,
}: PictureRequest): readonly [columns: number, rows: number] {
  const longest = Math.max(across, down);
  return [Math.ceil((maxPixels * down) / longest), Math.ceil((maxPixels * across) / longest)];
}
