import { type Mat3, dot, matrixRow } from "../geometry/vector.ts";
import type { Extremes } from "./part-shape.ts";
import type { PartSurface } from "./part-surface.ts";
import type { PartVoxels } from "./part-voxels.ts";
import { outermostAlong } from "./vertex-cells.ts";
import { voxelizeWalls } from "./voxelize-walls.ts";

/**
 * The air around a part, in voxels. A voxel is air if it can be reached from outside without crossing the surface. The interior of a
 * solid and its closed cavities, which are sealed in every orientation, are therefore not air.
 */
export interface AirVoxels extends PartVoxels {
  /** The voxels of `HULL_AIR` and `BOUNDARY_AIR` as runs along rows: the first voxel of each run, and the voxel after its last. */
  readonly runs: Int32Array;
  /** The voxels of `BOUNDARY_AIR`. */
  readonly boundary: Int32Array;
  /** Through lines along x, y and z. */
  readonly lines: readonly ThroughLines[];
}

const UNVISITED = 0;
const WALL = 1;
/** Air within the convex hull that has no other kind. */
export const HULL_AIR = 2;
/** Air within the convex hull next to open or through air. */
const BOUNDARY_AIR = 3;
/**
 * Air outside the convex hull of the part: only the platform can close it. All voxels at the border of the grid are
 * open.
 */
export const OPEN_AIR = 4;
/** Air within the convex hull on a straight line of air along an axis; both ends of the line are outside the hull. */
const THROUGH_AIR = 5;

/** Number of voxels: each is 1.3 mm wide on a part of 80 mm, far wider than walls, narrower than vents that drain. */
const DEFAULT_VOXELS = 250_000;
/** Least width of voxels, mm: finer details do not print. */
const MIN_SIDE_MM = 0.2;
/** Empty voxels around the part on each side. */
const MARGIN_VOXELS = 2;

/** The air around a part in about `voxelCount` voxels along the rows of `frame`. */
export function airAround(
  surface: PartSurface,
  extremes: Extremes,
  frame: Mat3,
  voxelCount = DEFAULT_VOXELS,
): AirVoxels {
  const spans = [0, 1, 2].map((i) => outermostAlong(surface.cells, matrixRow(frame, i)));
  const sides = spans.map(({ least, most }) => most - least);
  const longest = Math.max(...sides);
  // Sides count as at least a tenth of the longest, so that the voxels of a thin part are not too small.
  const bulk = sides.reduce((product, side) => product * Math.max(side, longest / 10), 1);
  const voxelMm = Math.max(MIN_SIDE_MM, Math.fround(Math.cbrt(bulk / voxelCount)), longest / 500);
  const [columns, rows, layers] = sides.map((side) => Math.ceil(side / voxelMm) + 2 * MARGIN_VOXELS);
  const [x, y, z] = [columns, rows, layers].map(
    (count, i) => (spans[i].least + spans[i].most - (count - 1) * voxelMm) / 2,
  );
  const kinds = new Uint8Array(columns * rows * layers);
  const voxels: PartVoxels = { kinds, columns, rows, layers, voxelMm, frame, origin: [x, y, z] };
  markOpenAir(voxels, extremes);
  voxelizeWalls(voxels, surface, WALL);
  const lines = [0, 1, 2].map((axis) => markThroughLines(voxels, axis));
  const boundary = floodAir(voxels);
  return { ...voxels, runs: airRuns(voxels), boundary, lines };
}

/** Marks the border of the grid, and the voxels wholly outside one of the bounds as open air. The platform intersects none of these. */
function markOpenAir({ kinds, columns, rows, layers, voxelMm, frame, origin }: PartVoxels, { bounds }: Extremes): void {
  const planes = bounds.map(([direction, reachMm]) => {
    const [a, b, c] = [0, 1, 2].map((i) => dot(matrixRow(frame, i), direction) * voxelMm);
    return { a, b, c, most: reachMm + voxelMm - dot(origin, [a, b, c]) / voxelMm };
  });
  for (let z = 0; z < layers; z++) {
    for (let y = 0; y < rows; y++) {
      const isBorder = y === 0 || z === 0 || y + 1 === rows || z + 1 === layers;
      let from = 1;
      let to = isBorder ? -1 : columns - 2;
      for (const { a, b, c, most } of planes) {
        const left = most - b * y - c * z;
        if (a > 0) to = Math.min(to, Math.floor(left / a));
        else if (a < 0) from = Math.max(from, Math.ceil(left / a));
        else if (left < 0) to = -1;
      }
      const row = (z * rows + y) * columns;
      if (from > to) kinds.fill(OPEN_AIR, row, row + columns);
      else kinds.fill(OPEN_AIR, row, row + from).fill(OPEN_AIR, row + to + 1, row + columns);
    }
  }
}

/** Marks the air within the hull that can be reached from outside, and returns the voxels where the flood starts. */
function floodAir({ kinds, columns, rows }: PartVoxels): Int32Array {
  const layer = columns * rows;
  const neighbours = [-1, 1, -columns, columns, -layer, layer];
  const stack = new Int32Array(kinds.length);
  let stackSize = 0;
  for (let voxel = 0; voxel < kinds.length; voxel++) {
    if (kinds[voxel] !== UNVISITED) continue;
    const isBoundary =
      kinds[voxel - 1] >= OPEN_AIR ||
      kinds[voxel + 1] >= OPEN_AIR ||
      kinds[voxel - columns] >= OPEN_AIR ||
      kinds[voxel + columns] >= OPEN_AIR ||
      kinds[voxel - layer] >= OPEN_AIR ||
      kinds[voxel + layer] >= OPEN_AIR;
    if (!isBoundary) continue;
    kinds[voxel] = BOUNDARY_AIR;
    stack[stackSize++] = voxel;
  }
  const boundary = stack.slice(0, stackSize);
  while (stackSize > 0) {
    const voxel = stack[--stackSize];
    for (let side = 0; side < neighbours.length; side++) {
      const next = voxel + neighbours[side];
      if (kinds[next] !== UNVISITED) continue;
      kinds[next] = HULL_AIR;
      stack[stackSize++] = next;
    }
  }
  return boundary;
}

function airRuns({ kinds }: PartVoxels): Int32Array {
  const ends: number[] = [];
  let isRun = false;
  for (let voxel = 0; voxel < kinds.length; voxel++) {
    const kind = kinds[voxel];
    if ((kind === HULL_AIR || kind === BOUNDARY_AIR) === isRun) continue;
    ends.push(voxel);
    isRun = !isRun;
  }
  return Int32Array.from(ends);
}

/** Straight lines of air through a part along one axis of its voxels. */
interface ThroughLines {
  /** Index difference of neighbouring voxels along the axis. */
  readonly stride: number;
  /** The voxels before and after each line. Both are outside the hull of the part, and all voxels between them are air. */
  readonly ends: Int32Array;
  /** The voxels of the lines, one line after another, without voxels that belong to a line along another axis. */
  readonly voxels: Int32Array;
  /** Line k has `voxels[lineStarts[k]]` … `voxels[lineStarts[k + 1] - 1]`. */
  readonly lineStarts: Int32Array;
}

/**
 * Finds the lines of unvisited voxels between open air along an axis, and marks them. A voxel belongs to at most one
 * line.
 */
function markThroughLines({ kinds, columns, rows, layers }: PartVoxels, axis: number): ThroughLines {
  const axes = [
    { stride: 1, count: columns },
    { stride: columns, count: rows },
    { stride: columns * rows, count: layers },
  ];
  const { stride, count } = axes[axis];
  const [across, along] = axes.filter((_, other) => other !== axis);
  const ends: number[] = [];
  const voxels: number[] = [];
  const lineStarts = [0];
  for (let j = 0; j < along.count; j++) {
    for (let i = 0; i < across.count; i++) {
      const first = i * across.stride + j * along.stride;
      const last = first + (count - 1) * stride;
      // The last open voxel with only air after it (−1 for none), and whether some of that air is unvisited.
      let before = first;
      let isNew = false;
      for (let voxel = first; voxel <= last; voxel += stride) {
        const kind = kinds[voxel];
        if (kind === UNVISITED) isNew = true;
        else if (kind === OPEN_AIR) {
          if (isNew && before >= 0) {
            ends.push(before, voxel);
            for (let at = before + stride; at < voxel; at += stride) {
              if (kinds[at] !== UNVISITED) continue;
              kinds[at] = THROUGH_AIR;
              voxels.push(at);
            }
            lineStarts.push(voxels.length);
          }
          before = voxel;
          isNew = false;
        } else if (kind !== THROUGH_AIR) before = -1;
      }
    }
  }
  return {
    stride,
    ends: Int32Array.from(ends),
    voxels: Int32Array.from(voxels),
    lineStarts: Int32Array.from(lineStarts),
  };
}
