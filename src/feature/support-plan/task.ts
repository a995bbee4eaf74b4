import { triangleCount } from "../../mesh/mesh.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

/** Bytes of a facet in the tree of a mesh, as of the obstacles of supports. */
const TREE_BYTES_PER_FACET = 260;

export const snapPointsTask = defineTask({
  name: "snapPoints",
  load: async () => (await import("../../support/plan/snap-points.ts")).snapPoints,
  memory: "small",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const barredPointsTask = defineTask({
  name: "barredPoints",
  load: async () => (await import("../../support/plan/barred-points.ts")).barredPoints,
  memory: ({ mesh }) => TREE_BYTES_PER_FACET * triangleCount(mesh),
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
