import { wholeArrays } from "../../core/typed-arrays.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import { SUPPORT_RASTER_BYTES } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phaseOfEachItem } from "../../worker/task.ts";

const BYTES_PER_FACET = 350;

/** Shares of the progress of a model at which its tree is routed, and at which the groups of its struts are united. */
const SHARES = { routed: 0.8, united: 0.9 };

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
  load: async () => (await import("../../support/solid/support-solid.ts")).uniteGroup,
  memory: "small",
  progress: phaseOfEachItem(SHARES.routed, SHARES.united),
  repeatable: true,
  transfer: (united) => wholeArrays(united).map(({ buffer }) => buffer),
  expectedMs: bySize,
});

export const finishSupportsTask = defineTask({
  name: "finishSupports",
  load: async () => (await import("../../support/divided-solid.ts")).finishSupports,
  memory: "small",
  progress: phaseOfEachItem(SHARES.united, 1),
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
