import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phaseOfItems } from "../../worker/task.ts";

/** Share of the progress of a plan at which all shapes are known. */
export const SHAPES = 0.3;

/** Cells and edges of the parts that are tried at once, bytes: measured with 160 arches of 130 edges at 16 turns. */
const FILL_BYTES = 64 * 2 ** 20;
/** Time of a try for one of the parts, ms. */
const TRY_MS = 0.3;

export const readPlanShapesTask = defineTask({
  name: "readPlanShapes",
  load: async () => (await import("./read-plan-shapes.ts")).readPlanShapes,
  memory: "file",
  progress: phaseOfItems(0, SHAPES),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const fillPlateTask = defineTask({
  name: "fillPlate",
  load: async () => (await import("../../plan/fill-plate.ts")).fillPlate,
  memory: () => FILL_BYTES,
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: (bytes) => TRY_MS + bytes * 1e-3,
});

export const readPlanSolidTask = defineTask({
  name: "readPlanSolid",
  load: async () => (await import("./read-plan-solid.ts")).readPlanSolid,
  memory: "file",
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
