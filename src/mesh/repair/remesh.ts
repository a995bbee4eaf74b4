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
import { solidAnglesOf } from "./solid-angles.ts";

/** Voxels along the longest side. */
const RESOLUTION = 160;
/** Voxels that lie around the surface, so that its field ends below 0. */
const MARGIN = 2;
/** Voxels are worked out in cubes of so many; those of a cube far from every facet are alike. */
const CUBE = 4;
/**
 * Where facets go around less or more than by half, and this much, no gap is near if they are twice as far away as the voxels
 * in question reach; where it is less, they must be as many times farther.
 */
const CLEAR = 0.35;
/** Nearer to half it is not worth a look. */
const LEAST_CLEAR = 0.05;
/** Values for a voxel's length, and at most for half a turn: about two voxels. */
const VALUES_PER_VOXEL = 1000;
const VALUES_PER_TURN = 4000;

/** How far the places lie apart at which {@link remesh} asks what is inside. */
export const remeshVoxelMm = ({ vertices }: Surface): number => Math.max(...sizeOf(boxOf(vertices))) / RESOLUTION;

/**
 * Another surface for a solid, around what the facets go around by more than half, whatever gaps they leave and however
 * they cross: a closed manifold, within about half a voxel where there are facets. Without facets where they go around
 * nothing.
 */
export function remesh(surface: Surface, watch: Watch): Surface {
  const tree = facetTree(surface, watch.part(0, 0.05));
  const { min, max } = boxOf(surface.vertices);
  const voxelMm = remeshVoxelMm(surface);
  const margin = MARGIN * voxelMm;
  const around = {
    min: [min[0] - margin, min[1] - margin, min[2] - margin] as const,
    max: [max[0] + margin, max[1] + margin, max[2] + margin] as const,
  };
  const field = fieldOver(latticeOver(around, voxelMm), tree, watch.part(0.05, 0.8));
  makeWellComposed(field, watch.part(0.8, 0.9));
  return surfaceNets(field, watch.part(0.9, 1));
}

/** How deep voxels lie within what facets go around; below 0 outside. Depths matter, and are, where the surface passes. */
function fieldOver(lattice: Lattice, tree: FacetTree, watch: Watch): Field {
  const { columns, rows, layers, origin, voxelMm } = lattice;
  const turns = turnsOver(lattice, tree, watch.part(0, 0.7));
  const values = new Int16Array(turns.length);
  for (let z = 0; z < layers; z++) {
    watch.report(0.7 + (0.3 * z) / layers);
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        const at = (z * rows + y) * columns + x;
        const turn = turns[at];
        const mostMm = (Math.min(Math.abs(turn), CLEAR) * VALUES_PER_TURN * voxelMm) / VALUES_PER_VOXEL;
        const place: Vec3 = [origin[0] + voxelMm * x, origin[1] + voxelMm * y, origin[2] + voxelMm * z];
        // By the distance to the facets where those are, by how far they go around where they leave a gap.
        const mm = isBeside(turns, lattice, x, y, z) ? distanceTo(tree, place, mostMm) : mostMm;
        const depth = Math.floor((VALUES_PER_VOXEL * mm) / voxelMm);
        values[at] = turn > 0 ? depth : -1 - depth;
      }
    }
  }
  const blocks = blocksAlong(columns) * blocksAlong(rows) * blocksAlong(layers);
  return { ...lattice, values, isCrossed: new Uint8Array(blocks).fill(1) };
}

/** How often facets go around voxels, less the half that parts inside from outside. */
function turnsOver(lattice: Lattice, tree: FacetTree, watch: Watch): Float32Array {
  const { columns, rows, layers, origin, voxelMm } = lattice;
  const solidAngles = solidAnglesOf(tree);
  const turns = new Float32Array(voxelCount(lattice));
  const turnAt = (x: number, y: number, z: number): number =>
    solidAngles([origin[0] + voxelMm * x, origin[1] + voxelMm * y, origin[2] + voxelMm * z]) - 0.5;
  const middle = (CUBE - 1) / 2;
  const radiusMm = exactLength([middle, middle, middle]) * voxelMm;
  const isClear = (x: number, y: number, z: number, turn: number): boolean => {
    if (Math.abs(turn) < LEAST_CLEAR) return false;
    const centre: Vec3 = [origin[0] + voxelMm * x, origin[1] + voxelMm * y, origin[2] + voxelMm * z];
    const reach = 2 * radiusMm * Math.max(1, CLEAR / Math.abs(turn));
    return distanceTo(tree, centre, reach) === reach;
  };
  for (let z = 0; z < layers; z += CUBE) {
    for (let y = 0; y < rows; y += CUBE) {
      watch.report((z + y / rows) / layers);
      for (let x = 0; x < columns; x += CUBE) {
        const turn = turnAt(x + middle, y + middle, z + middle);
        const isAlike = isClear(x + middle, y + middle, z + middle, turn);
        for (let k = z; k < Math.min(z + CUBE, layers); k++) {
          for (let j = y; j < Math.min(y + CUBE, rows); j++) {
            for (let i = x; i < Math.min(x + CUBE, columns); i++) {
              turns[(k * rows + j) * columns + i] = isAlike ? turn : turnAt(i, j, k);
            }
          }
        }
      }
    }
  }
  return turns;
}

/** Whether any of the voxels about one is on the other side of the surface. */
function isBeside(turns: Float32Array, { columns, rows, layers }: Lattice, x: number, y: number, z: number): boolean {
  const isInside = turns[(z * rows + y) * columns + x] > 0;
  for (let k = Math.max(z - 1, 0); k <= Math.min(z + 1, layers - 1); k++) {
    for (let j = Math.max(y - 1, 0); j <= Math.min(y + 1, rows - 1); j++) {
      for (let i = Math.max(x - 1, 0); i <= Math.min(x + 1, columns - 1); i++) {
        if (turns[(k * rows + j) * columns + i] > 0 !== isInside) return true;
      }
    }
  }
  return false;
}
