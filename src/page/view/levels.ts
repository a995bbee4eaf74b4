import type { Instance } from "./instances.ts";

/** How much of a mesh a quick picture draws. */
export interface DrawnMesh {
  /** Of one body. */
  readonly triangles: number;
  /** Bodies with this mesh. */
  readonly count: number;
}

/** Coarser than this, parts are lumps. */
const MIN_TRIANGLES = 128;

/** The most triangles that each body may have so that all together have at most `budget`; those of small ones go to the others. */
export function fairShare(meshes: readonly DrawnMesh[], budget: number): number {
  let left = budget;
  let bodies = meshes.reduce((sum, { count }) => sum + count, 0);
  for (const { triangles, count } of meshes.toSorted((a, b) => a.triangles - b.triangles)) {
    if (triangles * bodies > left) return left / bodies;
    left -= triangles * count;
    bodies -= count;
  }
  return Infinity;
}

/** A mesh to fetch, and the triangles of a coarser one to fetch beside it. */
export interface WantedMesh {
  readonly hash: string;
  readonly coarse: number | undefined;
}

/**
 * The meshes of a scene, and with coarser ones those that are too fine for a quick picture of `budget` triangles. Coarser ones have
 * powers of two, so that few different ones are asked for.
 */
export function wantedMeshes(instances: ReadonlyMap<string, readonly Instance[]>, budget: number): WantedMesh[] {
  const drawn = [...instances].map(([hash, places]) => ({
    hash,
    triangles: places[0].triangles,
    count: places.length,
  }));
  const share = fairShare(drawn, budget);
  const coarse = Math.max(MIN_TRIANGLES, 2 ** Math.floor(Math.log2(share)));
  return drawn.map(({ hash, triangles }) => ({ hash, coarse: triangles > share ? coarse : undefined }));
}
