import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phase, phaseOfItems } from "../../worker/task.ts";

/** Shares of the progress at which the steps of a cage end: `stoppedOpening`, `packCage`, `finishCage`. */
const SHARES = { measured: 0.2, packed: 0.8 };

export const stoppedOpeningTask = defineTask({
  name: "stoppedOpening",
  load: async () => (await import("../../solid/cage/passage.ts")).stoppedOpeningMm,
  memory: "small",
  progress: phaseOfItems(0, SHARES.measured),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const packCageTask = defineTask({
  name: "packCage",
  load: async () => (await import("./pack-cage.ts")).packCage,
  memory: async ({ request }) => (await import("../pack/packing-memory.ts")).packingBytes(request),
  progress: phaseOfItems(SHARES.measured, SHARES.packed),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const finishCageTask = defineTask({
  name: "finishCage",
  load: async () => (await import("./finish-cage.ts")).finishCage,
  memory: "small",
  progress: phase(SHARES.packed, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
