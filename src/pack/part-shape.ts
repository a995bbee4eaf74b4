import { type Progress, STEPS_PER_REPORT } from "../core/progress.ts";
import { releaseArrays } from "../core/typed-arrays.ts";
import { type Box, boxCentre } from "../geometry/box.ts";
import { type GridSize, squaredDistances } from "../geometry/distance-transform.ts";
import type { Mat3, Vec3 } from "../geometry/vector.ts";
import type { Mesh, Surface } from "../mesh/mesh.ts";
import { type VoxelGrid, cornersInVoxels } from "../mesh/voxel/voxel-grid.ts";
import { voxelizeInterior } from "../mesh/voxel/voxelize-interior.ts";
import { voxelizeSurface } from "../mesh/voxel/voxelize-surface.ts";

/**
 * The distance field of a scaled mesh in one rotation: at voxel centres, distance to the nearest voxel of the solid, in
 * steps, at most 255. Cavities that nothing outside can enter count as solid. The grid is centred on the box of the rotated mesh and has an even
 * number of voxels along each axis, of half the size of a cell of the chamber.
 */
export interface PartField extends GridSize {
  readonly distances: Uint8Array;
  readonly stepsPerVoxel: number;
  /** 1 for each cell, of 2 × 2 × 2 voxels, that the part covers. */
  readonly covered: Uint8Array;
}

/** A scaled mesh in a rotation. */
export interface RotatedBox {
  /** Vector from the position of the model (its origin) to the centre of the box, mm. */
  readonly centre: Vec3;
  readonly sizeMm: Vec3;
}

/** The vertices of a mesh, rotated about its origin and scaled. */
export function rotatedVertices(
  mesh: Mesh,
  rotation: Mat3,
  scale: number,
  progress: Progress,
): Float64Array<ArrayBuffer> {
  const [ox, oy, oz] = boxCentre(mesh.box);
  const [a, b, c, d, e, f, g, h, i] = rotation;
  const vertices = new Float64Array(mesh.vertices.length);
  for (let at = 0; at < vertices.length; at += 3) {
    if (at % (3 * STEPS_PER_REPORT) === 0) progress.report(0);
    const x = scale * (mesh.vertices[at] - ox);
    const y = scale * (mesh.vertices[at + 1] - oy);
    const z = scale * (mesh.vertices[at + 2] - oz);
    vertices[at] = a * x + b * y + c * z;
    vertices[at + 1] = d * x + e * y + f * z;
    vertices[at + 2] = g * x + h * y + i * z;
  }
  return vertices;
}

/** The surface of a mesh, rotated about its origin and scaled, facing outward. */
export function rotatedSurface(mesh: Mesh, rotation: Mat3, scale: number, progress: Progress): Surface {
  const vertices = rotatedVertices(mesh, rotation, scale, progress);
  if (mesh.volumeMm3 >= 0) return { vertices, triangles: mesh.triangles };
  const triangles = mesh.triangles.slice();
  for (let at = 0; at < triangles.length; at += 3) {
    [triangles[at + 1], triangles[at + 2]] = [triangles[at + 2], triangles[at + 1]];
  }
  return { vertices, triangles };
}

/** The greatest distance that a field holds, in steps. */
const STEPS = 255;

/** Sizes are reduced by this factor, so that the sides of a box of whole voxels do not touch other voxels. */
const SHRINK = 1 - 1e-4;

/** The distance field of a surface with the bounding box `box`, with distances up to `reachMm`. */
export function partField(surface: Surface, box: Box, voxelMm: number, reachMm: number, progress: Progress): PartField {
  const reach = Math.ceil(reachMm / voxelMm) + 1;
  const count = (axis: 0 | 1 | 2): number =>
    2 * (Math.ceil(((box.max[axis] - box.min[axis]) * SHRINK) / (2 * voxelMm)) + 2 * Math.ceil(reach / 4));
  const size = { columns: count(0), rows: count(1), layers: count(2) };
  const centre = boxCentre(box);
  const first = (axis: 0 | 1 | 2): number => centre[axis] - ((count(axis) - 1) / 2) * (voxelMm / SHRINK);
  const grid: VoxelGrid = { ...size, voxelMm: voxelMm / SHRINK, origin: [first(0), first(1), first(2)] };
  progress.report(0);
  const corners = cornersInVoxels(surface, grid);
  const isSolid = voxelizeInterior(corners, grid, progress.silent());
  const { voxels } = voxelizeSurface(corners, grid, progress.silent());
  progress.report(0);
  for (let i = 0; i < voxels.length; i++) isSolid[voxels[i]] = 1;
  releaseArrays(corners);
  progress.report(0);
  fillSealed(isSolid, grid, progress);
  const squares = squaredDistances(isSolid, grid, reach, progress.silent());
  const steps = Uint8Array.from({ length: reach * reach + 1 }, (_, square) =>
    Math.round((STEPS * Math.sqrt(square)) / reach),
  );
  const distances = new Uint8Array(squares.length);
  for (let i = 0; i < squares.length; i++) distances[i] = steps[squares[i]];
  releaseArrays(isSolid, squares);
  progress.report(0);
  const stepsPerVoxel = STEPS / reach;
  return { ...size, distances, stepsPerVoxel, covered: coveredCells(distances, size, stepsPerVoxel) };
}

/**
 * Marks empty voxels that are not connected with the sides of the grid through faces of empty voxels as solid. The two outermost layers of
 * voxels are empty.
 */
function fillSealed(isSolid: Uint8Array, grid: GridSize, progress: Progress): void {
  const { columns, rows, layers } = grid;
  const layer = columns * rows;
  const OPEN = 2;
  // Voxels at the sides are never centres of the search, so all neighbours are in the grid, in the same row and layer.
  isSolid.fill(OPEN, 0, layer);
  isSolid.fill(OPEN, (layers - 1) * layer);
  for (let z = layer; z < (layers - 1) * layer; z += layer) {
    isSolid.fill(OPEN, z, z + columns);
    isSolid.fill(OPEN, z + layer - columns, z + layer);
    for (let row = z; row < z + layer; row += columns) {
      isSolid[row] = OPEN;
      isSolid[row + columns - 1] = OPEN;
    }
  }
  const stack = new Uint32Array(isSolid.length);
  let height = 0;
  const open = (voxel: number): void => {
    if (isSolid[voxel] !== 0) return;
    isSolid[voxel] = OPEN;
    stack[height++] = voxel;
  };
  open(layer + columns + 1);
  for (let steps = 0; height > 0; steps++) {
    if (steps % STEPS_PER_REPORT === 0) progress.report(0);
    const voxel = stack[--height];
    open(voxel - 1);
    open(voxel + 1);
    open(voxel - columns);
    open(voxel + columns);
    open(voxel - layer);
    open(voxel + layer);
  }
  releaseArrays(stack);
  for (let voxel = 0; voxel < isSolid.length; voxel++) isSolid[voxel] = isSolid[voxel] === OPEN ? 0 : 1;
}

/**
 * Largest mean distance, in voxels, from the voxels of a cell to the solid at which the cell counts as covered: the solid reaches at least
 * one layer of these voxels.
 */
const COVERED_WITHIN = 0.501;

function coveredCells(distances: Uint8Array, { columns, rows, layers }: GridSize, stepsPerVoxel: number): Uint8Array {
  const limit = 8 * COVERED_WITHIN * stepsPerVoxel;
  const layer = columns * rows;
  const covered = new Uint8Array(distances.length / 8);
  let cell = 0;
  for (let z = 0; z < layers; z += 2) {
    for (let y = 0; y < rows; y += 2) {
      for (let at = z * layer + y * columns, end = at + columns; at < end; at += 2, cell++) {
        const low = distances[at] + distances[at + 1] + distances[at + columns] + distances[at + columns + 1];
        const up = at + layer;
        const high = distances[up] + distances[up + 1] + distances[up + columns] + distances[up + columns + 1];
        if (low + high < limit) covered[cell] = 1;
      }
    }
  }
  return covered;
}
