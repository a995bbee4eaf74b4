import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";
import { perFacetOfMesh } from "../facet-memory.ts";

export const cutMeshTask = defineTask({
  name: "cutMesh",
  load: async () => (await import("../../solid/cut/cut-mesh.ts")).cutMesh,
  // As of drilling, and both parts at once.
  memory: perFacetOfMesh(1200),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
