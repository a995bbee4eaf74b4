import { grown } from "../../mesh/grown.ts";
import { binCount, binOf } from "./normal-bins.ts";
import type { Part } from "./part.ts";
import { forEachPiece } from "./pieces.ts";

/**
 * The surface in some thousand pieces, each of facets that lie close together and look the same way. Those that look about the
 * same way follow one another, so that processors guess right which way a piece looks.
 */
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
  const perBin: number[][] = Array.from({ length: bins }, () => []);
  let count = 0;
  let sums = new Float64Array(SURFEL * 4096);
  forEachPiece(part, cellMm, (x, y, z, area, facet) => {
    const nx = normals[3 * facet];
    const ny = normals[3 * facet + 1];
    const nz = normals[3 * facet + 2];
    const cell = (cellOf(x) * side + cellOf(y)) * side + cellOf(z);
    const bin = binOf(nx, ny, nz, BINS_PER_SIDE);
    const key = cell * bins + bin;
    if (numbers[key] === 0) {
      perBin[bin].push(count);
      numbers[key] = ++count;
      sums = grown(sums, SURFEL * count);
    }
    const at = SURFEL * (numbers[key] - 1);
    sums[at] += area * x;
    sums[at + 1] += area * y;
    sums[at + 2] += area * z;
    sums[at + 3] += area * nx;
    sums[at + 4] += area * ny;
    sums[at + 5] += area * nz;
    sums[at + 6] += area;
  });
  const values = new Float64Array(SURFEL * count);
  perBin.flat().forEach((number, place) => setMean(values, SURFEL * place, sums, SURFEL * number));
  return { count, values, cellMm };
}

/** Enters at `to` the piece whose sums are at `from`. */
function setMean(values: Float64Array, to: number, sums: Float64Array, from: number): void {
  const nx = sums[from + 3];
  const ny = sums[from + 4];
  const nz = sums[from + 5];
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const area = sums[from + 6];
  for (let i = 0; i < 3; i++) {
    values[to + i] = sums[from + i] / area;
    values[to + 3 + i] = sums[from + 3 + i] / length;
  }
  values[to + 6] = area;
}

function longestSideMm({ vertices }: Part): number {
  let half = 0;
  for (let at = 0; at < vertices.length; at++) half = Math.max(half, Math.abs(vertices[at]));
  return 2 * half;
}
