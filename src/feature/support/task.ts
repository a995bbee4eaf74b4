import { wholeArrays } from "../../core/typed-arrays.ts";
import { type Surface, triangleCount } from "../../mesh/mesh.ts";
import { SUPPORT_RASTER_BYTES } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phaseOfEachItem } from "../../worker/task.ts";

/**
 * Bytes of a facet of a model: while it is supported; while its layers are prepared, its faces are found, its layers are walked through, and
 * the tree of its boxes is built.
 */
const BYTES_PER_FACET = 350;
const LAYERS_BYTES_PER_FACET = 50;
const FACES_BYTES_PER_FACET = 350;
const WALK_BYTES_PER_FACET = 150;
const TREE_BYTES_PER_FACET = 260;
/** Bytes of a facet of struts while they are united. */
const UNION_BYTES_PER_FACET = 700;
/** Bytes of a raft with its label, for which the thread loads a font and the kernel of polygons. */
const RAFT_BYTES = 30 * 2 ** 20;

/** Bytes of a strut while a whole tree is united with its raft: peaks of 866, 2,794 and 5,928 struts are 107, 249 and 382 MiB. */
const BYTES_PER_STRUT = 73 * 2 ** 10;

const unionBytes = (surfaces: readonly Surface[]): number =>
  UNION_BYTES_PER_FACET * surfaces.reduce((sum, surface) => sum + triangleCount(surface), 0);

/**
 * Shares of the progress of a model whose work several threads share: its layers are prepared, rasterised and walked through, its tree is
 * routed, the groups of its struts are united.
 */
const SHARES = { prepared: 0.05, rasterised: 0.2, walked: 0.5, routed: 0.8, united: 0.9 };

export const supportLayersTask = defineTask({
  name: "supportLayers",
  load: async () => (await import("../../support/support-request.ts")).supportLayers,
  memory: ({ placed }) => LAYERS_BYTES_PER_FACET * triangleCount(placed.mesh),
  progress: phaseOfEachItem(0, SHARES.prepared),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const obstacleTreeTask = defineTask({
  name: "obstacleTree",
  load: async () => (await import("../../support/support-request.ts")).obstacleTree,
  memory: ({ placed }) => TREE_BYTES_PER_FACET * triangleCount(placed.mesh),
  progress: phaseOfEachItem(0, SHARES.rasterised),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const rasterisePartTask = defineTask({
  name: "rasterisePart",
  load: async () => (await import("../../hold/part-sections.ts")).rasterisePart,
  memory: "small",
  progress: phaseOfEachItem(SHARES.prepared, SHARES.rasterised),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const supportFacesTask = defineTask({
  name: "supportFaces",
  load: async () => (await import("../../support/walk-request.ts")).supportFaces,
  memory: ({ layers }) => FACES_BYTES_PER_FACET * triangleCount(layers.surface),
  progress: phaseOfEachItem(SHARES.prepared, SHARES.rasterised),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const walkSupportsTask = defineTask({
  name: "walkSupports",
  load: async () => (await import("../../support/walk-request.ts")).walkSupports,
  memory: ({ layers }) => WALK_BYTES_PER_FACET * triangleCount(layers.surface) + SUPPORT_RASTER_BYTES,
  progress: phaseOfEachItem(SHARES.rasterised, SHARES.walked),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const supportModelTask = defineTask({
  name: "supportModel",
  load: async () => (await import("../../support/support-model.ts")).beginSupports,
  memory: ({ placed }) => BYTES_PER_FACET * triangleCount(placed.mesh) + SUPPORT_RASTER_BYTES,
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const uniteStrutsTask = defineTask({
  name: "uniteStruts",
  load: async () => (await import("../../mesh/boolean.ts")).union,
  memory: unionBytes,
  progress: phaseOfEachItem(SHARES.routed, SHARES.united),
  repeatable: true,
  transfer: (united) => wholeArrays(united).map(({ buffer }) => buffer),
  expectedMs: bySize,
});

export const supportBaseTask = defineTask({
  name: "supportBase",
  load: async () => (await import("../../support/solid/support-solid.ts")).supportBase,
  memory: () => RAFT_BYTES,
  progress: phaseOfEachItem(SHARES.routed, SHARES.united),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const finishSupportsTask = defineTask({
  name: "finishSupports",
  load: async () => (await import("../../support/divided-solid.ts")).finishSupports,
  memory: ({ united }) => unionBytes(united),
  progress: phaseOfEachItem(SHARES.united, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const refitSupportsTask = defineTask({
  name: "refitSupports",
  load: async () => (await import("../../support/refit-supports.ts")).refitSupports,
  memory: ({ skeleton }) => RAFT_BYTES + BYTES_PER_STRUT * skeleton.tree.struts.length,
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
