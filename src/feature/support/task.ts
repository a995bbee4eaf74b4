import { triangleCount } from "../../mesh/mesh.ts";
import { SUPPORT_RASTER_BYTES } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

const BYTES_PER_FACET = 350;

export const supportModelTask = defineTask({
  name: "supportModel",
  load: async () => (await import("../../support/support-model.ts")).supportModel,
  memory: ({ placed }) => BYTES_PER_FACET * triangleCount(placed.mesh) + SUPPORT_RASTER_BYTES,
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const refitSupportsTask = defineTask({
  name: "refitSupports",
  load: async () => (await import("../../support/refit-supports.ts")).refitSupports,
  memory: "small",
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
