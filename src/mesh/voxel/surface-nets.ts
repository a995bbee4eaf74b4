import type { Progress } from "../../core/progress.ts";
import { ensureCapacity } from "../../core/typed-arrays.ts";
import type { GridSize } from "../../geometry/distance-transform.ts";
import type { Surface } from "../mesh.ts";
import { type VoxelField, blockIndexer, blocksAlong } from "./voxel-grid.ts";

/** The closed surface of {@link surfaceNetsOfLayers} for all layers. */
export const surfaceNets = (field: VoxelField, progress: Progress): Surface =>
  surfaceNetsOfLayers(field, 0, field.layers, progress).surface;

/** The surface net of some layers of cells. Nets of neighbouring layers share vertices. */
export interface LayerNet {
  readonly surface: Surface;
  /** Number of vertices, the first ones, that are in the layer below. */
  readonly low: number;
  /** Number of vertices, the last ones, that are in the highest layer. */
  readonly high: number;
}

/**
 * The surface on which the values cross 0 in the layers `from` to `to` − 1, facing the negative values: one vertex in each
 * crossed cell, in the order of the cells, and a quad around each crossed edge. For all layers it is a closed manifold if
 * the voxels are well-composed ({@link makeWellComposed}); for some layers it ends along edges of shared vertices.
 * Source: S. Gibson, "Constrained elastic surface nets" (1998).
 */
export function surfaceNetsOfLayers(field: VoxelField, from: number, to: number, progress: Progress): LayerNet {
  const { columns, rows, layers, isCrossed } = field;
  const [blocksX, blocksY] = [blocksAlong(columns), blocksAlong(rows)];
  const net = new NetBuilder(field);
  const end = Math.min(to, layers - 1);
  let low = 0;
  let highFrom = 0;
  for (let z = Math.max(0, from - 1); z < end; z++) {
    progress.report((z - from) / (end - from));
    net.beginLayer();
    highFrom = net.vertexCount;
    for (let y = 0; y + 1 < rows; y++) {
      const blockRow = ((z >> 1) * blocksY + (y >> 1)) * blocksX;
      for (let x = 0; x + 1 < columns; x++) {
        if (isCrossed[blockRow + (x >> 1)] === 0) x |= 1;
        else net.addCell(x, y, z, z >= from);
      }
    }
    if (z < from) low = net.vertexCount;
  }
  return { surface: net.surface(), low, high: end === to ? net.vertexCount - highFrom : 0 };
}

class NetBuilder {
  vertexCount = 0;
  readonly #field: VoxelField;
  readonly #cells: GridCells;
  #vertices = new Float64Array(1024);
  #triangles = new Uint32Array(1024);
  #cornerCount = 0;
  /** The vertices of the cells in this layer and in the one below. */
  #here: Uint32Array;
  #below: Uint32Array;
  readonly #vertex = new Float64Array(3);

  constructor(field: VoxelField) {
    this.#field = field;
    this.#cells = gridCells(field.values, field);
    this.#here = new Uint32Array(field.columns * field.rows);
    this.#below = new Uint32Array(field.columns * field.rows);
  }

  beginLayer(): void {
    [this.#here, this.#below] = [this.#below, this.#here];
  }

  /** Adds the vertex of a cell that the surface crosses and, if `withQuads`, the quads around the edges at its first corner. */
  addCell(x: number, y: number, z: number, withQuads: boolean): void {
    const { columns, rows, origin, voxelMm } = this.#field;
    const cell = (z * rows + y) * columns + x;
    const corners = this.#cells.cornersOf(cell);
    if (corners === 0 || corners === 255) return;
    const vertex = this.#vertex;
    this.#cells.vertexOf(cell, corners, vertex);
    const first = 3 * this.vertexCount;
    const vertices = (this.#vertices = ensureCapacity(this.#vertices, first + 3));
    vertices[first] = origin[0] + voxelMm * (x + vertex[0]);
    vertices[first + 1] = origin[1] + voxelMm * (y + vertex[1]);
    vertices[first + 2] = origin[2] + voxelMm * (z + vertex[2]);
    const at = y * columns + x;
    this.#here[at] = this.vertexCount++;
    if (withQuads) this.#addQuads(at, corners);
  }

  surface(): Surface {
    return {
      vertices: this.#vertices.subarray(0, 3 * this.vertexCount),
      triangles: this.#triangles.subarray(0, this.#cornerCount),
    };
  }

  /** Adds the quads around the three edges at a cell's first corner: all cells around them have their vertices. */
  #addQuads(at: number, corners: number): void {
    const { columns } = this.#field;
    const here = this.#here;
    const below = this.#below;
    const isInside = (corners & 1) === 1;
    if (isInside !== ((corners & 2) === 2)) {
      this.#addQuad(isInside, below[at - columns], below[at], here[at], here[at - columns]);
    }
    if (isInside !== ((corners & 4) === 4)) this.#addQuad(isInside, below[at - 1], here[at - 1], here[at], below[at]);
    if (isInside !== ((corners & 16) === 16)) {
      this.#addQuad(isInside, here[at - columns - 1], here[at - columns], here[at], here[at - 1]);
    }
  }

  /** Two triangles around an edge; the corners are counter-clockwise seen from its end if its first voxel is inside. */
  #addQuad(isFirstInside: boolean, a: number, second: number, c: number, fourth: number): void {
    const b = isFirstInside ? second : fourth;
    const d = isFirstInside ? fourth : second;
    const isDiagonalAc = this.#squaredDistance(a, c) <= this.#squaredDistance(b, d);
    const at = this.#cornerCount;
    const triangles = (this.#triangles = ensureCapacity(this.#triangles, at + 6));
    triangles[at] = a;
    triangles[at + 1] = b;
    triangles[at + 2] = isDiagonalAc ? c : d;
    triangles[at + 3] = isDiagonalAc ? a : b;
    triangles[at + 4] = c;
    triangles[at + 5] = d;
    this.#cornerCount = at + 6;
  }

  #squaredDistance(p: number, q: number): number {
    const vertices = this.#vertices;
    const dx = vertices[3 * p] - vertices[3 * q];
    const dy = vertices[3 * p + 1] - vertices[3 * q + 1];
    const dz = vertices[3 * p + 2] - vertices[3 * q + 2];
    return dx * dx + dy * dy + dz * dz;
  }
}

/** The two corners of each of the twelve edges of a cell. Bits 0, 1 and 2 of a corner are its x, y and z. */
const EDGES = new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7]);

/** Least distance of a vertex from the walls of its cell, so that no two vertices coincide. */
const WALL_DISTANCE = 1e-3;

/** The cells of a grid that a surface of value 0 crosses. The first of the eight corners of cell i is voxel i. */
export interface GridCells {
  /** A bit for each corner of a cell: whether its value is 0 or more. */
  readonly cornersOf: (cell: number) => number;
  /** The mean of the points where the surface crosses the edges of a cell, relative to its first corner. */
  readonly vertexOf: (cell: number, corners: number, out: Float64Array) => void;
}

/** The index offsets from a cell to the voxels at its eight corners. */
export const cornerOffsets = ({ columns, rows }: GridSize): Int32Array =>
  Int32Array.from({ length: 8 }, (_, i) => (i & 1) + ((i >> 1) & 1) * columns + (i >> 2) * columns * rows);

export function gridCells(values: Float32Array | Int16Array, size: GridSize): GridCells {
  const offsets = cornerOffsets(size);
  const [, o1, o2, o3, o4, o5, o6, o7] = offsets;
  return {
    cornersOf: (cell) =>
      (values[cell] >= 0 ? 1 : 0) |
      (values[cell + o1] >= 0 ? 2 : 0) |
      (values[cell + o2] >= 0 ? 4 : 0) |
      (values[cell + o3] >= 0 ? 8 : 0) |
      (values[cell + o4] >= 0 ? 16 : 0) |
      (values[cell + o5] >= 0 ? 32 : 0) |
      (values[cell + o6] >= 0 ? 64 : 0) |
      (values[cell + o7] >= 0 ? 128 : 0),
    vertexOf(cell, corners, out) {
      out.fill(0);
      let crossed = 0;
      for (let edge = 0; edge < 24; edge += 2) {
        const a = EDGES[edge];
        const b = EDGES[edge + 1];
        if (((corners >> a) & 1) === ((corners >> b) & 1)) continue;
        const from = values[cell + offsets[a]];
        const share = (0 - from) / (values[cell + offsets[b]] - from);
        out[0] += edge < 8 ? share : a & 1;
        out[1] += edge >= 8 && edge < 16 ? share : (a >> 1) & 1;
        out[2] += edge >= 16 ? share : a >> 2;
        crossed++;
      }
      for (let axis = 0; axis < 3; axis++) {
        out[axis] = Math.min(1 - WALL_DISTANCE, Math.max(WALL_DISTANCE, out[axis] / crossed));
      }
    },
  };
}

/** The four corners around each of the six faces of a cell. */
const FACES = [
  [0, 1, 3, 2],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 3, 7, 6],
  [0, 2, 6, 4],
  [1, 3, 7, 5],
] as const;

/**
 * 1 for each set of inside corners of a cell with which the boundary of the voxels is no manifold: two voxels share only
 * an edge or only a corner. Source: L. Latecki, "3D well-composed pictures" (1997).
 */
const IS_CRITICAL = Uint8Array.from({ length: 256 }, (_, corners) => {
  const has = (corner: number): boolean => ((corners >> corner) & 1) === 1;
  const isFaceCritical = FACES.some(([a, b, c, d]) => has(a) === has(c) && has(b) === has(d) && has(a) !== has(b));
  const isPair = (set: number): boolean => [0, 1, 2, 3].some((corner) => set === ((1 << corner) | (1 << (7 - corner))));
  return isFaceCritical || isPair(corners) || isPair(corners ^ 255) ? 1 : 0;
});

/**
 * Removes voxels with values of 0 or more, in each critical cell the one with the least value first, until the boundary of
 * the remaining ones is a manifold. Removed voxels get the value −1.
 */
export function makeWellComposed(field: VoxelField, progress: Progress): void {
  const { columns, rows, layers, values, isCrossed } = field;
  const { cornersOf } = gridCells(values, field);
  const offsets = cornerOffsets(field);
  const cellsToCheck: number[] = [];
  const [blocksX, blocksY] = [blocksAlong(columns), blocksAlong(rows)];
  const blockOf = blockIndexer(field);

  const resolve = (cell: number): void => {
    while (IS_CRITICAL[cornersOf(cell)] === 1) {
      let weakest = -1;
      for (const offset of offsets) {
        const value = values[cell + offset];
        if (value >= 0 && (weakest < 0 || value < values[weakest])) weakest = cell + offset;
      }
      values[weakest] = -1;
      for (const offset of offsets) {
        cellsToCheck.push(weakest - offset);
        isCrossed[blockOf(weakest - offset)] = 1;
      }
    }
  };
  for (let z = 0; z + 1 < layers; z++) {
    progress.report(z / layers);
    for (let y = 0; y + 1 < rows; y++) {
      const blockRow = ((z >> 1) * blocksY + (y >> 1)) * blocksX;
      for (let x = 0; x + 1 < columns; x++) {
        if (isCrossed[blockRow + (x >> 1)] === 0) {
          x |= 1;
          continue;
        }
        const cell = (z * rows + y) * columns + x;
        if (IS_CRITICAL[cornersOf(cell)] === 0) continue;
        cellsToCheck.push(cell);
        for (let next = cellsToCheck.pop(); next !== undefined; next = cellsToCheck.pop()) resolve(next);
      }
    }
  }
}
