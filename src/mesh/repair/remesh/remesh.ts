import { sizeOf, type Vec3 } from "../../../core/geometry.ts";
import type { Watch } from "../../../core/watch.ts";
import { type FacetTree, facetTree } from "../../bvh/facet-tree.ts";
import { distanceTo } from "../../bvh/nearest-point.ts";
import { boxOf } from "../../measure.ts";
import type { Surface } from "../../mesh.ts";
import { blocksAlong, type Field } from "../../voxel/field.ts";
import { voxelCount } from "../../voxel/grid-size.ts";
import { type Lattice, latticeOver } from "../../voxel/lattice.ts";
import { surfaceNets } from "../../voxel/surface-nets.ts";
import { makeWellComposed } from "../../voxel/well-composed.ts";
import { anglesInCube } from "./angles-in-cube.ts";
import { CUBE_RADIUS, visitCubes } from "./cubes.ts";
import { distancesAbout } from "./distances-about.ts";
import { onFirstUse } from "../on-first-use.ts";
import { angleTreeOf, WHOLE, windingOf } from "../solid-angles.ts";

/** Facets go around what is inside by more, and less around what is outside. */
const HALF = 0.5;
/** Voxels along the longest side. */
const RESOLUTION = 160;
/** Voxels that lie around the surface, so that its field ends below 0. */
const MARGIN = 2;
/**
 * Where facets go around less or more than by half, and this much, no gap is near if they are twice as far away as the voxels
 * in question reach; where it is less, they must be as many times farther.
 */
const CLEAR = 0.35;
/** Nearer to half it is not worth a look. */
const LEAST_CLEAR = 0.05;
const VALUES_PER_VOXEL = 1000;
/** Depth where facets leave a gap, at most: about two voxels for half a turn. */
const VOXELS_PER_TURN = 4;

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
  const reachMm = (CUBE_RADIUS + VOXELS_PER_TURN * CLEAR) * voxelMm;
  visitCubes(lattice, watch.part(0.7, 1), ({ middle, visitVoxels }) => {
    const distances = onFirstUse(() => distancesAbout(tree, middle, reachMm));
    visitVoxels((at, x, y, z) => {
      const turn = turns[at];
      const mostMm = VOXELS_PER_TURN * Math.min(Math.abs(turn), CLEAR) * voxelMm;
      const place: Vec3 = [origin[0] + voxelMm * x, origin[1] + voxelMm * y, origin[2] + voxelMm * z];
      // By the distance to the facets where those are, by how far they go around where they leave a gap.
      const mm = isBeside(turns, lattice, x, y, z) ? distances()(place, mostMm) : mostMm;
      const depth = Math.floor((VALUES_PER_VOXEL * mm) / voxelMm);
      values[at] = turn > 0 ? depth : -1 - depth;
    });
  });
  const blocks = blocksAlong(columns) * blocksAlong(rows) * blocksAlong(layers);
  return { ...lattice, values, isCrossed: new Uint8Array(blocks).fill(1) };
}

/** How often facets go around voxels, less the half that parts inside from outside. */
function turnsOver(lattice: Lattice, tree: FacetTree, watch: Watch): Float32Array {
  const { voxelMm } = lattice;
  const angles = angleTreeOf(tree);
  const turns = new Float32Array(voxelCount(lattice));
  const radiusMm = CUBE_RADIUS * voxelMm;
  const isFar = (middle: Vec3, reachMm: number): boolean => distanceTo(tree, middle, reachMm) === reachMm;
  /** At the middle of a cube, where it is so far from every facet that all of its voxels are alike. */
  const turnOfAll = (middle: Vec3): number | undefined => {
    if (!isFar(middle, 2 * radiusMm)) return undefined;
    const turn = windingOf(angles, WHOLE, middle) - HALF;
    const isClear = Math.abs(turn) >= LEAST_CLEAR && isFar(middle, 2 * radiusMm * Math.max(1, CLEAR / Math.abs(turn)));
    return isClear ? turn : undefined;
  };
  visitCubes(lattice, watch, (cube) => {
    const turn = turnOfAll(cube.middle);
    const inCube = turn === undefined ? anglesInCube(angles, cube, voxelMm) : undefined;
    cube.visitVoxels((at, _x, _y, _z, i) => (turns[at] = inCube ? inCube[i] - HALF : turn!));
  });
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
