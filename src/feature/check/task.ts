import type { ChunkOfGroup, GroupCheck } from "../../check/check-group.ts";
import type { ThinPlan } from "../../check/thin/thin-plan.ts";
import type { SlabRegions } from "../../check/thin/thin-regions.ts";
import { must } from "../../core/must.ts";
import type { Progress } from "../../core/progress.ts";
import { boxSize, unionBoxes } from "../../geometry/box.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import { overhangPixelMm } from "../../slice/overhang/overhang-pixel.ts";
import { SUPPORT_RASTER_BYTES, distinctFacets, perFacet, perFacetOfMesh } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phase, phaseOfEachItem, phaseOfItems } from "../../worker/task.ts";

/** Shares of the progress at which the steps of a check of a group end if threads share it. */
const GROUP_SHARES = { prepared: 0.05, examined: 0.6 };

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

/** A sphere of 1,000,000 facets takes 17 bytes per facet. */
const STACK_BYTES_PER_FACET = 25;

/** Chunks of spheres of 1,000,000 and of 3,000,000 facets take 125 bytes for each facet that they cut. */
const CHUNK_BYTES_PER_FACET = 130;

/** Facets that a chunk cuts. */
const facetsOfChunk = ({ stacks, chunk }: Pick<ChunkOfGroup, "stacks" | "chunk">): number =>
  stacks.reduce((sum, { index: { starts }, entryOf, chunkCount }) => {
    const counts = Array.from(entryOf, (entry) => {
      const at = entry * (chunkCount + 1) + chunk;
      return (starts[at + 1] ?? 0) - (starts[at] ?? 0);
    });
    return counts.reduce((total, count) => total + count, sum);
  }, 0);

/** Share of a chunk in the time of a check; most large parts have 20 to 80 chunks. */
const CHUNK_OF_GROUP = 0.05;

const HOLD_BYTES_PER_FACET = 150;
const OUTSIDE_BYTES_PER_FACET = 50;

/** Shares of the progress of a search for thin features at which it is planned, and its slabs are searched. */
const THIN_SHARES = { planned: 0.15, searched: 0.99 };

/**
 * Peaks of single slabs of a gyroid of 2,060,904 facets: 146 MiB for one with 306,604 facets, 161 MiB for one with 168,715, of which
 * `BASE_BYTES` are 24 MiB. Each also goes through all facets of the model.
 */
const SLAB_BYTES_PER_FACET = 500;
const SLAB_BYTES_PER_FACET_OF_MODEL = 12;

interface ThinSlab {
  readonly plan: ThinPlan;
  readonly slab: number;
  /** The slab is the one of this index in the order in which the tasks start. */
  readonly turn: number;
}

interface ThinSlabs {
  readonly plan: ThinPlan;
  readonly slabs: readonly SlabRegions[];
}

/** Peak of a sphere of 1,000,000 facets: 229 bytes per facet. */
const TREE_BYTES_PER_FACET = 250;

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

// A group whose check is much work is checked by these tasks in turn (`check-divided.ts`).

export const prepareGroupTask = defineTask({
  name: "prepareGroup",
  load: async () => (await import("../../check/check-group.ts")).prepareGroup,
  memory: ({ group }) => STACK_BYTES_PER_FACET * distinctFacets(group.bodies.map(({ placed }) => placed)),
  progress: phase(0, GROUP_SHARES.prepared),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const examineChunkTask = defineTask({
  name: "examineChunk",
  load: async () => (await import("../../check/check-group.ts")).examineChunk,
  memory: (part) => CHUNK_BYTES_PER_FACET * facetsOfChunk(part),
  progress: phaseOfItems(GROUP_SHARES.prepared, GROUP_SHARES.examined),
  repeatable: true,
  transfer: "copy",
  expectedMs: (bytes) => CHUNK_OF_GROUP * bySize(bytes),
});

export const concludeGroupTask = defineTask({
  name: "concludeGroup",
  load: async () => (await import("../../check/check-group.ts")).concludeGroup,
  memory: ({ request }) => groupCheckBytes(request),
  progress: phase(GROUP_SHARES.examined, 1),
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

// A search for thin features runs these three tasks, the second one for each slab; for a small model only the first one.

export const beginThinFeaturesTask = defineTask({
  name: "beginThinFeatures",
  load: async () => (await import("../../check/thin/thin-features.ts")).beginThinFeatures,
  memory: perFacetOfMesh(300),
  progress: phaseOfEachItem(0, THIN_SHARES.planned),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const searchThinSlabTask = defineTask({
  name: "searchThinSlab",
  load: async () => {
    const { searchSlab } = await import("../../check/thin/thin-features.ts");
    return ({ plan, slab, turn }: ThinSlab, progress: Progress) => {
      const { length } = plan.slabs;
      return searchSlab(plan, slab, progress.part(turn / length, (turn + 1) / length));
    };
  },
  memory: ({ plan, slab }) =>
    SLAB_BYTES_PER_FACET * must(plan.slabs[slab], "A slab").facets +
    SLAB_BYTES_PER_FACET_OF_MODEL * triangleCount(plan.surface),
  progress: phaseOfEachItem(THIN_SHARES.planned, THIN_SHARES.searched),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const finishThinFeaturesTask = defineTask({
  name: "finishThinFeatures",
  load: async () => {
    const { finishThinFeatures } = await import("../../check/thin/thin-features.ts");
    return ({ plan, slabs }: ThinSlabs) => finishThinFeatures(plan, slabs);
  },
  memory: "small",
  progress: phaseOfEachItem(THIN_SHARES.searched, 1),
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
  memory: perFacet(TREE_BYTES_PER_FACET),
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
