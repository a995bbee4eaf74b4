import type { Progress } from "../../core/progress.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { perFacet, perFacetOfMesh } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

export const countBodiesTask = defineTask({
  name: "countBodies",
  load: async () => {
    const { solidsOf } = await import("../../mesh/body-nesting.ts");
    return (mesh: Mesh, progress: Progress) => solidsOf(mesh, progress).count;
  },
  memory: perFacet(100),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const splitMeshTask = defineTask({
  name: "splitMesh",
  load: async () => {
    const solids = await import("../../repair/solid-volume.ts");
    return ({ mesh, maxBodies }: { mesh: Mesh; maxBodies: number }, progress: Progress) =>
      solids.splitIntoBodies(mesh, maxBodies, progress);
  },
  memory: perFacetOfMesh(110),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
