import { wholeArrays } from "../../core/typed-arrays.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phase } from "../../worker/task.ts";

/** Share of the progress at which the pictures of a plate are drawn. */
const PICTURES = 0.1;
/** A fit of a whole plate. */
const FIT_MS = 200;

export const platePicturesTask = defineTask({
  name: "platePictures",
  load: async () => (await import("../../calibrate/plate-pictures.ts")).platePictures,
  memory: "small",
  progress: phase(0, PICTURES),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const plateLayersTask = defineTask({
  name: "plateLayers",
  load: async () => (await import("./plate-layers.ts")).plateLayers,
  memory: "small",
  progress: phase(PICTURES, 1),
  repeatable: true,
  transfer: ({ encoded }) => wholeArrays(encoded).map(({ buffer }) => buffer),
  expectedMs: bySize,
});

export const fitPlateTask = defineTask({
  name: "fitPlate",
  load: async () => (await import("../../calibrate/resin-of-plate.ts")).resinOfPlate,
  memory: "small",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: () => FIT_MS,
});
