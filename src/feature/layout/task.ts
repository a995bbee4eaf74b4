import { perFacetOfMesh } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phase, phaseOfItems } from "../../worker/task.ts";

/** Share of the progress of a layout at which all silhouettes are known. */
const SILHOUETTES = 0.2;

export const computeSilhouetteTask = defineTask({
  name: "computeSilhouette",
  load: async () => (await import("./layout.ts")).computeSilhouette,
  memory: perFacetOfMesh(70),
  progress: phaseOfItems(0, SILHOUETTES),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const layOutTask = defineTask({
  name: "layOut",
  load: async () => (await import("./layout.ts")).layOut,
  memory: "small",
  progress: phase(SILHOUETTES, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const fillFloorTask = defineTask({
  name: "fillFloor",
  load: async () => (await import("./layout.ts")).fillPlatform,
  memory: "small",
  progress: phase(SILHOUETTES, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
