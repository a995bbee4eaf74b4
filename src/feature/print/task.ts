import { triangleCount } from "../../mesh/mesh.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

/** The union of a part and its supports, and the file of that. */
const BYTES_PER_FACET = 600;

export const closedModelTask = defineTask({
  name: "closedModel",
  load: async () => (await import("./closed-model.ts")).closedModel,
  memory: ({ part, supports }) =>
    BYTES_PER_FACET * (triangleCount(part.mesh) + (supports ? triangleCount(supports.mesh) : 0)),
  progress: "items",
  repeatable: true,
  transfer: ({ stl }) => [stl.buffer],
  expectedMs: bySize,
});
