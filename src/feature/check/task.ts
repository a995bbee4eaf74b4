import type { Progress } from "../../core/progress.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import { SUPPORT_RASTER_BYTES, distinctFacets, perFacet, perFacetOfMesh } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phase, phaseOfItems } from "../../worker/task.ts";

/** Shares of the progress at which the steps of a check of interferences end. */
const SHARES = { pairsFound: 0.02, treesBuilt: 0.4 };

const HOLD_BYTES_PER_FACET = 150;
const OUTSIDE_BYTES_PER_FACET = 50;

interface BoxesToPair {
  readonly boxes: Float64Array;
  readonly reachMm: number;
  readonly chosen?: Uint8Array;
}

export const checkGroup = defineTask({
  name: "checkGroup",
  load: async () => (await import("../../check/check-group.ts")).checkGroup,
  memory: "small",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const checkHold = defineTask({
  name: "checkHold",
  load: async () => (await import("../../check/hold.ts")).checkHold,
  memory: ({ placed, supports }) =>
    HOLD_BYTES_PER_FACET * (triangleCount(placed.mesh) + (supports ? triangleCount(supports.placed.mesh) : 0)) +
    SUPPORT_RASTER_BYTES,
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const checkManifoldness = defineTask({
  name: "checkManifoldness",
  load: async () => (await import("../../check/manifoldness.ts")).manifoldnessOf,
  memory: perFacet(120),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const findDefectPlaces = defineTask({
  name: "findDefectPlaces",
  load: async () => (await import("../../check/defect-places.ts")).defectPlaces,
  memory: perFacetOfMesh(300),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const findOutsidePlaces = defineTask({
  name: "findOutsidePlaces",
  load: async () => (await import("../../check/outside-places.ts")).outsidePlaces,
  memory: ({ bodies }) => OUTSIDE_BYTES_PER_FACET * distinctFacets(bodies),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const checkThinFeatures = defineTask({
  name: "checkThinFeatures",
  load: async () => (await import("../../check/thin/thin-features.ts")).thinFeatures,
  memory: perFacetOfMesh(300),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const nearbyPairs = defineTask({
  name: "nearbyPairs",
  load: async () => {
    const interferences = await import("../../check/interferences.ts");
    return ({ boxes, reachMm, chosen }: BoxesToPair, progress: Progress) =>
      interferences.nearbyPairs(boxes, reachMm, progress, chosen);
  },
  memory: "small",
  progress: phase(0, SHARES.pairsFound),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const buildMeshTree = defineTask({
  name: "buildMeshTree",
  load: async () => (await import("../../mesh/bvh/interfere.ts")).meshTree,
  memory: perFacet(300),
  progress: phaseOfItems(0, SHARES.treesBuilt),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const checkInterferences = defineTask({
  name: "checkInterferences",
  load: async () => (await import("../../check/interferences.ts")).findInterferences,
  memory: "small",
  progress: phaseOfItems(SHARES.treesBuilt, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const findInterferencePlaces = defineTask({
  name: "findInterferencePlaces",
  load: async () => (await import("../../check/interference-places.ts")).interferencePlaces,
  memory: "small",
  progress: phaseOfItems(SHARES.treesBuilt, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
