import type { Progress } from "../../core/progress.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";
import { perFacetOfMesh } from "../facet-memory.ts";

export const stretchMeshTask = defineTask({
  name: "stretchMesh",
  load: async () => {
    const { stretchMesh } = await import("../../mesh/stretch-mesh.ts");
    return ({ mesh, factors }: { readonly mesh: Mesh; readonly factors: Vec3 }, progress: Progress) =>
      stretchMesh(mesh, factors, progress);
  },
  // As of `rescaleMeshes`, and a copy of the vertices in double precision.
  memory: perFacetOfMesh(55),
  progress: "items",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
