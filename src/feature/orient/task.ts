import type { Progress } from "../../core/progress.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import type { CandidateDirection, RoughSearch } from "../../orient/rough-search.ts";
import { perFacetOfMesh } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phaseOfEachItem } from "../../worker/task.ts";

/** Shares of the progress of a model at which the steps end that threads share. The last step is `orientModel`. */
const SHARES = { begun: 0.5, valued: 0.6, selected: 0.65, refined: 0.7 };

/** Peaks of bumpy spheres of 200,000 to 1,000,000 facets: 260 to 307 bytes per facet. */
const BYTES_PER_FACET = 320;
/** Where the shape and the rough search are made already: voxels, projected vertices. 141 bytes for a gyroid of 625,608 facets. */
const FINISH_BYTES_PER_FACET = 150;
/** Surfels of the finest cells of a lattice, and the table of these cells. */
const FINE_SURFELS_BYTES = 128 * 2 ** 20;
/** The place of each vertex in voxels, and the voxels. */
const BYTES_PER_COORDINATE = 14;
/** Expected time of a batch of directions or a local search, whatever the size of the part that they share. */
const BATCH_MS = 50;

export const orientModelTask = defineTask({
  name: "orientModel",
  load: async () => (await import("../../orient/orient-model.ts")).orientModel,
  memory: ({ mesh, made }) => (made ? FINISH_BYTES_PER_FACET : BYTES_PER_FACET) * triangleCount(mesh),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const beginOrientationTask = defineTask({
  name: "beginOrientation",
  load: async () => {
    const { beginOrientation } = await import("../../orient/shared-search.ts");
    return (request: Parameters<typeof beginOrientation>[0], progress: Progress) => beginOrientation(request, progress);
  },
  memory: perFacetOfMesh(250),
  progress: phaseOfEachItem(0, SHARES.begun),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const fineSurfelsTask = defineTask({
  name: "fineSurfels",
  load: async () => (await import("../../orient/shared-search.ts")).fineSurfels,
  memory: () => FINE_SURFELS_BYTES,
  progress: phaseOfEachItem(SHARES.begun, SHARES.valued),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const roughCostsTask = defineTask({
  name: "roughCosts",
  load: async () => (await import("../../orient/shared-search.ts")).roughCostsOf,
  memory: "small",
  progress: phaseOfEachItem(SHARES.begun, SHARES.valued),
  repeatable: true,
  transfer: "copy",
  expectedMs: () => BATCH_MS,
});

export const selectStartsTask = defineTask({
  name: "selectStarts",
  load: async () => {
    const { selectStarts } = await import("../../orient/rough-search.ts");
    return ({ search, costs }: { readonly search: RoughSearch; readonly costs: Float64Array }, progress: Progress) =>
      selectStarts(search, costs, progress);
  },
  memory: ({ search }) => BYTES_PER_COORDINATE * search.shape.surface.vertices.length,
  progress: phaseOfEachItem(SHARES.valued, SHARES.selected),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

interface StartRequest {
  readonly search: RoughSearch;
  readonly start: CandidateDirection;
  readonly isFitting: boolean;
}

export const refineStartTask = defineTask({
  name: "refineStart",
  load: async () => {
    const { refineStart } = await import("../../orient/rough-search.ts");
    return ({ search, start, isFitting }: StartRequest, progress: Progress) => {
      progress.report(0);
      return refineStart(search, start, isFitting);
    };
  },
  memory: "small",
  progress: phaseOfEachItem(SHARES.selected, SHARES.refined),
  repeatable: true,
  transfer: "copy",
  expectedMs: () => BATCH_MS,
});
