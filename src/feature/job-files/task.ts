import { wholeArrays } from "../../core/typed-arrays.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phase, phaseOfItems } from "../../worker/task.ts";

/** Shares of the progress at which the steps of an inspection end. */
const SHARES = { read: 0.02, examined: 0.97 };

/** A layer of 11520 × 5120 pixels with 150,000 runs takes 9 MiB with its spans and regions; a dithered one, several times as much. */
const LAYER_BYTES = 32 * 2 ** 20;

/** Share of a chunk of layers in the time that all bytes of a file take. */
const CHUNK_OF_FILE = 0.1;

export const readJobHeadTask = defineTask({
  name: "readJobHead",
  load: async () => (await import("./read-job.ts")).readJobHead,
  memory: "small",
  progress: phase(0, SHARES.read),
  repeatable: true,
  transfer: "copy",
  expectedMs: () => 10,
});

export const examineJobLayersTask = defineTask({
  name: "examineJobLayers",
  load: async () => (await import("./examine-layers.ts")).examineLayers,
  memory: () => LAYER_BYTES,
  progress: phaseOfItems(SHARES.read, SHARES.examined),
  repeatable: true,
  transfer: "copy",
  expectedMs: (bytes) => CHUNK_OF_FILE * bySize(bytes),
});

/** Bytes of the field of each coarse pixel, and of what a walk marks beside it. */
const FIELD_BYTES = 10;
const WALK_BYTES = 2;

/** It continues on the field of its input. */
export const walkJobOverhangsTask = defineTask({
  name: "walkJobOverhangs",
  load: async () => (await import("./walk-overhangs.ts")).walkOverhangs,
  memory: ({ grid, field }) => (field ? WALK_BYTES : FIELD_BYTES + WALK_BYTES) * grid.columns * grid.rows,
  progress: phase(SHARES.read, SHARES.read),
  repeatable: false,
  transfer: "copy",
  expectedMs: bySize,
});

export const concludeJobLayersTask = defineTask({
  name: "concludeJobLayers",
  load: async () => (await import("./conclude-layers.ts")).concludeLayers,
  memory: "small",
  progress: phase(SHARES.examined, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

/** A picture of 15120 × 6230 pixels that is transposed. */
const PICTURE_BYTES = 100 * 2 ** 20;

export const drawJobLayersTask = defineTask({
  name: "drawJobLayers",
  load: async () => (await import("./draw-layers.ts")).drawLayers,
  memory: ({ turn }) => LAYER_BYTES + (turn.transposed ? PICTURE_BYTES : 0),
  progress: phaseOfItems(SHARES.read, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: (bytes) => CHUNK_OF_FILE * bySize(bytes),
});

/** A picture of one layer for a page, which waits for it. */
export const drawJobPictureTask = defineTask({
  name: "drawJobPicture",
  load: async () => (await import("./draw-picture.ts")).drawPicture,
  memory: () => LAYER_BYTES,
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: () => 50,
});

/** Of a picture with other pixels, or one that is transposed, the sums and pixels of both. */
export const convertJobLayersTask = defineTask({
  name: "convertJobLayers",
  load: async () => (await import("./convert-layers.ts")).convertLayers,
  memory: () => LAYER_BYTES + PICTURE_BYTES,
  progress: phaseOfItems(SHARES.read, 1),
  repeatable: true,
  transfer: ({ encoded }) => wholeArrays(encoded).map(({ buffer }) => buffer),
  expectedMs: (bytes) => CHUNK_OF_FILE * bySize(bytes),
});

export const scaleThumbnailsTask = defineTask({
  name: "scaleThumbnails",
  load: async () => (await import("./scale-thumbnails.ts")).scaleThumbnails,
  memory: "small",
  progress: phase(0, SHARES.read),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const compareJobLayersTask = defineTask({
  name: "compareJobLayers",
  load: async () => (await import("./compare-layers.ts")).compareLayers,
  memory: () => 2 * LAYER_BYTES,
  progress: phaseOfItems(SHARES.read, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: (bytes) => CHUNK_OF_FILE * bySize(bytes),
});
