/** What is searched for in the layers of a job. */
export const JOB_CHECKS = ["ISLANDS", "CUPS", "OVERHANGS", "BORDERS", "EMPTY_LAYERS"] as const;

export type JobCheck = (typeof JOB_CHECKS)[number];

/** Layers of a task: the results of a chunk depend on these alone, so that they are the same on any number of threads. */
export const LAYERS_PER_CHUNK = 32;

export const chunkCount = (layers: number): number => Math.ceil(layers / LAYERS_PER_CHUNK);

/** The layers of a chunk: from the first to before the end. */
export const layersOfChunk = (chunk: number, layers: number): readonly [first: number, end: number] => [
  chunk * LAYERS_PER_CHUNK,
  Math.min(layers, (chunk + 1) * LAYERS_PER_CHUNK),
];
