import { boxOf, boxSize } from "../geometry/box.ts";
import { bucketBy } from "../geometry/bucket-by.ts";
import type { Vec3 } from "../geometry/vector.ts";

/** The vertices of a part by cells of a grid: finds the outermost ones along a direction without looking at most of the others. */
export interface VertexCells {
  /** x, y, z of each vertex. */
  readonly vertices: Float64Array;
  /** The vertices of cell c are `items[starts[c]]` … `items[starts[c + 1] - 1]`, ascending. */
  readonly starts: Uint32Array;
  readonly items: Uint32Array;
  /** The box of the vertices in each cell: least x, y, z and greatest x, y, z. */
  readonly boxes: Float64Array;
}

/** Most cells along the longest side: more take longer to examine than the vertices that they leave out. */
const MAX_CELLS = 32;
/** With this number of vertices per cell of a cube's surface, a direction takes about as long for cells as for vertices. */
const VERTICES_PER_CELL = 16;
const CUBE_SIDES = 6;

export function vertexCells(vertices: Float64Array): VertexCells {
  const count = vertices.length / 3;
  const { min, max } = boxOf(vertices);
  const sides = boxSize({ min, max });
  const cells = Math.min(MAX_CELLS, Math.ceil(Math.sqrt(count / (CUBE_SIDES * VERTICES_PER_CELL))));
  const perMm = cells / (Math.max(...sides) || 1);
  const [columns, rows, layers] = sides.map((side) => Math.floor(side * perMm) + 1);
  const [x0, y0, z0] = min;
  const cellOf = new Int32Array(count);
  // The number of each occupied cell plus 1, in the order of the vertices.
  const numbers = new Uint32Array(columns * rows * layers);
  let occupied = 0;
  for (let i = 0; i < count; i++) {
    const x = ((vertices[3 * i] - x0) * perMm) | 0;
    const y = ((vertices[3 * i + 1] - y0) * perMm) | 0;
    const z = ((vertices[3 * i + 2] - z0) * perMm) | 0;
    const cell = (z * rows + y) * columns + x;
    if (numbers[cell] === 0) numbers[cell] = ++occupied;
    cellOf[i] = numbers[cell] - 1;
  }
  const boxes = new Float64Array(6 * occupied);
  for (let at = 0; at < boxes.length; at += 6) boxes.fill(Infinity, at, at + 3).fill(-Infinity, at + 3, at + 6);
  for (let i = 0; i < count; i++) growBox(boxes, 6 * cellOf[i], vertices, 3 * i);
  return { vertices, ...bucketBy(cellOf, occupied), boxes };
}

function growBox(boxes: Float64Array, box: number, vertices: Float64Array, vertex: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const place = vertices[vertex + axis];
    if (place < boxes[box + axis]) boxes[box + axis] = place;
    if (place > boxes[box + 3 + axis]) boxes[box + 3 + axis] = place;
  }
}

/** The least and the greatest coordinate along a direction, and the first vertex with each. */
export interface Outermost {
  readonly least: number;
  readonly most: number;
  readonly nearest: number;
  readonly farthest: number;
}

/**
 * The outermost vertices along a direction, to the bit the same as among all vertices: the bound of a cell is computed from its box by the
 * same operations as a coordinate, and rounding keeps the order of sums and products.
 */
export function outermostAlong({ vertices, starts, items, boxes }: VertexCells, [x, y, z]: Vec3): Outermost {
  // The offsets in a box of the corner that is farthest along the direction, and of its opposite.
  const [highX, highY, highZ] = [x > 0 ? 3 : 0, y > 0 ? 4 : 1, z > 0 ? 5 : 2];
  const [lowX, lowY, lowZ] = [3 - highX, 5 - highY, 7 - highZ];
  const highOf = (box: number): number => x * boxes[box + highX] + y * boxes[box + highY] + z * boxes[box + highZ];
  const lowOf = (box: number): number => x * boxes[box + lowX] + y * boxes[box + lowY] + z * boxes[box + lowZ];
  let least = Infinity;
  let most = -Infinity;
  let nearest = 0;
  let farthest = 0;
  const examine = (cell: number): void => {
    for (let slot = starts[cell]; slot < starts[cell + 1]; slot++) {
      const vertex = items[slot];
      const along = x * vertices[3 * vertex] + y * vertices[3 * vertex + 1] + z * vertices[3 * vertex + 2];
      if (along < least || (along === least && vertex < nearest)) {
        least = along;
        nearest = vertex;
      }
      if (along > most || (along === most && vertex < farthest)) {
        most = along;
        farthest = vertex;
      }
    }
  };
  let lowest = 0;
  let highest = 0;
  let bottom = Infinity;
  let top = -Infinity;
  for (let box = 0; box < boxes.length; box += 6) {
    const low = lowOf(box);
    const high = highOf(box);
    if (low < bottom) {
      bottom = low;
      lowest = box / 6;
    }
    if (high > top) {
      top = high;
      highest = box / 6;
    }
  }
  examine(lowest);
  examine(highest);
  for (let box = 0; box < boxes.length; box += 6) {
    if (lowOf(box) <= least || highOf(box) >= most) examine(box / 6);
  }
  return { least, most, nearest, farthest };
}

/** x, y, z of the two {@link outermostAlong} a direction. */
export function outermostPoints(cells: VertexCells, direction: Vec3): Float64Array {
  const { nearest, farthest } = outermostAlong(cells, direction);
  const points = new Float64Array(6);
  for (let axis = 0; axis < 3; axis++) {
    points[axis] = cells.vertices[3 * nearest + axis];
    points[3 + axis] = cells.vertices[3 * farthest + axis];
  }
  return points;
}
