import { newTaskState } from "../core/progress.ts";
import { type CoarseSurface } from "../mesh/cluster-vertices.ts";
import { type Mesh, triangleCount } from "../mesh/mesh.ts";
import type { Pool } from "../worker/pool.ts";
import { clusterVerticesTask } from "../feature/render/task.ts";

/** Cache of simplified meshes, which the page draws in scenes of many facets. */
export interface CoarseMeshes {
  /** Returns a surface of at most `maxTriangles` triangles: the mesh itself if it has no more. */
  get(mesh: Mesh, maxTriangles: number): Promise<CoarseSurface>;
}

/** Above this total the least recently used surfaces are dropped. Browsers cache the ones that they fetched. */
const MAX_BYTES = 64 * 2 ** 20;

export function newCoarseMeshes(pool: Pool, maxBytes = MAX_BYTES): CoarseMeshes {
  /** Ordered from the least to the most recently used. Includes surfaces that are still being computed. */
  const known = new Map<string, { readonly surface: Promise<CoarseSurface>; bytes: number }>();

  function forgetOldest(): void {
    let bytes = known.values().reduce((sum, one) => sum + one.bytes, 0);
    for (const [key, one] of known) {
      if (bytes <= maxBytes) return;
      known.delete(key);
      bytes -= one.bytes;
    }
  }

  return {
    async get(mesh, maxTriangles) {
      if (triangleCount(mesh) <= maxTriangles) return mesh;
      const key = `${mesh.hash} ${maxTriangles}`;
      const old = known.get(key);
      const made = old ?? {
        surface: pool.compute(clusterVerticesTask, { mesh, maxTriangles }, newTaskState()),
        bytes: 0,
      };
      known.delete(key);
      known.set(key, made);
      try {
        const surface = await made.surface;
        made.bytes = surface.vertices.byteLength + surface.triangles.byteLength;
        forgetOldest();
        return surface;
      } catch (thrown) {
        if (known.get(key) === made) known.delete(key);
        throw thrown;
      }
    },
  };
}
