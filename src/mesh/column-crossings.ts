import type { Progress } from "../core/progress.ts";
import { growArray, releaseArrays } from "../core/typed-arrays.ts";
import { bucketBy } from "../geometry/bucket-by.ts";
import { type ColumnGrid, cellMm2Of } from "./column-grid.ts";
import type { Surface } from "./mesh.ts";

/** Where the columns of a grid cross closed surfaces. Crossings of column c are entries `starts[c]` to `starts[c + 1]` − 1, from the lowest up. */
export interface ColumnCrossings {
  readonly starts: Uint32Array;
  readonly z: Float64Array;
  /** Twice the index of the surface; 1 more where a line that rises leaves it. */
  readonly side: Uint32Array;
}

/** A surface and its index. It is made when it is looked at, so that only one is in memory at a time. */
export interface IndexedSurface {
  readonly index: number;
  readonly surfaceOf: () => Surface;
}

const REPORT_EVERY = 65_536;
/** Share of the progress of {@link cutColumns} after which only sorting is left. */
const CUT_SHARE = 0.8;
/** Room for crossings, by those that are expected: arrays that grow cost a quarter of the time. */
const MARGIN = 1.1;

/** The crossings of all facets of the surfaces. `facetAreaMm2` is about that of the facets over the region, where it is known. */
export function cutColumns(
  surfaces: readonly IndexedSurface[],
  grid: ColumnGrid,
  progress: Progress,
  facetAreaMm2 = 0,
): ColumnCrossings {
  if (grid.columns === 0) return { starts: new Uint32Array(1), z: new Float64Array(), side: new Uint32Array() };
  const crossings = newCrossings(Math.ceil(MARGIN * (facetAreaMm2 / cellMm2Of(grid))));
  const cutting = progress.part(0, CUT_SHARE);
  for (const [i, { index, surfaceOf }] of surfaces.entries())
    addCrossings(crossings, surfaceOf(), index, grid, cutting.part(i / surfaces.length, (i + 1) / surfaces.length));
  const { count, column } = crossings;
  const { starts, items } = bucketBy(column.subarray(0, count), grid.columns * grid.rows);
  const z = new Float64Array(count);
  const side = new Uint32Array(count);
  const scratch = new Uint32Array(count);
  for (let at = 0; at < starts.length - 1; at++) {
    if (at % REPORT_EVERY === 0) progress.report(CUT_SHARE + ((1 - CUT_SHARE) * at) / starts.length);
    const end = starts[at + 1];
    if (end > starts[at] + 1) sortByHeight(items.subarray(starts[at], end), crossings.z, scratch);
    for (let i = starts[at]; i < end; i++) {
      z[i] = crossings.z[items[i]];
      side[i] = crossings.side[items[i]];
    }
  }
  releaseArrays(column, crossings.z, crossings.side, items, scratch);
  return { starts, z, side };
}

/**
 * The crossings of some of the surfaces that were cut before together with those of others on the same grid. `indexOf` has the index that each
 * surface of `before` gets, or −1 for one that goes. What a sweep finds in them is what it finds in surfaces that are all cut at once, to the
 * last bit: only the order of equal heights may differ.
 */
export function mergeCrossings(before: ColumnCrossings, indexOf: Int32Array, added: ColumnCrossings): ColumnCrossings {
  let kept = 0;
  for (let i = 0; i < before.side.length; i++) if (indexOf[before.side[i] >>> 1] >= 0) kept++;
  const z = new Float64Array(kept + added.z.length);
  const side = new Uint32Array(kept + added.z.length);
  const starts = new Uint32Array(before.starts.length);
  let [at, next] = [0, 0];
  for (let column = 0; column < starts.length - 1; column++) {
    const end = added.starts[column + 1];
    for (let i = before.starts[column]; i < before.starts[column + 1]; i++) {
      const index = indexOf[before.side[i] >>> 1];
      if (index < 0) continue;
      for (; next < end && added.z[next] < before.z[i]; next++, at++) {
        z[at] = added.z[next];
        side[at] = added.side[next];
      }
      z[at] = before.z[i];
      side[at++] = 2 * index + (before.side[i] & 1);
    }
    for (; next < end; next++, at++) {
      z[at] = added.z[next];
      side[at] = added.side[next];
    }
    starts[column + 1] = at;
  }
  return { starts, z, side };
}

/** Crossings in the order in which they are found. */
interface Crossings {
  count: number;
  column: Int32Array<ArrayBuffer>;
  z: Float64Array<ArrayBuffer>;
  /** Twice the index of the surface; 1 more where a line that rises leaves it. */
  side: Uint32Array<ArrayBuffer>;
}

const newCrossings = (expected: number): Crossings => {
  const size = Math.max(1024, expected);
  return { count: 0, column: new Int32Array(size), z: new Float64Array(size), side: new Uint32Array(size) };
};

/**
 * Cuts the facets of a surface, in coordinates that count cells. A facet owns the lower ends of its border, so that facets with a
 * common edge own each column once. One long loop: its parts would need all of its local variables.
 */
function addCrossings(
  crossings: Crossings,
  { vertices, triangles }: Surface,
  body: number,
  { region, columns, rows, rowAt, columnAt }: ColumnGrid,
  progress: Progress,
): void {
  let { count, column: columnAtCrossing, z: heightAt, side: sideAt } = crossings;
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
      // On a facet that faces up, the edge that runs to the back is on the right.
      const upwards = longRises === long > short;
      const start = Math.max(0, Math.ceil((long < short ? long : short) - shift));
      const end = Math.min(columns, Math.ceil((long < short ? short : long) - shift));
      if (start >= end) continue;
      const side = 2 * body + (upwards ? 1 : 0);
      if (count + end - start > columnAtCrossing.length) {
        grow(crossings, count + end - start);
        ({ column: columnAtCrossing, z: heightAt, side: sideAt } = crossings);
      }
      for (let column = start; column < end; column++, count++) {
        const z = frontZ + slopeX * (column + shift - frontX) + slopeY * (line - frontY);
        columnAtCrossing[count] = row * columns + column;
        // No number where the facet is so narrow that its area is 0.
        heightAt[count] = z >= low ? Math.min(z, high) : low;
        sideAt[count] = side;
      }
    }
  }
  crossings.count = count;
}

/** Makes room for crossings up to a count. */
function grow(crossings: Crossings, count: number): void {
  crossings.column = growArray(crossings.column, count);
  crossings.z = growArray(crossings.z, count);
  crossings.side = growArray(crossings.side, count);
}

/** Lists up to this length are sorted by insertion, whose time grows with the square of it, and longer ones merged from them. */
const RUN = 32;

/** Sorts the crossings of a column from the lowest up, in place; equal heights keep their order. `scratch` is at least as long. */
function sortByHeight(found: Uint32Array, z: Float64Array, scratch: Uint32Array): void {
  const { length } = found;
  for (let from = 0; from < length; from += RUN) {
    for (let i = from + 1; i < Math.min(length, from + RUN); i++) {
      const crossing = found[i];
      let at = i;
      for (; at > from && z[found[at - 1]] > z[crossing]; at--) found[at] = found[at - 1];
      found[at] = crossing;
    }
  }
  for (let run = RUN; run < length; run *= 2) {
    for (let from = 0; from + run < length; from += 2 * run) {
      const middle = from + run;
      const end = Math.min(length, middle + run);
      for (let i = from; i < middle; i++) scratch[i] = found[i];
      let [left, right] = [from, middle];
      for (let at = from; left < middle; at++)
        found[at] = right < end && z[found[right]] < z[scratch[left]] ? found[right++] : scratch[left++];
    }
  }
}
