import type { Progress } from "../core/progress.ts";
import { ensureCapacity } from "../core/typed-arrays.ts";
import { EMPTY_RECTANGLE, type Rectangle, unionRectangles } from "../geometry/box.ts";
import { bucketBy } from "../geometry/bucket-by.ts";
import { type ColumnGrid, cellOf } from "./column-grid.ts";
import type { Surface } from "./mesh.ts";

/** What closed surfaces enclose more than once. */
export interface OverlapVolume {
  /** What a surface encloses several times itself: the sum of its winding numbers less what it encloses, mm³. */
  readonly withinMm3: number;
  /** What several surfaces enclose: the sum of their volumes less that of their union, mm³. */
  readonly betweenMm3: number;
  /** The cells of the grid with anything of either; empty where there is nothing. */
  readonly region: Rectangle;
}

/** Shorter lengths in a column are rounding where bodies touch. */
const MIN_LENGTH_MM = 1e-5;

/**
 * The volumes that outward closed surfaces have in common above and below the region of a grid. Lines through its cells are cut by all facets;
 * a point is in a surface where its winding number is above 0, as in slices. Each line stands for the area of its cell: exact for upright
 * boxes that end at the region's border. Lines stand at other places in each row of cells, so that parts in rows are not met by all of them
 * or by none. Surfaces are made when they are looked at, so that only one is in memory at a time.
 */
export function overlapVolume(
  surfaces: readonly (() => Surface)[],
  grid: ColumnGrid,
  progress: Progress,
): OverlapVolume {
  const { region, columns, rows } = grid;
  if (columns === 0) return { withinMm3: 0, betweenMm3: 0, region: EMPTY_RECTANGLE };
  const crossings = newCrossings();
  surfaces.forEach((surfaceOf, body) => {
    addCrossings(
      crossings,
      surfaceOf(),
      body,
      grid,
      progress.part((0.7 * body) / surfaces.length, (0.7 * (body + 1)) / surfaces.length),
    );
  });
  const { starts, items } = bucketBy(crossings.column.subarray(0, crossings.count), columns * rows);
  const windings = new Int32Array(surfaces.length);
  let [within, between] = [0, 0];
  let found = EMPTY_RECTANGLE;
  for (let column = 0; column + 1 < starts.length; column++) {
    if (column % REPORT_EVERY === 0) progress.report(0.7 + (0.3 * column) / starts.length);
    if (starts[column + 1] === starts[column]) continue;
    const ascending = items.subarray(starts[column], starts[column + 1]);
    sortByHeight(ascending, crossings.z);
    const lengths = sweepColumn(ascending, crossings, windings);
    within += lengths.within;
    between += lengths.between;
    if (Math.abs(lengths.within) + lengths.between > MIN_LENGTH_MM)
      found = unionRectangles(found, cellOf(grid, column));
  }
  const areaMm2 = ((region.maxX - region.minX) * (region.maxY - region.minY)) / (columns * rows);
  return { withinMm3: within * areaMm2, betweenMm3: between * areaMm2, region: found };
}

const REPORT_EVERY = 65_536;

/** Where facets cut columns. */
interface Crossings {
  count: number;
  column: Int32Array<ArrayBuffer>;
  z: Float64Array<ArrayBuffer>;
  /** Twice the index of the surface; 1 more where a line that rises leaves it. */
  side: Uint32Array<ArrayBuffer>;
}

const newCrossings = (): Crossings => ({
  count: 0,
  column: new Int32Array(1024),
  z: new Float64Array(1024),
  side: new Uint32Array(1024),
});

/**
 * Cuts the facets of a surface, in coordinates that count cells. Of a facet's border it owns the lower ends, so that facets with a common
 * edge own each column once.
 */
function addCrossings(
  crossings: Crossings,
  { vertices, triangles }: Surface,
  body: number,
  { region, columns, rows, rowAt, columnAt }: ColumnGrid,
  progress: Progress,
): void {
  const perX = columns / (region.maxX - region.minX);
  const perY = rows / (region.maxY - region.minY);
  for (let facet = 0; facet < triangles.length; facet += 3) {
    if (facet % (3 * REPORT_EVERY) === 0) progress.report(facet / triangles.length);
    // The corners from the front to the back.
    const a = 3 * triangles[facet];
    const b = 3 * triangles[facet + 1];
    const c = 3 * triangles[facet + 2];
    const ay = vertices[a + 1];
    const by = vertices[b + 1];
    const cy = vertices[c + 1];
    const front = ay <= by && ay <= cy ? a : by <= cy ? b : c;
    const next = front === a ? b : front === b ? c : a;
    const last = front === a ? c : front === b ? a : b;
    // The long edge runs to the back where it follows the order of the facet's corners.
    const longRises = vertices[next + 1] > vertices[last + 1];
    const middle = longRises ? last : next;
    const back = longRises ? next : last;
    const frontY = (vertices[front + 1] - region.minY) * perY;
    const backY = (vertices[back + 1] - region.minY) * perY;
    let firstRow = Math.max(0, Math.floor(frontY));
    let lastRow = Math.min(rows - 1, Math.floor(backY));
    if (firstRow + rowAt[firstRow] < frontY) firstRow++;
    if (lastRow + rowAt[lastRow] >= backY) lastRow--;
    if (firstRow > lastRow) continue;
    const frontX = (vertices[front] - region.minX) * perX;
    const middleX = (vertices[middle] - region.minX) * perX;
    const backX = (vertices[back] - region.minX) * perX;
    if (Math.max(frontX, middleX, backX) < 0 || Math.min(frontX, middleX, backX) > columns) continue;
    const middleY = (vertices[middle + 1] - region.minY) * perY;
    const frontZ = vertices[front + 2];
    const middleZ = vertices[middle + 2];
    const backZ = vertices[back + 2];
    const doubleArea = (middleX - frontX) * (backY - frontY) - (middleY - frontY) * (backX - frontX);
    const slopeX = ((middleZ - frontZ) * (backY - frontY) - (backZ - frontZ) * (middleY - frontY)) / doubleArea;
    const slopeY = ((backZ - frontZ) * (middleX - frontX) - (middleZ - frontZ) * (backX - frontX)) / doubleArea;
    const low = Math.min(frontZ, middleZ, backZ);
    const high = Math.max(frontZ, middleZ, backZ);
    // An edge has the same ends for both of its facets, so that they meet in the same bits.
    const longSlope = (backX - frontX) / (backY - frontY);
    const nearSlope = (middleX - frontX) / (middleY - frontY);
    const farSlope = (backX - middleX) / (backY - middleY);
    for (let row = firstRow; row <= lastRow; row++) {
      const line = row + rowAt[row];
      const shift = columnAt[row];
      const long = frontX + longSlope * (line - frontY);
      const short = line < middleY ? frontX + nearSlope * (line - frontY) : middleX + farSlope * (line - middleY);
      // Of a facet that faces up, the edge that runs to the back is on the right.
      const upwards = longRises === long > short;
      const start = Math.max(0, Math.ceil((long < short ? long : short) - shift));
      const end = Math.min(columns, Math.ceil((long < short ? short : long) - shift));
      if (start >= end) continue;
      const side = 2 * body + (upwards ? 1 : 0);
      reserve(crossings, end - start);
      for (let column = start; column < end; column++) {
        const z = frontZ + slopeX * (column + shift - frontX) + slopeY * (line - frontY);
        const at = crossings.count++;
        crossings.column[at] = row * columns + column;
        // No number where the facet is so narrow that its area is 0.
        crossings.z[at] = z >= low ? Math.min(z, high) : low;
        crossings.side[at] = side;
      }
    }
  }
}

/** Makes room for more crossings. */
function reserve(crossings: Crossings, more: number): void {
  const length = crossings.count + more;
  if (length <= crossings.column.length) return;
  crossings.column = ensureCapacity(crossings.column, length);
  crossings.z = ensureCapacity(crossings.z, length);
  crossings.side = ensureCapacity(crossings.side, length);
}

/** Longer lists are sorted by the runtime: the time of sorting by insertion grows with the square of their length. */
const MAX_INSERTION_SORT = 64;

/** Sorts the crossings of a column from the lowest up, in place; equal heights keep their order. */
function sortByHeight(found: Uint32Array, z: Float64Array): void {
  if (found.length > MAX_INSERTION_SORT) {
    found.sort((a, b) => z[a] - z[b] || a - b);
    return;
  }
  for (let i = 1; i < found.length; i++) {
    const crossing = found[i];
    let at = i;
    for (; at > 0 && z[found[at - 1]] > z[crossing]; at--) found[at] = found[at - 1];
    found[at] = crossing;
  }
}

/**
 * The lengths along a column that surfaces enclose more than once; `within` is 0 where a surface with gaps is entered and not left again.
 * `windings` are 0 before and after.
 */
function sweepColumn(
  ascending: Uint32Array,
  { z, side }: Crossings,
  windings: Int32Array,
): { readonly within: number; readonly between: number } {
  let [within, between, sum, inside, height] = [0, 0, 0, 0, 0];
  for (const crossing of ascending) {
    within += (sum - inside) * (z[crossing] - height);
    between += Math.max(0, inside - 1) * (z[crossing] - height);
    const body = side[crossing] >>> 1;
    const before = windings[body];
    const after = before + ((side[crossing] & 1) === 1 ? -1 : 1);
    windings[body] = after;
    sum += after - before;
    inside += (after > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
    height = z[crossing];
  }
  for (const crossing of ascending) windings[side[crossing] >>> 1] = 0;
  return { within: sum === 0 ? within : 0, between };
}
