import { toSharedMemory } from "../core/typed-arrays.ts";
import { bucketBy } from "../geometry/bucket-by.ts";
import { bodiesOf } from "../mesh/bodies.ts";
import type { RepairedSolid } from "./repaired-solid.ts";

/** A solid whose facets are sorted by bodies, and the first facet of each body. */
export interface SortedSolid {
  readonly solid: RepairedSolid;
  readonly bodyStarts: Uint32Array;
}

/** Sorts the facets of a solid by its bodies (connected surfaces: a cavity is one, too). */
export function sortedByBodies(solid: RepairedSolid): SortedSolid {
  const { count, bodyOf } = bodiesOf(solid);
  const { starts, items } = bucketBy(bodyOf, count);
  const bodyStarts = toSharedMemory(starts.subarray(0, count));
  if (items.every((facet, i) => facet === i)) return { solid, bodyStarts };
  const triangles = new Uint32Array(new SharedArrayBuffer(solid.triangles.byteLength));
  items.forEach((facet, i) => triangles.set(solid.triangles.subarray(3 * facet, 3 * facet + 3), 3 * i));
  return { solid: { ...solid, triangles }, bodyStarts };
}
