import type { Progress } from "../../core/progress.ts";
import { paired } from "../../core/paired.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import type { HollowPlan } from "../../solid/hollow/hollow-plan.ts";
import { HOLLOW_SHARES } from "./hollow-shares.ts";
import { perFacetOfMesh } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phaseOfEachItem } from "../../worker/task.ts";

// A hollow runs these tasks in the order of this file.

/**
 * Depths of voxels while a slab of a cavity is computed, those of its overlap included; 4 to 16 measured in slabs of models of 1,500
 * to 36,000 facets.
 */
const BYTES_PER_SLAB_VOXEL = 16;
/** Records and seeds of a facet that the depths of a slab depend on: 110 to 136 measured in slabs of 1.3 million facets. */
const BYTES_PER_SLAB_FACET = 140;
/** The facets near a slab, overlap included, as a multiple of its share of all: at most 1.7 measured, in four slabs. */
const NEAR_SHARE = 2;
/** Depths of voxels in the shared field. The system gives the field memory only when a slab writes to it. */
const BYTES_PER_FIELD_VOXEL = 2;
const BYTES_PER_FACET = 300;

interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly layers: number;
}

const voxelsOf = ({ columns, rows, layers }: Grid): number => columns * rows * layers;

/** Voxels of the thickest slab of a plan. */
const slabVoxels = (grid: Grid, bounds: readonly number[]): number =>
  voxelsOf({
    ...grid,
    layers: paired(bounds.slice(1), bounds.slice(0, -1)).reduce((most, [to, from]) => Math.max(most, to - from), 0),
  });

export const planHollowTask = defineTask({
  name: "planHollow",
  load: async () => (await import("./hollow-model.ts")).planOneHollow,
  memory: perFacetOfMesh(50),
  progress: phaseOfEachItem(0, HOLLOW_SHARES.planned),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const fillCavityTask = defineTask({
  name: "fillCavity",
  load: async () => (await import("./hollow-model.ts")).fillCavitySlab,
  memory: ({ plan }) =>
    (BYTES_PER_SLAB_VOXEL + BYTES_PER_FIELD_VOXEL) * slabVoxels(plan.grid, plan.bounds) +
    BYTES_PER_SLAB_FACET * triangleCount(plan.request.mesh) * Math.min(1, NEAR_SHARE / (plan.bounds.length - 1)),
  progress: phaseOfEachItem(HOLLOW_SHARES.planned, HOLLOW_SHARES.filled),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

/** Changes the field that threads share: it cannot run again. */
export const composeCavityTask = defineTask({
  name: "composeCavity",
  load: async () => {
    const { makeWellComposed } = await import("../../mesh/voxel/surface-nets.ts");
    return ({ field }: HollowPlan, progress: Progress) => makeWellComposed(field, progress);
  },
  memory: ({ field }) => BYTES_PER_FIELD_VOXEL * voxelsOf(field),
  progress: phaseOfEachItem(HOLLOW_SHARES.filled, HOLLOW_SHARES.composed),
  repeatable: false,
  transfer: "copy",
  expectedMs: bySize,
});

export const extractCavitySurfaceTask = defineTask({
  name: "extractCavitySurface",
  load: async () => (await import("./hollow-model.ts")).extractSlabSurface,
  memory: "small",
  progress: phaseOfEachItem(HOLLOW_SHARES.composed, HOLLOW_SHARES.surfaced),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const hollowModelTask = defineTask({
  name: "hollowModel",
  load: async () => (await import("./hollow-model.ts")).hollowModel,
  memory: ({ plan, surfaces }) =>
    BYTES_PER_FACET *
    surfaces.reduce((sum, { surface }) => sum + triangleCount(surface), triangleCount(plan.request.mesh)),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
