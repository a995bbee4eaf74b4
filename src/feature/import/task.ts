import type { Progress } from "../../core/progress.ts";
import type { SharedSearch } from "../../mesh/bvh/self-intersections.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { SEARCH_BYTES_PER_FACET, perFacet } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phase, phaseOfItems } from "../../worker/task.ts";

/**
 * Shares of the progress at which the steps of an import end that threads share: `divideFile`, `makeShare` beside
 * `makeFrame`, and either `importFile`, or for
 * a large file `beginImport`, `planSearch` and `searchShare`, beside which `checkFile` runs.
 */
const SHARES = { divided: 0.05, made: 0.4, stored: 0.65, planned: 0.75, searched: 0.95 };

/** Shares in which threads search a mesh for self-intersections: about 50 ms each for two million facets. */
export const SEARCH_SHARES = 32;
/** Share of a plan's progress at which it is known whether the mesh is closed. */
const CLOSED_SHARE = 0.3;

export const divideFileTask = defineTask({
  name: "divideFile",
  load: async () => (await import("./import-shares.ts")).divideFile,
  memory: "file",
  progress: phase(0, SHARES.divided),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const makeShareTask = defineTask({
  name: "makeShare",
  load: async () => (await import("./import-shares.ts")).makeShare,
  memory: "file",
  progress: phaseOfItems(SHARES.divided, SHARES.made),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const makeFrameTask = defineTask({
  name: "makeFrame",
  load: async () => (await import("./import-shares.ts")).makeFrame,
  memory: "file",
  progress: phaseOfItems(SHARES.divided, SHARES.made),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const importFileTask = defineTask({
  name: "importFile",
  load: async () => (await import("./import-file.ts")).importFile,
  memory: "file",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const beginImportTask = defineTask({
  name: "beginImport",
  load: async () => (await import("./import-file.ts")).beginImport,
  memory: "file",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const planSearchTask = defineTask({
  name: "planSearch",
  load: async () => {
    const { closedManifoldFact } = await import("../../mesh/mesh-facts.ts");
    const { planSharedSearch } = await import("../../mesh/bvh/self-intersections.ts");
    return (mesh: Mesh, progress: Progress) =>
      closedManifoldFact(mesh, progress.part(0, CLOSED_SHARE)).isOpen
        ? undefined
        : planSharedSearch(mesh, SEARCH_SHARES, progress.part(CLOSED_SHARE, 1));
  },
  memory: perFacet(SEARCH_BYTES_PER_FACET),
  progress: phaseOfItems(SHARES.stored, SHARES.planned),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const searchShareTask = defineTask({
  name: "searchShare",
  load: async () => {
    const { searchShare } = await import("../../mesh/bvh/self-intersections.ts");
    return ({ search, share }: { readonly search: SharedSearch; readonly share: number }, progress: Progress) =>
      searchShare(search, share, progress);
  },
  memory: "small",
  progress: phaseOfItems(SHARES.planned, SHARES.searched),
  repeatable: true,
  transfer: "copy",
  expectedMs: (bytes) => bySize(bytes / SEARCH_SHARES),
});

export const checkFileTask = defineTask({
  name: "checkFile",
  load: async () => (await import("./import-file.ts")).checkFile,
  memory: "file",
  progress: phase(SHARES.stored, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
