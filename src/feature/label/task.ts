import { perFacetOfMesh } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

export const labelMeshTask = defineTask({
  name: "labelMesh",
  load: async () => (await import("../../solid/label/label-mesh.ts")).labelMesh,
  memory: perFacetOfMesh(1100),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
