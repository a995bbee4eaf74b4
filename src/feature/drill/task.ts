import { perFacetOfMesh } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

export const drillModelTask = defineTask({
  name: "drillModel",
  load: async () => (await import("./drill-model.ts")).drillModel,
  memory: perFacetOfMesh(800),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
