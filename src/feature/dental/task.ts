import { perFacetOfMesh } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

export const makeDentalModelTask = defineTask({
  name: "makeDentalModel",
  load: async () => (await import("../../solid/dental/dental-model.ts")).dentalModel,
  memory: perFacetOfMesh(800),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
