import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";
import { triangleCount } from "../../mesh/mesh.ts";

/** As of drilling, which takes most. */
const BYTES_PER_FACET = 800;

export const ventModelTask = defineTask({
  name: "ventModel",
  load: async () => (await import("./vent-model.ts")).ventModel,
  memory: ({ group: { bodies } }) =>
    BYTES_PER_FACET * bodies.reduce((sum, { placed }) => sum + triangleCount(placed.mesh), 0),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
