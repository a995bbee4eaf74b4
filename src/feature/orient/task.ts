import { perFacetOfMesh } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

export const orientModelTask = defineTask({
  name: "orientModel",
  load: async () => (await import("../../orient/orient-model.ts")).orientModel,
  memory: perFacetOfMesh(200),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
