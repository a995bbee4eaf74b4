import { perFacet } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

/** Bytes per facet; also for an import that repairs. */
export const REPAIR_BYTES_PER_FACET = 200;

export const repairMeshTask = defineTask({
  name: "repairMesh",
  load: async () => (await import("../../repair/repair.ts")).repair,
  memory: perFacet(REPAIR_BYTES_PER_FACET),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
