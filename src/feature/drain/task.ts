import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";
import { boxSize } from "../../geometry/box.ts";
import { triangleCount } from "../../mesh/mesh.ts";

/** As of drilling. */
const BYTES_PER_FACET = 800;
/** Spans of a row of a layer, before and after drilling: about six of 12 bytes in hollow parts. */
const BYTES_PER_ROW = 150;
/** The least pixel of the layers, mm. */
const PIXEL_MM = 0.1;

export const drainModelTask = defineTask({
  name: "drainModel",
  load: async () => (await import("./drain-model.ts")).drainModel,
  memory: ({ group: { bodies, gridBox, boundariesMm } }) =>
    BYTES_PER_FACET * bodies.reduce((sum, { placed }) => sum + triangleCount(placed.mesh), 0) +
    BYTES_PER_ROW * boundariesMm.length * (boxSize(gridBox)[1] / PIXEL_MM),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
