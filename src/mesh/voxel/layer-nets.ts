import type { Watch } from "../../core/watch.ts";
import { grown } from "../grown.ts";
import type { Surface } from "../mesh.ts";
import { cellsOf } from "./cell-vertex.ts";
import { blocksAlong, type Field } from "./field.ts";

/** The net of some layers of cells. */
export interface Net {
  readonly surface: Surface;
  /** The first so many vertices are in the layer below them, the last so many in the highest: the nets of neighbours share them. */
  readonly low: number;
  readonly high: number;
}

/**
 * The surface on which values cross 0 in the layers `from` up to `to`, its facets counter-clockwise seen from where they are
 * below: a vertex in each cell that it passes through, in the order of the cells, four corners around each edge that it
 * crosses. That of all layers is a closed manifold where the voxels are well composed; that of some ends along edges of
 * shared vertices. Source: S. Gibson, "Constrained elastic surface nets" (1998).
 */
export function layerNets(field: Field, from: number, to: number, watch: Watch): Net {
  const { columns, rows, layers, origin, voxelMm, values, isCrossed } = field;
  const cells = cellsOf(values, field, 0);
  const [blocksX, blocksY] = [blocksAlong(columns), blocksAlong(rows)];
  const layer = columns * rows;
  let vertices = new Float64Array(1024);
  let triangles = new Uint32Array(1024);
  let vertexCount = 0;
  let cornerCount = 0;
  // The vertex of each cell of this layer and of the one below.
  let here = new Uint32Array(layer);
  let below = new Uint32Array(layer);
  const place = new Float64Array(3);

  const squared = (p: number, q: number): number => {
    const dx = vertices[3 * p] - vertices[3 * q];
    const dy = vertices[3 * p + 1] - vertices[3 * q + 1];
    const dz = vertices[3 * p + 2] - vertices[3 * q + 2];
    return dx * dx + dy * dy + dz * dz;
  };
  /** Counter-clockwise seen from the end of an axis, for an edge along it whose first voxel is within the surface or not. */
  const addQuad = (isFirstWithin: boolean, a: number, second: number, c: number, fourth: number): void => {
    const b = isFirstWithin ? second : fourth;
    const d = isFirstWithin ? fourth : second;
    triangles = grown(triangles, cornerCount + 6);
    const isAcross = squared(a, c) <= squared(b, d);
    triangles[cornerCount++] = a;
    triangles[cornerCount++] = b;
    triangles[cornerCount++] = isAcross ? c : d;
    triangles[cornerCount++] = isAcross ? a : b;
    triangles[cornerCount++] = c;
    triangles[cornerCount++] = d;
  };

  const addCell = (x: number, y: number, z: number): void => {
    const cell = z * layer + y * columns + x;
    const corners = cells.cornersOf(cell);
    if (corners === 0 || corners === 255) return;
    cells.vertexOf(cell, corners, place);
    vertices = grown(vertices, 3 * vertexCount + 3);
    vertices[3 * vertexCount] = origin[0] + voxelMm * (x + place[0]);
    vertices[3 * vertexCount + 1] = origin[1] + voxelMm * (y + place[1]);
    vertices[3 * vertexCount + 2] = origin[2] + voxelMm * (z + place[2]);
    const at = y * columns + x;
    here[at] = vertexCount++;
    if (z < from) return;
    // Edges from the cell's first corner: all cells around them have their vertices.
    const isWithin = (corners & 1) === 1;
    if (isWithin !== ((corners & 2) === 2)) {
      addQuad(isWithin, below[at - columns], below[at], here[at], here[at - columns]);
    }
    if (isWithin !== ((corners & 4) === 4)) addQuad(isWithin, below[at - 1], here[at - 1], here[at], below[at]);
    if (isWithin !== ((corners & 16) === 16)) {
      addQuad(isWithin, here[at - columns - 1], here[at - columns], here[at], here[at - 1]);
    }
  };

  const end = Math.min(to, layers - 1);
  let low = 0;
  let highFrom = 0;
  for (let z = Math.max(0, from - 1); z < end; z++) {
    watch.report((z - from) / (end - from));
    [here, below] = [below, here];
    highFrom = vertexCount;
    for (let y = 0; y + 1 < rows; y++) {
      const blockRow = ((z >> 1) * blocksY + (y >> 1)) * blocksX;
      for (let x = 0; x + 1 < columns; x++) {
        if (isCrossed[blockRow + (x >> 1)] === 0) x |= 1;
        else addCell(x, y, z);
      }
    }
    if (z < from) low = vertexCount;
  }
  const surface = { vertices: vertices.subarray(0, 3 * vertexCount), triangles: triangles.subarray(0, cornerCount) };
  return { surface, low, high: end === to ? vertexCount - highFrom : 0 };
}
