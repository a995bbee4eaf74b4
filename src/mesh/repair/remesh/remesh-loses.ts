import { add, times, type Vec3 } from "../../../core/geometry.ts";
import type { Watch } from "../../../core/watch.ts";
import { facetTree } from "../../bvh/facet-tree.ts";
import type { Surface } from "../../mesh.ts";
import { remeshVoxelMm } from "./remesh.ts";
import { type SolidAngles, solidAnglesOf } from "../solid-angles.ts";

/** Facets looked at, at most, and of their corners and middles those that lie deepest inside or outside. */
const MOST_FACETS = 2000;
const DEEPEST = 256;
/** Voxels between places looked at, first far apart: most often the surface is found at once. */
const STRIDES = [8, 4, 2, 1] as const;

/**
 * Whether {@link remesh} makes a surface that lies farther than `reachMm` from some facet: about a place on it all is inside,
 * or all is outside. Asks a few facets alone, which takes a moment; where they tell nothing, the answer is no.
 */
export function remeshLoses(surface: Surface, reachMm: number, watch: Watch): boolean {
  const angles = solidAnglesOf(facetTree(surface, watch.part(0, 0.1)));
  const deepest = placesOn(surface)
    // In front of the facet it is half less, behind it half more: with more than half it has one side of the surface on both.
    .map(({ facet, place }) => {
      watch.report(0.1);
      return { place, turns: angles(place, (other) => other === facet) - 0.5 };
    })
    .filter(({ turns }) => Math.abs(turns) > 0.5)
    .sort((one, other) => Math.abs(other.turns) - Math.abs(one.turns))
    .slice(0, DEEPEST);
  const voxelMm = remeshVoxelMm(surface);
  return deepest.some(({ place, turns }, i) => {
    watch.report(0.1 + (0.9 * i) / DEEPEST);
    return STRIDES.every((stride) => isAlike(angles, place, turns > 0, reachMm, stride * voxelMm, watch));
  });
}

/** The corners and middles of facets, spread evenly. */
function placesOn({ vertices, triangles }: Surface): { readonly facet: number; readonly place: Vec3 }[] {
  const facets = triangles.length / 3;
  const stride = Math.ceil(facets / MOST_FACETS);
  return Array.from({ length: Math.ceil(facets / stride) }, (_, i) => stride * i).flatMap((facet) => {
    const [a, b, c] = [0, 1, 2].map((k): Vec3 => {
      const v = 3 * triangles[3 * facet + k];
      return [vertices[v], vertices[v + 1], vertices[v + 2]];
    }) as [Vec3, Vec3, Vec3];
    return [a, b, c, times(add(add(a, b), c), 1 / 3)].map((place) => ({ facet, place }));
  });
}

/** Whether all places of a grid in a ball are inside, or all outside. */
function isAlike(
  angles: SolidAngles,
  [x, y, z]: Vec3,
  isInside: boolean,
  radiusMm: number,
  stepMm: number,
  watch: Watch,
): boolean {
  const most = Math.floor(radiusMm / stepMm);
  for (let k = -most; k <= most; k++) {
    for (let j = -most; j <= most; j++) {
      watch.report(0);
      for (let i = -most; i <= most; i++) {
        if (i * i + j * j + k * k > most * most) continue;
        if (angles([x + i * stepMm, y + j * stepMm, z + k * stepMm]) > 0.5 !== isInside) return false;
      }
    }
  }
  return true;
}
