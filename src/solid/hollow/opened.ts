import type { Watch } from "../../core/watch.ts";
import { cellsOf } from "../../mesh/voxel/cell-vertex.ts";
import { eachVoxel } from "./each-voxel.ts";
import type { Depths, Levels } from "./levels.ts";

/** A surface through all cells has a vertex no farther from any of its points, squared. */
const BETWEEN_VERTICES = 0.5;
/** Beyond that, for rounding and bends. */
const SLACK = 0.05;

const BLOCKS_PER_REPORT = 1024;

/**
 * Tells how far a voxel lies in the cavity, in voxels: what is deeper than the wall's level and within a ball of the core, which is
 * all as deep as its level. So the cavity has no place that such a ball does not fit into. Distances to the core are those
 * to vertices on its surface, in balls a little larger: where that is smooth the depth alone decides.
 */
export function opened(depths: Depths, { wall, core }: Levels, watch: Watch): (voxel: number) => number {
  const { values } = depths;
  const radius = Math.sqrt((core - wall) ** 2 + BETWEEN_VERTICES) + SLACK;
  const toCore = distancesToCore(depths, core, radius + 1, watch);
  return (voxel) => {
    const depth = values[voxel];
    const ball = depth >= core ? radius : radius - Math.sqrt(toCore[voxel]);
    return Math.min(depth - wall, ball);
  };
}

/** The squared distance of each voxel to the vertices of the core's surface that are within `reach`, else Infinity. */
function distancesToCore(depths: Depths, core: number, reach: number, watch: Watch): Float32Array {
  const { columns, rows, layers, values, blocks } = depths;
  const cells = cellsOf(values, depths, core);
  const squares = new Float32Array(values.length).fill(Infinity);
  const vertex = new Float64Array(3);

  const spread = (x: number, y: number, z: number): void => {
    for (let k = Math.max(0, Math.ceil(z - reach)); k <= Math.min(layers - 1, z + reach); k++) {
      for (let j = Math.max(0, Math.ceil(y - reach)); j <= Math.min(rows - 1, y + reach); j++) {
        const aside = (k - z) * (k - z) + (j - y) * (j - y);
        const along = reach * reach - aside;
        if (along < 0) continue;
        const half = Math.sqrt(along);
        const row = (k * rows + j) * columns;
        for (let i = Math.max(0, Math.ceil(x - half)); i <= Math.min(columns - 1, x + half); i++) {
          const square = aside + (i - x) * (i - x);
          if (square < squares[row + i]) squares[row + i] = square;
        }
      }
    }
  };
  const { length } = blocks;
  for (let b = 0; b < length; b++) {
    if (b % BLOCKS_PER_REPORT === 0) watch.report(b / length);
    eachVoxel(blocks[b], depths, (cell, x, y, z) => {
      if (x + 1 === columns || y + 1 === rows || z + 1 === layers) return;
      const corners = cells.cornersOf(cell);
      if (corners === 0 || corners === 255) return;
      cells.vertexOf(cell, corners, vertex);
      spread(x + vertex[0], y + vertex[1], z + vertex[2]);
    });
  }
  return squares;
}
