import { mapConcurrent } from "../core/map-concurrent.ts";
import type { Task } from "../worker/task.ts";
import type { Compute } from "../worker/compute.ts";

/** Work that a request divides into equal tasks. */
export interface Chunks<Input> {
  /** Number of chunks. It depends on the input of the request alone, as does the result of each: the result is the same on any number of threads. */
  readonly count: number;
  readonly inputOf: (chunk: number) => Input;
  /** Estimated processor time of all chunks, ms, from counts such as facets and layers. It decides how many threads share the work. */
  readonly workMs: number;
}

/** Yields the results of a task for each chunk in their order; only a few of them are in memory at once. */
export const computeChunks = <Input, Output>(
  task: Task<Input, Output>,
  { count, inputOf, workMs }: Chunks<Input>,
  { compute, tasksAtOnce }: Compute,
): AsyncGenerator<Output> =>
  mapConcurrent(
    count,
    (chunk) => compute(task, inputOf(chunk)),
    (chunksLeft, running) => tasksAtOnce(task, (workMs * chunksLeft) / count, running),
  );

/**
 * The results of the first chunks, which another task reads: it stops once they take more than `maxBytes`. That task computes the other
 * chunks itself.
 */
export async function firstChunks<Input>(
  task: Task<Input, Uint32Array>,
  chunks: Chunks<Input>,
  context: Compute,
  maxBytes: number,
): Promise<Uint32Array[]> {
  const first: Uint32Array[] = [];
  let bytes = 0;
  for await (const result of computeChunks(task, chunks, context)) {
    first.push(result);
    bytes += result.byteLength;
    if (bytes > maxBytes) break;
  }
  return first;
}
