import type { Progress } from "../core/progress.ts";
import { ensureCapacity } from "../core/typed-arrays.ts";
import type { Rectangle } from "../geometry/box.ts";
import { bucketBy } from "../geometry/bucket-by.ts";
import type { Surface } from "./mesh.ts";

/** Volumes that closed surfaces enclose more than once, mm³. */
export interface OverlapVolume {
  /** What a surface encloses several times itself: the sum of its winding numbers less what it encloses. */
  readonly withinMm3: number;
  /** What several surfaces enclose: the sum of their volumes less that of their union. */
  readonly betweenMm3: number;
}

/** Most columns of the grid; 256 along each side of a square. */
const MAX_COLUMNS = 2 ** 16;
/** Most crossings of facets with columns, so that heaps of facets take bounded memory. Expected from their area. */
const MAX_CROSSINGS = 2 ** 19;

/** Columns of equal width and depth over a region. */
interface ColumnGrid {
  readonly region: Rectangle;
  readonly columns: number;
  readonly rows: number;
}

/**
 * The volumes that outward closed surfaces have in common above and below a region of the xy plane. The lines through the middles
 * of a grid of columns are cut by all facets; a point is in a surface where its winding number is above 0, as in slices. Each
 * column stands for its area: exact for upright boxes that end at the region's border, else to about 1 % of the common volume where
 * that is wider than ten columns. Surfaces are made when they are looked at, so that only one is in memory at a time.
 */
export function overlapVolume(
  surfaces: readonly (() => Surface)[],
  region: Rectangle,
  progress: Progress,
): OverlapVolume {
  const [width, depth] = [region.maxX - region.minX, region.maxY - region.minY];
  if (!(width > 0 && depth > 0)) return { withinMm3: 0, betweenMm3: 0 };
  const grid = gridOver(region, surfaces);
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
  const { starts, items } = bucketBy(crossings.column.subarray(0, crossings.count), grid.columns * grid.rows);
  const windings = new Int32Array(surfaces.length);
  let [within, between] = [0, 0];
  for (let column = 0; column + 1 < starts.length; column++) {
    if (column % REPORT_EVERY === 0) progress.report(0.7 + (0.3 * column) / starts.length);
    if (starts[column + 1] === starts[column]) continue;
    const found = items.subarray(starts[column], starts[column + 1]);
    sortByHeight(found, crossings.z);
    const lengths = sweepColumn(found, crossings, windings);
    within += lengths.within;
    between += lengths.between;
  }
  const areaMm2 = (width * depth) / (grid.columns * grid.rows);
  return { withinMm3: within * areaMm2, betweenMm3: between * areaMm2 };
}

const REPORT_EVERY = 65_536;

function gridOver(region: Rectangle, surfaces: readonly (() => Surface)[]): ColumnGrid {
  const [width, depth] = [region.maxX - region.minX, region.maxY - region.minY];
  const facetAreaMm2 = surfaces.reduce((sum, surfaceOf) => sum + projectedArea(surfaceOf(), region), 0);
  const fewest = Math.max((width * depth) / MAX_COLUMNS, facetAreaMm2 / MAX_CROSSINGS);
  const sideMm = Math.max(Math.sqrt(fewest), width / MAX_COLUMNS, depth / MAX_COLUMNS);
  return {
    region,
    columns: Math.max(1, Math.floor(width / sideMm)),
    rows: Math.max(1, Math.floor(depth / sideMm)),
  };
}

/** At least the area of the facets over the region, seen from above: of each, no more than its box. */
function projectedArea({ vertices, triangles }: Surface, { minX, minY, maxX, maxY }: Rectangle): number {
  let sum = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [3 * triangles[at], 3 * triangles[at + 1], 3 * triangles[at + 2]];
    const [ax, bx, cx] = [vertices[a], vertices[b], vertices[c]];
    const [ay, by, cy] = [vertices[a + 1], vertices[b + 1], vertices[c + 1]];
    const wide = Math.min(maxX, Math.max(ax, bx, cx)) - Math.max(minX, Math.min(ax, bx, cx));
    const deep = Math.min(maxY, Math.max(ay, by, cy)) - Math.max(minY, Math.min(ay, by, cy));
    if (wide <= 0 || deep <= 0) continue;
    sum += Math.min(wide * deep, Math.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2);
  }
  return sum;
}

/** Where facets cut the middles of columns. */
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
 * Cuts the facets of a surface. Columns lie at whole numbers of the grid's coordinates; of a facet's border it owns the lower ends,
 * so that facets with a common edge own each column once.
 */
function addCrossings(
  crossings: Crossings,
  { vertices, triangles }: Surface,
  body: number,
  { region, columns, rows }: ColumnGrid,
  progress: Progress,
): void {
  const [perX, perY] = [columns / (region.maxX - region.minX), rows / (region.maxY - region.minY)];
  const x = (vertex: number): number => (vertices[3 * vertex] - region.minX) * perX - 0.5;
  const y = (vertex: number): number => (vertices[3 * vertex + 1] - region.minY) * perY - 0.5;
  for (let facet = 0; facet < triangles.length; facet += 3) {
    if (facet % (3 * REPORT_EVERY) === 0) progress.report(facet / triangles.length);
    const [a, b, c] = [triangles[facet], triangles[facet + 1], triangles[facet + 2]];
    const [ay, by, cy] = [y(a), y(b), y(c)];
    const firstRow = Math.max(0, Math.ceil(Math.min(ay, by, cy)));
    const lastRow = Math.min(rows - 1, Math.ceil(Math.max(ay, by, cy)) - 1);
    if (firstRow > lastRow) continue;
    const [ax, bx, cx] = [x(a), x(b), x(c)];
    if (Math.max(ax, bx, cx) < 0 || Math.min(ax, bx, cx) > columns - 1) continue;
    const [az, bz, cz] = [vertices[3 * a + 2], vertices[3 * b + 2], vertices[3 * c + 2]];
    const doubleArea = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const slopeX = ((bz - az) * (cy - ay) - (cz - az) * (by - ay)) / doubleArea;
    const slopeY = ((cz - az) * (bx - ax) - (bz - az) * (cx - ax)) / doubleArea;
    const [low, high] = [Math.min(az, bz, cz), Math.max(az, bz, cz)];
    for (let row = firstRow; row <= lastRow; row++) {
      // Of a facet that faces up, the edge that runs to the back is on the right. An edge is cut from the same end for both of its
      // facets, so that they meet in the same bits.
      let [rising, falling] = [0, 0];
      if (ay <= row && by > row) rising = cutEdge(ax, ay, bx, by, row);
      else if (by <= row && ay > row) falling = cutEdge(bx, by, ax, ay, row);
      if (by <= row && cy > row) rising = cutEdge(bx, by, cx, cy, row);
      else if (cy <= row && by > row) falling = cutEdge(cx, cy, bx, by, row);
      if (cy <= row && ay > row) rising = cutEdge(cx, cy, ax, ay, row);
      else if (ay <= row && cy > row) falling = cutEdge(ax, ay, cx, cy, row);
      const start = Math.max(0, Math.ceil(Math.min(rising, falling)));
      const end = Math.min(columns, Math.ceil(Math.max(rising, falling)));
      if (start >= end) continue;
      const side = 2 * body + (rising > falling ? 1 : 0);
      reserve(crossings, end - start);
      for (let column = start; column < end; column++) {
        const z = az + slopeX * (column - ax) + slopeY * (row - ay);
        const at = crossings.count++;
        crossings.column[at] = row * columns + column;
        // No number where the facet is so narrow that its area is 0.
        crossings.z[at] = z >= low ? Math.min(z, high) : low;
        crossings.side[at] = side;
      }
    }
  }
}

/** Where an edge that runs to the back crosses a row. */
const cutEdge = (x: number, y: number, toX: number, toY: number, row: number): number =>
  x + ((row - y) / (toY - y)) * (toX - x);

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

/** The lengths along a column that surfaces enclose more than once. `windings` are 0 before and after. */
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
  // A surface with gaps need not be left again.
  for (const crossing of ascending) windings[side[crossing] >>> 1] = 0;
  return { within, between };
}
