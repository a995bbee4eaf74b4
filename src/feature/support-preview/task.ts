import { triangleCount } from "../../mesh/mesh.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phase } from "../../worker/task.ts";
import { SUPPORT_RASTER_BYTES } from "../facet-memory.ts";

/** Bytes of a facet while the tree of its boxes is built, and while its layers are rasterised. */
const TREE_BYTES_PER_FACET = 260;
const LAYERS_BYTES_PER_FACET = 150;
/** Bytes of the lattice of paths around a part, and for each of the numbers of a touchpoint, of its struts. */
const LATTICE_BYTES = 16 * 2 ** 20;
const BYTES_PER_NUMBER = 3 * 2 ** 10;
const BYTES_PER_POINT = 7 * BYTES_PER_NUMBER;
/** Routing 1,500 points as a whole takes less. */
const ROUTED_MS = 500;
/** An edit of 1,500 points takes less: it does not wait behind the tasks of other requests. */
const DRAFT_MS = 40;

export const draftObstaclesTask = defineTask({
  name: "draftObstacles",
  load: async () => (await import("../../support/draft/draft-part.ts")).draftObstacles,
  memory: ({ placed }) => TREE_BYTES_PER_FACET * triangleCount(placed.mesh),
  progress: phase(0, 0.5),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const draftLoadsTask = defineTask({
  name: "draftLoads",
  load: async () => (await import("../../support/draft/draft-part.ts")).draftLoads,
  memory: ({ placed }) => LAYERS_BYTES_PER_FACET * triangleCount(placed.mesh) + SUPPORT_RASTER_BYTES,
  progress: phase(0, 0.5),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const routedPointsTask = defineTask({
  name: "routedPoints",
  load: async () => (await import("../../support/draft/routed-points.ts")).routedPoints,
  memory: ({ touchpoints }) => LATTICE_BYTES + BYTES_PER_POINT * touchpoints.length,
  progress: phase(0.5, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: () => ROUTED_MS,
});

export const draftSupportsTask = defineTask({
  name: "draftSupports",
  load: async () => (await import("../../support/draft/draft-supports.ts")).draftSupports,
  memory: ({ list }) => LATTICE_BYTES + BYTES_PER_NUMBER * list.points.length,
  progress: phase(0.5, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: () => DRAFT_MS,
});
