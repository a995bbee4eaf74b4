import type { Watch } from "../../core/watch.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { LOOKED_AT, mergeFlat, SETTLED } from "../../mesh/voxel/merge-flat.ts";
import type { Net } from "../../mesh/voxel/layer-nets.ts";

/** The surface of the slabs in their order; what lies along their seams is merged, within `toleranceMm` once more. */
export function joinedWalls(slabs: readonly Net[], toleranceMm: number, watch: Watch): Surface {
  const total = (count: (slab: Net) => number): number => slabs.reduce((sum, slab) => sum + count(slab), 0);
  const vertices = new Float64Array(total(({ surface, low }) => surface.vertices.length - 3 * low));
  const triangles = new Uint32Array(total(({ surface }) => surface.triangles.length));
  const states = new Uint8Array(vertices.length / 3).fill(SETTLED);
  let vertexAt = 0;
  let cornerAt = 0;
  for (const { surface, low } of slabs) {
    // The lowest vertices of a slab are the highest of the one below.
    const first = vertexAt - low;
    vertices.set(surface.vertices.subarray(3 * low), 3 * vertexAt);
    vertexAt += surface.vertices.length / 3 - low;
    for (let i = 0; i < surface.triangles.length; i++) triangles[cornerAt++] = surface.triangles[i] + first;
    states.fill(LOOKED_AT, first, first + low);
  }
  return mergeFlat({ vertices, triangles }, toleranceMm, states, watch);
}
