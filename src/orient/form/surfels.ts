import { grown } from "../../mesh/grown.ts";
import { binCount, binOf } from "./normal-bins.ts";
import type { Part } from "./part.ts";
import { forEachPiece } from "./pieces.ts";

/** The surface in some thousand pieces, each of facets that lie close together and look the same way. */
export interface Surfels {
  readonly count: number;
  /** x, y, z of the mean place, then of the unit normal, then the area in mm², of each. */
  readonly values: Float64Array;
  /** Sides of the cells that the pieces lie in. */
  readonly cellMm: number;
}

/** Entries of `Surfels.values` per piece. */
export const SURFEL = 7;

/** Normals of one piece are within some 20° of one another. */
const BINS_PER_SIDE = 4;

/** Pieces in cells of which `cells` lie along the longest side of the part. */
export function surfelsOf(part: Part, cells: number): Surfels {
  const cellMm = longestSideMm(part) / cells;
  const side = cells + 2;
  const bins = binCount(BINS_PER_SIDE);
  // One more than the number of the piece, so that memory no piece lies in is never touched.
  const numbers = new Int32Array(side ** 3 * bins);
  const cellOf = (coordinate: number): number => Math.floor(coordinate / cellMm + side / 2);
  const { normals } = part;
  let count = 0;
  let values = new Float64Array(SURFEL * 4096);
  forEachPiece(part, cellMm, (x, y, z, area, facet) => {
    const nx = normals[3 * facet];
    const ny = normals[3 * facet + 1];
    const nz = normals[3 * facet + 2];
    const cell = (cellOf(x) * side + cellOf(y)) * side + cellOf(z);
    const key = cell * bins + binOf(nx, ny, nz, BINS_PER_SIDE);
    if (numbers[key] === 0) {
      numbers[key] = ++count;
      values = grown(values, SURFEL * count);
    }
    const at = SURFEL * (numbers[key] - 1);
    values[at] += area * x;
    values[at + 1] += area * y;
    values[at + 2] += area * z;
    values[at + 3] += area * nx;
    values[at + 4] += area * ny;
    values[at + 5] += area * nz;
    values[at + 6] += area;
  });
  for (let at = 0; at < SURFEL * count; at += SURFEL) {
    const [nx, ny, nz] = [values[at + 3], values[at + 4], values[at + 5]];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    for (let i = 0; i < 3; i++) {
      values[at + i] /= values[at + 6];
      values[at + 3 + i] /= length;
    }
  }
  return { count, values, cellMm };
}

function longestSideMm({ vertices }: Part): number {
  let half = 0;
  for (let at = 0; at < vertices.length; at++) half = Math.max(half, Math.abs(vertices[at]));
  return 2 * half;
}
