import type { Instance } from "./instances.ts";

/** A mesh in the computation of the triangle budget. */
export interface DrawnMesh {
  /** Number of triangles of one body. */
  readonly triangles: number;
  /** Number of bodies with this mesh. */
  readonly count: number;
}

/** Minimum size of a simplified mesh: with fewer triangles parts are not recognisable. */
const MIN_TRIANGLES = 128;

/**
 * Maximum number of triangles per body so that all bodies have at most `budget`. Triangles that small bodies do not need are available
 * to the others.
 */
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

/** A mesh to fetch; `coarse` is the number of triangles of a simplified mesh to fetch as well. */
export interface WantedMesh {
  readonly hash: string;
  readonly coarse: number | undefined;
}

/**
 * Meshes to fetch for a scene. Those that are too fine for a quick frame of `budget` triangles are also fetched in a simplified form,
 * whose size is a power of two, so that few different sizes are requested.
 */
export function wantedMeshes(instances: ReadonlyMap<string, readonly Instance[]>, budget: number): WantedMesh[] {
  const drawn = [...instances].flatMap(([hash, [first, ...others]]) =>
    first ? { hash, triangles: first.triangles, count: 1 + others.length } : [],
  );
  const share = fairShare(drawn, budget);
  const coarse = Math.max(MIN_TRIANGLES, 2 ** Math.floor(Math.log2(share)));
  return drawn.map(({ hash, triangles }) => ({ hash, coarse: triangles > share ? coarse : undefined }));
}
