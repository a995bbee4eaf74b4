import { ensureCapacity } from "../core/typed-arrays.ts";
import { type Mat3, matrixRow } from "../geometry/vector.ts";
import type { PartSurface } from "./part-surface.ts";
import { normalBin, normalBinCount } from "./planar-faces.ts";
import { outermostAlong } from "./vertex-cells.ts";

/**
 * A surface as some thousand surface elements (surfels), each made of facets that are close together and have similar normals. They
 * are sorted by normal, so that branches on the direction of a normal are predictable.
 */
export interface Surfels {
  readonly count: number;
  /**
   * For each surfel: x, y, z of the centroid, x, y, z of the unit normal, the area in mm², the weight of marks, and x, y, z of the
   * unit normal that decides whether it overhangs ({@link FaceImportance}).
   */
  readonly values: Float64Array;
  /** Number of cells along the longest side of the part, by which facets are grouped. */
  readonly cells: number;
  /** Side of the cells, mm. */
  readonly cellMm: number;
  readonly areaMm2: number;
}

/** Entries of `Surfels.values` per surfel. */
export const SURFEL_STRIDE = 11;

/** Normals of one surfel are within some 20° of each other. */
const BINS_PER_SIDE = 4;

/**
 * The surfels of a part, from facets grouped by cells, `cells` along the longest side of the part. The cells are aligned with `axes`,
 * so that surfels along the axes of the part do not depend on the orientation of its file.
 */
export function surfelsOf(surface: PartSurface, axes: Mat3, cells: number): Surfels {
  // The vertices are relative to the centre of the bounding box.
  const cellMm = (2 * farthestAlong(surface, axes)) / cells;
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = axes;
  const side = cells + 2;
  const bins = normalBinCount(BINS_PER_SIDE);
  // Index of the surfel plus 1; 0 for none, so that the memory pages of empty cells are never touched.
  const surfelIndices = new Int32Array(side ** 3 * bins);
  const cellOf = (coordinate: number): number => Math.floor(coordinate / cellMm + side / 2);
  const { normals } = surface;
  const indicesByBin: number[][] = Array.from({ length: bins }, () => []);
  let count = 0;
  let sums = new Float64Array(SURFEL_STRIDE * 4096);
  forEachSubfacet(surface, cellMm, (x, y, z, area, facet) => {
    const nx = normals[3 * facet];
    const ny = normals[3 * facet + 1];
    const nz = normals[3 * facet + 2];
    const cell =
      (cellOf(ax * x + ay * y + az * z) * side + cellOf(bx * x + by * y + bz * z)) * side +
      cellOf(cx * x + cy * y + cz * z);
    const bin = normalBin(
      ax * nx + ay * ny + az * nz,
      bx * nx + by * ny + bz * nz,
      cx * nx + cy * ny + cz * nz,
      BINS_PER_SIDE,
    );
    const key = cell * bins + bin;
    if (surfelIndices[key] === 0) {
      indicesByBin[bin].push(count);
      surfelIndices[key] = ++count;
      sums = ensureCapacity(sums, SURFEL_STRIDE * count);
    }
    const at = SURFEL_STRIDE * (surfelIndices[key] - 1);
    sums[at] += area * x;
    sums[at + 1] += area * y;
    sums[at + 2] += area * z;
    addFacet(sums, at + 3, surface, facet, area);
  });
  const values = new Float64Array(SURFEL_STRIDE * count);
  indicesByBin
    .flat()
    .forEach((index, position) => setMeanSurfel(values, SURFEL_STRIDE * position, sums, SURFEL_STRIDE * index));
  return { count, values, cells, cellMm, areaMm2: surface.areaMm2 };
}

/** Adds the normal, the area and the importance of a facet, weighted by the area of a piece of it. */
function addFacet(
  sums: Float64Array,
  at: number,
  { normals, importance }: PartSurface,
  facet: number,
  area: number,
): void {
  sums[at] += area * normals[3 * facet];
  sums[at + 1] += area * normals[3 * facet + 1];
  sums[at + 2] += area * normals[3 * facet + 2];
  sums[at + 3] += area;
  sums[at + 4] += area * importance.weights[facet];
  sums[at + 5] += area * importance.normals[3 * facet];
  sums[at + 6] += area * importance.normals[3 * facet + 1];
  sums[at + 7] += area * importance.normals[3 * facet + 2];
}

/** The largest absolute coordinate of a vertex along the axes. */
const farthestAlong = (surface: PartSurface, axes: Mat3): number =>
  [0, 1, 2].reduce((farthest, i) => {
    const { least, most } = outermostAlong(surface.cells, matrixRow(axes, i));
    return Math.max(farthest, -least, most);
  }, 0);

/** Writes the surfel with the sums at `from` to `to`. */
function setMeanSurfel(values: Float64Array, to: number, sums: Float64Array, from: number): void {
  const area = sums[from + 6];
  for (let i = 0; i < 3; i++) values[to + i] = sums[from + i] / area;
  setUnit(values, to + 3, sums, from + 3);
  values[to + 6] = area;
  values[to + 7] = sums[from + 7] / area;
  setUnit(values, to + 8, sums, from + 8);
}

function setUnit(values: Float64Array, to: number, sums: Float64Array, from: number): void {
  const x = sums[from];
  const y = sums[from + 1];
  const z = sums[from + 2];
  const length = Math.sqrt(x * x + y * y + z * z);
  values[to] = x / length;
  values[to + 1] = y / length;
  values[to + 2] = z / length;
}

/** Receives the centroid and the area of each piece, and its facet. */
type VisitSubfacet = (x: number, y: number, z: number, areaMm2: number, facet: number) => void;

/** Maximum number of pieces of one facet on the stack. */
const MAX_PENDING = 64;

/** Divides every facet into pieces with sides of at most `longestMm`, by bisecting longest sides. */
function forEachSubfacet({ vertices, triangles, areas }: PartSurface, longestMm: number, visit: VisitSubfacet): void {
  const stack = new Float64Array(10 * MAX_PENDING);
  const longest2 = longestMm * longestMm;
  for (let facet = 0; facet < areas.length; facet++) {
    if (areas[facet] === 0) continue;
    const a = 3 * triangles[3 * facet];
    const b = 3 * triangles[3 * facet + 1];
    const c = 3 * triangles[3 * facet + 2];
    const isPiece =
      squaredDistance(vertices, a, b) <= longest2 &&
      squaredDistance(vertices, b, c) <= longest2 &&
      squaredDistance(vertices, c, a) <= longest2;
    if (isPiece) {
      visit(
        (vertices[a] + vertices[b] + vertices[c]) / 3,
        (vertices[a + 1] + vertices[b + 1] + vertices[c + 1]) / 3,
        (vertices[a + 2] + vertices[b + 2] + vertices[c + 2]) / 3,
        areas[facet],
        facet,
      );
      continue;
    }
    for (let i = 0; i < 3; i++) {
      stack[i] = vertices[a + i];
      stack[3 + i] = vertices[b + i];
      stack[6 + i] = vertices[c + i];
    }
    stack[9] = areas[facet];
    bisect(stack, longest2, facet, visit);
  }
}

/** Divides the triangle at the start of `stack` (x, y, z of each corner, area) until no side is too long. */
function bisect(stack: Float64Array, longest2: number, facet: number, visit: VisitSubfacet): void {
  for (let count = 1; count > 0;) {
    const at = 10 * (count - 1);
    const side = longestSideTooLong(stack, at, longest2);
    if (side < 0 || count === MAX_PENDING) {
      visit(
        (stack[at] + stack[at + 3] + stack[at + 6]) / 3,
        (stack[at + 1] + stack[at + 4] + stack[at + 7]) / 3,
        (stack[at + 2] + stack[at + 5] + stack[at + 8]) / 3,
        stack[at + 9],
        facet,
      );
      count--;
      continue;
    }
    // In one half the end of the longest side moves to its middle, in the other half its start moves there.
    const from = at + 3 * side;
    const to = at + 3 * ((side + 1) % 3);
    for (let i = at; i < at + 10; i++) stack[i + 10] = stack[i];
    for (let i = 0; i < 3; i++) {
      const middle = (stack[from + i] + stack[to + i]) / 2;
      stack[to + i] = middle;
      stack[from + 10 + i] = middle;
    }
    stack[at + 9] /= 2;
    stack[at + 19] /= 2;
    count++;
  }
}

/** The longest side of a triangle on the stack, from corner `side` to the next; −1 where no side is too long. */
function longestSideTooLong(stack: Float64Array, at: number, longest2: number): number {
  const first2 = squaredDistance(stack, at, at + 3);
  const second2 = squaredDistance(stack, at + 3, at + 6);
  const third2 = squaredDistance(stack, at + 6, at);
  if (first2 <= longest2 && second2 <= longest2 && third2 <= longest2) return -1;
  if (first2 >= second2 && first2 >= third2) return 0;
  return second2 >= third2 ? 1 : 2;
}

function squaredDistance(values: Float64Array, a: number, b: number): number {
  const x = values[b] - values[a];
  const y = values[b + 1] - values[a + 1];
  const z = values[b + 2] - values[a + 2];
  return x * x + y * y + z * z;
}
