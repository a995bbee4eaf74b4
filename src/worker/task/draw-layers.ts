import type { Watch } from "../../core/watch.ts";
import type { LayerRuns } from "../../format/job/layer-runs.ts";
import { JOB_WRITERS, type JobFormat } from "../../format/job/job-writers.ts";
import { drawChunk } from "../../slice/draw-chunk.ts";
import { layerCountOf, type Stack } from "../../slice/stack.ts";
import { PREPARED } from "./prepare-stack.ts";

export interface DrawRequest {
  readonly stack: Stack;
  readonly chunk: number;
  /** The job that the layers are encoded for; absent where only their measures are wanted. */
  readonly format?: JobFormat;
}

/** The layers of one chunk, from the lowest up. */
export interface DrawnLayers {
  /** Number of the lowest, counting from the platform. */
  readonly first: number;
  readonly areasMm2: readonly number[];
  readonly perimetersMm: readonly number[];
  /** As the job's writer takes them; empty where none was asked for. */
  readonly encoded: readonly unknown[];
}

/** Draws one chunk of a stack. The progress told is that of the whole stack: chunks are drawn about in their order. */
export function drawLayers({ stack, chunk, format }: DrawRequest, watch: Watch): DrawnLayers {
  const drawing = watch.part(PREPARED, 1);
  const encode: ((runs: LayerRuns) => unknown) | undefined = format && JOB_WRITERS[format].encodeLayer;
  const areasMm2: number[] = [];
  const perimetersMm: number[] = [];
  const encoded: unknown[] = [];
  let done = chunk * stack.chunkSize;
  const poll = (): void => drawing.report(done / layerCountOf(stack));
  for (const { index, areaMm2, perimeterMm, runs } of drawChunk(stack, chunk, poll)) {
    done = index;
    poll();
    areasMm2.push(areaMm2);
    perimetersMm.push(perimeterMm);
    if (encode) encoded.push(encode(runs));
  }
  return { first: chunk * stack.chunkSize, areasMm2, perimetersMm, encoded };
}
