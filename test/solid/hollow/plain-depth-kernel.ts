import type { DepthField } from "../../../src/solid/hollow/depth-field.ts";
import type { DepthKernel, FineGrid, SeededGrid } from "../../../src/solid/hollow/depth-kernel.ts";

// The interpolation and refinement of `depth-kernel.as.ts` in plain TypeScript, simple and slow.

export const DIRECTION_STEPS = 32_767;
const EXACT_WITHIN = 0.6;
const AGREEMENT = 0.15;
const RIDGE = 0.3;
const AXES = [0, 1, 2];
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * The depths of a fine grid from the coarse depths in the memory of a kernel. It asks the kernel for exact depths only.
 */
export function plainFineDepths(
  { memory, offsets, distanceTo }: DepthKernel,
  { columns, rows, layers }: SeededGrid,
  fine: FineGrid,
): Pick<DepthField, "values" | "blocks" | "ridges"> {
  const { fineColumns, fineRows, fineLayers, offsetX, offsetY, offsetZ, wall, core, deepest, blockDiagonal } = fine;
  const voxels = columns * rows * layers;
  const depths = new Float32Array(memory.buffer, offsets.depths, voxels);
  const directions = new Int16Array(memory.buffer, offsets.directions, 3 * voxels);
  const values = new Float32Array(fineColumns * fineRows * fineLayers);
  const [blocks, unsure, ridges]: [number[], number[], number[]] = [[], [], []];
  const indexOf = (x: number, y: number, z: number): number => (z * fineRows + y) * fineColumns + x;
  const bit = (corner: number, axis: number): number => (corner >> axis) & 1;
  const exactDepth = (x: number, y: number, z: number): number =>
    2 * distanceTo((x + offsetX) / 2, (y + offsetY) / 2, (z + offsetZ) / 2);
  const coarseVoxel = (x: number, y: number, z: number, corner: number): number => {
    const [i, j, k] = [(x + offsetX) / 2, (y + offsetY) / 2, (z + offsetZ) / 2];
    return ((k + bit(corner, 2)) * rows + j + bit(corner, 1)) * columns + i + bit(corner, 0);
  };

  const fillBlock = (x: number, y: number, z: number): void => {
    const corners = CORNERS.map((corner) => {
      const voxel = coarseVoxel(x, y, z, corner);
      const direction = AXES.map((axis) => directions[3 * voxel + axis]);
      return {
        depth: 2 * depths[voxel],
        slopes: direction.map((steps, axis) => (bit(corner, axis) === 1 ? -steps : steps) / DIRECTION_STEPS),
        isExact: direction.some((steps) => steps !== 0),
      };
    });
    const cornerDepths = corners.map(({ depth }) => depth);
    if (cornerDepths[0] < wall - 4 * blockDiagonal || Math.max(...cornerDepths) < wall - blockDiagonal) return;
    const isDeep = Math.min(...cornerDepths) > core + blockDiagonal;
    if (!isDeep) blocks.push(indexOf(x, y, z));
    let [isUnsure, isRidge] = [false, false];
    for (const i of CORNERS) {
      const [xi, yi, zi] = [x + bit(i, 0), y + bit(i, 1), z + bit(i, 2)];
      if (xi >= fineColumns || yi >= fineRows || zi >= fineLayers) continue;
      // The corners whose bits are a subset of those of the voxel, which is their centre; in the order of the kernel's
      // sum.
      const around = [i, ...CORNERS.filter((corner) => corner < i && (corner & ~i) === 0).toReversed()];
      const rises = around.map((corner) =>
        AXES.map((axis) => bit(i, axis) * corners[corner].slopes[axis]).reduce((sum, rise) => sum + rise),
      );
      const mean = around.reduce((sum, corner, n) => sum + (corners[corner].depth + rises[n] / 2), 0) / around.length;
      const extrapolated = around.map((corner, n) => corners[corner].depth + rises[n]);
      const difference = Math.max(...extrapolated, mean) - Math.min(...extrapolated, mean);
      const areExact = around.every((corner) => corners[corner].isExact);
      let depth = isDeep ? deepest : mean;
      if (!isDeep && i > 0) {
        if (areExact && difference > RIDGE) isRidge = true;
        if (!areExact || difference >= AGREEMENT) {
          isUnsure = true;
          const isNearLevel = [wall, core].some((level) => Math.abs(mean - level) < EXACT_WITHIN);
          depth = isNearLevel ? exactDepth(xi, yi, zi) : -mean;
        }
      }
      values[indexOf(xi, yi, zi)] = depth;
    }
    if (isUnsure) unsure.push(indexOf(x, y, z));
    if (isRidge) ridges.push(indexOf(x, y, z));
  };
  for (let z = 0; z < fineLayers; z += 2) {
    for (let y = 0; y < fineRows; y += 2) for (let x = 0; x < fineColumns; x += 2) fillBlock(x, y, z);
  }

  const zoneAt = (x: number, y: number, z: number): number => {
    const depth = Math.abs(values[indexOf(x, y, z)]);
    return depth < wall ? 0 : depth < core ? 1 : 2;
  };
  for (const first of unsure) {
    const [x0, y0, z0] = [
      first % fineColumns,
      Math.floor(first / fineColumns) % fineRows,
      Math.floor(first / fineColumns / fineRows),
    ];
    for (const i of CORNERS) {
      const [x, y, z] = [x0 + bit(i, 0), y0 + bit(i, 1), z0 + bit(i, 2)];
      if (x >= fineColumns || y >= fineRows || z >= fineLayers || values[indexOf(x, y, z)] > 0) continue;
      const isBesideLevel = [
        [-1, 0, 0],
        [1, 0, 0],
        [0, -1, 0],
        [0, 1, 0],
        [0, 0, -1],
        [0, 0, 1],
      ].some(([dx, dy, dz]) => {
        const [p, q, r] = [x + dx, y + dy, z + dz];
        const isInGrid = p >= 0 && q >= 0 && r >= 0 && p < fineColumns && q < fineRows && r < fineLayers;
        return isInGrid && zoneAt(p, q, r) !== zoneAt(x, y, z);
      });
      if (isBesideLevel) values[indexOf(x, y, z)] = exactDepth(x, y, z);
    }
  }
  return { values: values.map(Math.abs), blocks: Uint32Array.from(blocks), ridges: Uint32Array.from(ridges) };
}
