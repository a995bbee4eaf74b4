import type { GroupCheck } from "../../check/check-group.ts";
import type { Progress } from "../../core/progress.ts";
import { boxSize, unionBoxes } from "../../geometry/box.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import { overhangPixelMm } from "../../slice/overhang-pixel.ts";
import { SUPPORT_RASTER_BYTES, distinctFacets, perFacet, perFacetOfMesh } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phase, phaseOfItems } from "../../worker/task.ts";

/** Shares of the progress at which the steps of a check of interferences end. */
const SHARES = { pairsFound: 0.02, treesBuilt: 0.4 };

/** Peaks of checks of a sphere of 1,000,000 facets: cups take 50 bytes per facet, minima 72, supportedness 148. */
const LAYER_BYTES_PER_FACET = { CUPS: 80, MINIMA: 80, SUPPORTEDNESS: 150 };
/**
 * Per pixel of the grid of overhangs: a plate of 190 × 120 mm takes 155 bytes where it stands on the platform, 214 on a post, and 294 in
 * mid-air, where all of it is one island.
 */
const OVERHANG_BYTES_PER_PIXEL = 220;

/** Bytes that a check of a group takes at most, except for whole plates in mid-air. */
function groupCheckBytes({ check, group }: GroupCheck): number {
  const facetBytes = LAYER_BYTES_PER_FACET[check] * distinctFacets(group.bodies.map(({ placed }) => placed));
  if (check !== "SUPPORTEDNESS") return facetBytes;
  const [xMm, yMm] = boxSize(group.bodies.map(({ box }) => box).reduce(unionBoxes));
  return facetBytes + (OVERHANG_BYTES_PER_PIXEL * xMm * yMm) / overhangPixelMm(group.gridBox) ** 2;
}

const HOLD_BYTES_PER_FACET = 150;
const OUTSIDE_BYTES_PER_FACET = 50;

interface BoxesToPair {
  readonly boxes: Float64Array;
  readonly reachMm: number;
  readonly chosen?: Uint8Array;
}

export const checkGroupTask = defineTask({
  name: "checkGroup",
  load: async () => (await import("../../check/check-group.ts")).checkGroup,
  memory: groupCheckBytes,
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const checkHoldTask = defineTask({
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

export const checkManifoldnessTask = defineTask({
  name: "checkManifoldness",
  load: async () => (await import("../../check/manifoldness.ts")).manifoldnessOf,
  memory: perFacet(120),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const findDefectPlacesTask = defineTask({
  name: "findDefectPlaces",
  load: async () => (await import("../../check/defect-places.ts")).defectPlaces,
  memory: perFacetOfMesh(300),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const findOutsidePlacesTask = defineTask({
  name: "findOutsidePlaces",
  load: async () => (await import("../../check/outside-places.ts")).outsidePlaces,
  memory: ({ bodies }) => OUTSIDE_BYTES_PER_FACET * distinctFacets(bodies),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const checkThinFeaturesTask = defineTask({
  name: "checkThinFeatures",
  load: async () => (await import("../../check/thin/thin-features.ts")).thinFeatures,
  memory: perFacetOfMesh(300),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const nearbyPairsTask = defineTask({
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

export const buildMeshTreeTask = defineTask({
  name: "buildMeshTree",
  load: async () => (await import("../../mesh/bvh/interfere.ts")).meshTree,
  memory: perFacet(300),
  progress: phaseOfItems(0, SHARES.treesBuilt),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const checkInterferencesTask = defineTask({
  name: "checkInterferences",
  load: async () => (await import("../../check/interferences.ts")).findInterferences,
  memory: "small",
  progress: phaseOfItems(SHARES.treesBuilt, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const findInterferencePlacesTask = defineTask({
  name: "findInterferencePlaces",
  load: async () => (await import("../../check/interference-places.ts")).interferencePlaces,
  memory: "small",
  progress: phaseOfItems(SHARES.treesBuilt, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
