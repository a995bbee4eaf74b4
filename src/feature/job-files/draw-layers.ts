import type { Progress } from "../../core/progress.ts";
import { writeFileAtomically } from "../../core/write-file.ts";
import { encodePngLayer } from "../../job/encode-png-layer.ts";
import { type Turn, turnedRuns } from "../../job/fit/turned-runs.ts";
import { withJobFile } from "./read-job.ts";

export interface DrawRequest {
  readonly file: string;
  /** Number of layers of the whole job. */
  readonly layerCount: number;
  readonly turn: Turn;
  /** The layers, and the files of their pictures. */
  readonly pictures: readonly LayerPicture[];
}

export interface LayerPicture {
  readonly layer: number;
  readonly file: string;
}

/** Writes layers of a job as PNG files, each whole or not at all. Returns their paths. */
export const drawLayers = ({ file, layerCount, turn, pictures }: DrawRequest, progress: Progress): Promise<string[]> =>
  withJobFile(file, layerCount, async (job) => {
    for (const [k, picture] of pictures.entries()) {
      progress.report(k / pictures.length);
      const runs = turnedRuns(await job.layer(picture.layer), turn);
      writeFileAtomically(picture.file, [encodePngLayer(runs)]);
    }
    return pictures.map((picture) => picture.file);
  });
