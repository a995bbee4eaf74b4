import { exactLength, sizeOf, type Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { type FacetTree, facetTree } from "../bvh/facet-tree.ts";
import { distanceTo } from "../bvh/nearest-point.ts";
import { boxOf } from "../measure.ts";
import type { Surface } from "../mesh.ts";
import { blocksAlong, type Field } from "../voxel/field.ts";
import { voxelCount } from "../voxel/grid-size.ts";
import { type Lattice, latticeOver } from "../voxel/lattice.ts";
import { surfaceNets } from "../voxel/surface-nets.ts";
import { makeWellComposed } from "../voxel/well-composed.ts";
import { type SolidAngles, solidAnglesOf } from "./solid-angles.ts";

/** Voxels along the longest side. */
const RESOLUTION = 160;
/** Voxels that lie around the surface, so that its field ends below 0. */
const MARGIN = 2;
/** Voxels are worked out in cubes of so many; those of a cube far from every facet are alike. */
const CUBE = 4;
/** Where facets go around less or more than by half, and this much, no gap is near. */
const CLEAR = 0.35;
/** Values for a voxel's length, and at most for half a turn: about two voxels. */
const VALUES_PER_VOXEL = 1000;
const VALUES_PER_TURN = 4000;

/**
 * Another surface for a solid, around what the facets go around by more than half, whatever gaps they leave and however
 * they cross: a closed manifold, within about half a voxel where there are facets. Without facets where they go around
 * nothing.
 */
export function remesh(surface: Surface, watch: Watch): Surface {
  const tree = facetTree(surface, watch.part(0, 0.05));
  const { min, max } = boxOf(surface.vertices);
  const voxelMm = Math.max(...sizeOf({ min, max })) / RESOLUTION;
  const margin = MARGIN * voxelMm;
  const around = {
    min: [min[0] - margin, min[1] - margin, min[2] - margin] as const,
    max: [max[0] + margin, max[1] + margin, max[2] + margin] as const,
  };
  const field = fieldOver(latticeOver(around, voxelMm), tree, watch.part(0.05, 0.8));
  makeWellComposed(field, watch.part(0.8, 0.9));
  return surfaceNets(field, watch.part(0.9, 1));
}

/** How deep voxels lie within what facets go around; below 0 outside. */
function fieldOver(lattice: Lattice, tree: FacetTree, watch: Watch): Field {
  const { columns, rows, layers, origin, voxelMm } = lattice;
  const solidAngles = solidAnglesOf(tree);
  const values = new Int16Array(voxelCount(lattice));
  const placeOf = (x: number, y: number, z: number): Vec3 => [
    origin[0] + voxelMm * x,
    origin[1] + voxelMm * y,
    origin[2] + voxelMm * z,
  ];
  const fill = (x: number, y: number, z: number, valueAt: (place: Vec3) => number): void => {
    for (let k = z; k < Math.min(z + CUBE, layers); k++) {
      for (let j = y; j < Math.min(y + CUBE, rows); j++) {
        for (let i = x; i < Math.min(x + CUBE, columns); i++) {
          values[(k * rows + j) * columns + i] = valueAt(placeOf(i, j, k));
        }
      }
    }
  };
  const middle = (CUBE - 1) / 2;
  const reach = 2 * exactLength([middle, middle, middle]) * voxelMm;
  for (let z = 0; z < layers; z += CUBE) {
    for (let y = 0; y < rows; y += CUBE) {
      watch.report((z + y / rows) / layers);
      for (let x = 0; x < columns; x += CUBE) {
        const centre = placeOf(x + middle, y + middle, z + middle);
        const turns = solidAngles(centre) - 0.5;
        const isClear = Math.abs(turns) > CLEAR && distanceTo(tree, centre, reach) === reach;
        const all = Math.round(VALUES_PER_TURN * Math.sign(turns) * CLEAR);
        fill(x, y, z, isClear ? () => all : (place) => depthOf(place, solidAngles, tree, voxelMm));
      }
    }
  }
  const blocks = blocksAlong(columns) * blocksAlong(rows) * blocksAlong(layers);
  return { ...lattice, values, isCrossed: new Uint8Array(blocks).fill(1) };
}

/** By the distance to the facets where those are, by how far they go around where they leave a gap. */
function depthOf(place: Vec3, solidAngles: SolidAngles, tree: FacetTree, voxelMm: number): number {
  const turns = solidAngles(place) - 0.5;
  const byTurn = VALUES_PER_TURN * Math.min(Math.abs(turns), CLEAR);
  const mostMm = (byTurn / VALUES_PER_VOXEL) * voxelMm;
  const depth = Math.floor((VALUES_PER_VOXEL * distanceTo(tree, place, mostMm)) / voxelMm);
  return turns > 0 ? depth : -1 - depth;
}
