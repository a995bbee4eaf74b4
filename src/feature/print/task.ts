import { triangleCount } from "../../mesh/mesh.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

/** A part alone and its file, and the union of a part with its supports. */
const BYTES_PER_FACET = { alone: 100, united: 950 };

export const closedModelTask = defineTask({
  name: "closedModel",
  load: async () => (await import("./closed-model.ts")).closedModel,
  memory: ({ part, supports }) =>
    supports
      ? BYTES_PER_FACET.united * (triangleCount(part.mesh) + triangleCount(supports.mesh))
      : BYTES_PER_FACET.alone * triangleCount(part.mesh),
  progress: "items",
  repeatable: true,
  transfer: ({ stl }) => [stl.buffer],
  expectedMs: bySize,
});

export const checkConvertedJobTask = defineTask({
  name: "checkConvertedJob",
  load: async () => (await import("./check-converted-job.ts")).checkConvertedJob,
  memory: "small",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
