import type { Progress } from "../core/progress.ts";
import { exactLength, type Vec3 } from "../geometry/vector.ts";
import type { Bvh } from "../mesh/bvh/bvh.ts";
import {
  type Barycentric,
  distanceToSurface,
  squaredDistanceToBox,
  squaredDistanceToTriangle,
} from "../mesh/bvh/closest-point.ts";
import { type FacetSubset, fastWindingNumber, type WindingBvh } from "../mesh/bvh/fast-winding-number.ts";
import type { VoxelGrid } from "../mesh/voxel/voxel-grid.ts";

/** Voxels along a side of a cube. */
const CUBE = 5;
const MIDDLE = (CUBE - 1) / 2;

/** Distance of the centres of the outermost voxels of a cube from its centre, in voxels. */
export const CUBE_RADIUS = exactLength([MIDDLE, MIDDLE, MIDDLE]);

/** A cube of voxels of a grid, whose queries share their work. A cube at the end of the grid has fewer voxels. */
interface VoxelCube {
  /** Centre of its first voxel. */
  readonly first: Vec3;
  readonly centre: Vec3;
  /** Calls `visit` with the index of each existing voxel in the grid, its column, row and layer, and its index in the cube. */
  visitVoxels(visit: (at: number, x: number, y: number, z: number, inCube: number) => void): void;
}

/** Calls `visit` for each cube of a grid. */
export function visitVoxelCubes(grid: VoxelGrid, progress: Progress, visit: (cube: VoxelCube) => void): void {
  const { columns, rows, layers, origin, voxelMm } = grid;
  const pointAt = (x: number, y: number, z: number): Vec3 => [
    origin[0] + voxelMm * x,
    origin[1] + voxelMm * y,
    origin[2] + voxelMm * z,
  ];
  for (let z = 0; z < layers; z += CUBE) {
    for (let y = 0; y < rows; y += CUBE) {
      progress.report((z + (CUBE * y) / rows) / layers);
      for (let x = 0; x < columns; x += CUBE) {
        visit({
          first: pointAt(x, y, z),
          centre: pointAt(x + MIDDLE, y + MIDDLE, z + MIDDLE),
          visitVoxels(visitVoxel) {
            for (let k = z; k < Math.min(z + CUBE, layers); k++) {
              for (let j = y; j < Math.min(y + CUBE, rows); j++) {
                for (let i = x; i < Math.min(x + CUBE, columns); i++) {
                  visitVoxel((k * rows + j) * columns + i, i, j, k, ((k - z) * CUBE + j - y) * CUBE + i - x);
                }
              }
            }
          },
        });
      }
    }
  }
}

/**
 * For facets beyond this multiple of the cube's radius, the winding number is interpolated between the corners of the cube. The error
 * is less than 0.02 for a single facet.
 */
const FAR_FIELD_RADII = 2.5;

/** Output of the distance query. Not used. */
const barycentric: Barycentric = { v: 0, w: 0 };
const cornerValues = new Float64Array(8);

/**
 * The winding numbers at the voxel centres of a cube. Near facets are evaluated at each centre, far facets, usually most by far, only
 * at the corners of the cube.
 */
export function windingNumbersInCube(bvh: WindingBvh, { first, centre }: VoxelCube, voxelMm: number): Float32Array {
  const { near, far } = splitByDistance(bvh, centre, CUBE_RADIUS * voxelMm);
  const windingNumbers = new Float32Array(CUBE ** 3);
  const pointAt = (x: number, y: number, z: number): Vec3 => [
    first[0] + x * voxelMm,
    first[1] + y * voxelMm,
    first[2] + z * voxelMm,
  ];
  const last = CUBE - 1;
  for (let corner = 0; corner < 8; corner++) {
    const point = pointAt(corner & 1 ? last : 0, corner & 2 ? last : 0, corner & 4 ? last : 0);
    cornerValues[corner] = fastWindingNumber(bvh, far, point);
  }
  for (let z = 0; z < CUBE; z++) {
    for (let y = 0; y < CUBE; y++) {
      for (let x = 0; x < CUBE; x++) {
        const ofNear = fastWindingNumber(bvh, near, pointAt(x, y, z));
        windingNumbers[(z * CUBE + y) * CUBE + x] = ofNear + interpolateCorners(x / last, y / last, z / last);
      }
    }
  }
  return windingNumbers;
}

/** Trilinear interpolation of the corner values. */
function interpolateCorners(x: number, y: number, z: number): number {
  let sum = 0;
  for (let corner = 0; corner < 8; corner++) {
    sum += cornerValues[corner] * (corner & 1 ? x : 1 - x) * (corner & 2 ? y : 1 - y) * (corner & 4 ? z : 1 - z);
  }
  return sum;
}

/** The approximate number of facets that {@link windingNumbersInCube} evaluates for each voxel of the cube around a point. */
export function nearFacetCount(bvh: WindingBvh, centre: Vec3, voxelMm: number): number {
  const { near, far } = splitByDistance(bvh, centre, CUBE_RADIUS * voxelMm);
  return near.slots.length + near.nodes.length + (8 * (far.slots.length + far.nodes.length)) / CUBE ** 3;
}

/** The facets near a ball and the facets far from it. */
function splitByDistance(
  { tree: { links, corners }, dipoles: { centres, radii } }: WindingBvh,
  [x, y, z]: Vec3,
  radiusMm: number,
): { readonly near: FacetSubset; readonly far: FacetSubset } {
  const reachMm = FAR_FIELD_RADII * radiusMm;
  const near = { nodes: [] as number[], slots: [] as number[] };
  const far = { nodes: [] as number[], slots: [] as number[] };
  const open = [0];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const distance = exactLength([centres[3 * node] - x, centres[3 * node + 1] - y, centres[3 * node + 2] - z]);
    const [link, count] = [links[2 * node], links[2 * node + 1]];
    if (distance - radii[node] > reachMm) far.nodes.push(node);
    else if (radii[node] <= radiusMm) near.nodes.push(node);
    else if (count === 0) open.push(link, node + 1);
    else {
      for (let slot = link; slot < link + count; slot++) {
        const isFar = squaredDistanceToTriangle(corners, 9 * slot, x, y, z, barycentric) > reachMm * reachMm;
        (isFar ? far : near).slots.push(slot);
      }
    }
  }
  return { near, far };
}

/** With more near facets, a search in the BVH is faster than a comparison with all of them. */
const MAX_NEAR_FACETS = 24;

/**
 * Returns {@link distanceToSurface} for points near `centre`. `reachMm` must be so large that the facets within it include all facets
 * that are nearer to such a point than the limit.
 */
export function distancesNear(tree: Bvh, centre: Vec3, reachMm: number): (point: Vec3, limitMm: number) => number {
  const slots = facetsWithin(tree, centre, reachMm);
  if (slots.length > MAX_NEAR_FACETS) return (point, limitMm) => distanceToSurface(tree, point, limitMm);
  return ([x, y, z], limitMm) => {
    let least = limitMm * limitMm;
    for (const slot of slots)
      least = Math.min(least, squaredDistanceToTriangle(tree.corners, 9 * slot, x, y, z, barycentric));
    return least < limitMm * limitMm ? Math.sqrt(least) : limitMm;
  };
}

/** The slots of the facets within reach of a point. Stops at {@link MAX_NEAR_FACETS}. */
function facetsWithin({ boxes, links, corners }: Bvh, [x, y, z]: Vec3, reachMm: number): number[] {
  const squaredReach = reachMm * reachMm;
  const found: number[] = [];
  const open = [0];
  for (let node = open.pop(); node !== undefined && found.length <= MAX_NEAR_FACETS; node = open.pop()) {
    if (squaredDistanceToBox(boxes, 6 * node, x, y, z) > squaredReach) continue;
    const [link, count] = [links[2 * node], links[2 * node + 1]];
    if (count === 0) open.push(link, node + 1);
    for (let slot = link; slot < link + count; slot++) {
      if (squaredDistanceToTriangle(corners, 9 * slot, x, y, z, barycentric) <= squaredReach) found.push(slot);
    }
  }
  return found;
}
