import type { Progress } from "../core/progress.ts";
import { rasteriseChunk } from "./rasterise-chunk.ts";
import { type StackRequest, prepareStack } from "./stack.ts";

/** Whether every pixel of all layers is 0. Returns at the first lit pixel. */
export function leavesNoPixel(request: StackRequest, progress: Progress): boolean {
  const stack = prepareStack(request, progress.part(0, 0.5));
  const drawing = progress.part(0.5, 1);
  for (let chunk = 0; chunk < stack.chunkCount; chunk++) {
    const poll = (): void => drawing.report(chunk / stack.chunkCount);
    for (const { runs } of rasteriseChunk(stack, chunk, poll)) {
      if (runs.rowStarts[runs.height] > 0) return false;
    }
  }
  return true;
}
