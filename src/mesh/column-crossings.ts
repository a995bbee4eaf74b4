import type { Progress } from "../core/progress.ts";
import { growArray, releaseArrays } from "../core/typed-arrays.ts";
import { bucketBy } from "../geometry/bucket-by.ts";
import { type ColumnGrid, cellMm2Of } from "./column-grid.ts";
import type { Surface } from "./mesh.ts";

/**
 * The crossings of the columns of a grid with closed surfaces. Crossings of column c are entries `starts[c]` to `starts[c + 1]` − 1,
 * from the lowest up.
 */
export interface ColumnCrossings {
  readonly starts: Uint32Array;
  readonly z: Float64Array;
  /** Twice the index of the surface; plus 1 if an upward line leaves the surface here. */
  readonly side: Uint32Array;
}

/** A surface and its index. The surface is made when it is cut, so that only one is in memory at a time. */
export interface IndexedSurface {
  readonly index: number;
  readonly surfaceOf: () => Surface;
}

const REPORT_EVERY = 65_536;
/** Share of the progress of {@link cutColumns} for cutting; sorting takes the rest. */
const CUT_SHARE = 0.8;
/** Capacity, as a multiple of the expected number of crossings: growing the arrays would take a quarter of the time. */
const MARGIN = 1.1;

/** The crossings of all facets of the surfaces. `facetAreaMm2`: about the area of the facets over the region, if known. */
export function cutColumns(
  surfaces: readonly IndexedSurface[],
  grid: ColumnGrid,
  progress: Progress,
  facetAreaMm2 = 0,
): ColumnCrossings {
  if (grid.columns === 0) return { starts: new Uint32Array(1), z: new Float64Array(), side: new Uint32Array() };
  const crossings = new CrossingList(grid, Math.ceil(MARGIN * (facetAreaMm2 / cellMm2Of(grid))));
  const cutting = progress.part(0, CUT_SHARE);
  for (const [i, { index, surfaceOf }] of surfaces.entries())
    crossings.addSurface(surfaceOf(), index, cutting.part(i / surfaces.length, (i + 1) / surfaces.length));
  return crossings.byColumn(progress.part(CUT_SHARE, 1));
}

/**
 * Merges the crossings of some of the surfaces of an earlier cut with the crossings of other surfaces on the same grid. `indexOf`: the
 * new index of each surface of `before`, or −1 if it is dropped. A sweep gives the same bits as for surfaces that are cut together;
 * only the order of equal heights may differ.
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

const FIRST_CAPACITY = 1024;

/** Crossings in the order in which they are found. */
class CrossingList {
  readonly #grid: ColumnGrid;
  /** Cells per mm, along x and y. */
  readonly #perX: number;
  readonly #perY: number;
  #count = 0;
  #column: Int32Array<ArrayBuffer>;
  #z: Float64Array<ArrayBuffer>;
  #side: Uint32Array<ArrayBuffer>;

  /** `expected`: about the number of crossings. */
  constructor(grid: ColumnGrid, expected: number) {
    const capacity = Math.max(FIRST_CAPACITY, expected);
    this.#grid = grid;
    this.#perX = grid.columns / (grid.region.maxX - grid.region.minX);
    this.#perY = grid.rows / (grid.region.maxY - grid.region.minY);
    this.#column = new Int32Array(capacity);
    this.#z = new Float64Array(capacity);
    this.#side = new Uint32Array(capacity);
  }

  /** Adds the crossings of all facets of a surface. */
  addSurface({ vertices, triangles }: Surface, body: number, progress: Progress): void {
    for (let facet = 0; facet < triangles.length; facet += 3) {
      if (facet % (3 * REPORT_EVERY) === 0) progress.report(facet / triangles.length);
      this.#addFacet(vertices, 3 * triangles[facet], 3 * triangles[facet + 1], 3 * triangles[facet + 2], body);
    }
  }

  /** Sorts the crossings and gives back the memory of the list. */
  byColumn(progress: Progress): ColumnCrossings {
    const count = this.#count;
    const heightAt = this.#z;
    const sideAt = this.#side;
    const { starts, items } = bucketBy(this.#column.subarray(0, count), this.#grid.columns * this.#grid.rows);
    const z = new Float64Array(count);
    const side = new Uint32Array(count);
    const scratch = new Uint32Array(count);
    for (let at = 0; at < starts.length - 1; at++) {
      if (at % REPORT_EVERY === 0) progress.report(at / starts.length);
      const end = starts[at + 1];
      if (end > starts[at] + 1) sortByHeight(items.subarray(starts[at], end), heightAt, scratch);
      for (let i = starts[at]; i < end; i++) {
        z[i] = heightAt[items[i]];
        side[i] = sideAt[items[i]];
      }
    }
    releaseArrays(this.#column, heightAt, sideAt, items, scratch);
    return { starts, z, side };
  }

  /**
   * Cuts a facet whose corners start at `a`, `b` and `c`; coordinates are in cells. A facet owns the lower ends of its border, so that
   * facets with a common edge own each column once.
   */
  #addFacet(vertices: Surface["vertices"], a: number, b: number, c: number, body: number): void {
    const { region, columns, rows, rowAt, columnAt } = this.#grid;
    const front = frontCorner(vertices, a, b, c);
    const next = front === a ? b : front === b ? c : a;
    const last = front === a ? c : front === b ? a : b;
    // Whether the edge from the front to the back has the direction of the facet's boundary.
    const longRises = vertices[next + 1] > vertices[last + 1];
    const middle = longRises ? last : next;
    const back = longRises ? next : last;
    const frontY = (vertices[front + 1] - region.minY) * this.#perY;
    const backY = (vertices[back + 1] - region.minY) * this.#perY;
    let firstRow = Math.max(0, Math.floor(frontY));
    let lastRow = Math.min(rows - 1, Math.floor(backY));
    if (firstRow + rowAt[firstRow] < frontY) firstRow++;
    if (lastRow + rowAt[lastRow] >= backY) lastRow--;
    if (firstRow > lastRow) return;
    const frontX = (vertices[front] - region.minX) * this.#perX;
    const middleX = (vertices[middle] - region.minX) * this.#perX;
    const backX = (vertices[back] - region.minX) * this.#perX;
    if (Math.max(frontX, middleX, backX) < 0 || Math.min(frontX, middleX, backX) > columns) return;
    const middleY = (vertices[middle + 1] - region.minY) * this.#perY;
    const plane = planeOf(
      frontX,
      frontY,
      vertices[front + 2],
      middleX,
      middleY,
      vertices[middle + 2],
      backX,
      backY,
      vertices[back + 2],
    );
    // Both facets of an edge use the same ends, so that their crossings are equal to the last bit.
    const longSlope = (backX - frontX) / (backY - frontY);
    const nearSlope = (middleX - frontX) / (middleY - frontY);
    const farSlope = (backX - middleX) / (backY - middleY);
    for (let row = firstRow; row <= lastRow; row++) {
      const line = row + rowAt[row];
      const shift = columnAt[row];
      const long = frontX + longSlope * (line - frontY);
      const short = line < middleY ? frontX + nearSlope * (line - frontY) : middleX + farSlope * (line - middleY);
      const start = Math.max(0, Math.ceil((long < short ? long : short) - shift));
      const end = Math.min(columns, Math.ceil((long < short ? short : long) - shift));
      // On a facet that faces up, the edge that runs to the back is on the right.
      const upwards = longRises === long > short;
      if (start < end) this.#addRow(row, start, end, line, shift, plane, 2 * body + (upwards ? 1 : 0));
    }
  }

  #addRow(row: number, start: number, end: number, line: number, shift: number, plane: FacetPlane, side: number): void {
    const { x, y, z, slopeX, slopeY, low, high } = plane;
    const { columns } = this.#grid;
    let at = this.#count;
    this.#count += end - start;
    if (this.#count > this.#column.length) this.#grow();
    const columnAt = this.#column;
    const heightAt = this.#z;
    const sideAt = this.#side;
    for (let column = start; column < end; column++, at++) {
      const height = z + slopeX * (column + shift - x) + slopeY * (line - y);
      columnAt[at] = row * columns + column;
      // NaN if the facet has no area.
      heightAt[at] = height >= low ? Math.min(height, high) : low;
      sideAt[at] = side;
    }
  }

  #grow(): void {
    this.#column = growArray(this.#column, this.#count);
    this.#z = growArray(this.#z, this.#count);
    this.#side = growArray(this.#side, this.#count);
  }
}

/** The corner with the least y, the first of equals. */
function frontCorner(vertices: Surface["vertices"], a: number, b: number, c: number): number {
  const ay = vertices[a + 1];
  const by = vertices[b + 1];
  const cy = vertices[c + 1];
  return ay <= by && ay <= cy ? a : by <= cy ? b : c;
}

/** The plane of a facet through its front corner x, y, z, and the heights of its lowest and highest corners. */
interface FacetPlane {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly slopeX: number;
  readonly slopeY: number;
  readonly low: number;
  readonly high: number;
}

function planeOf(
  x: number,
  y: number,
  z: number,
  middleX: number,
  middleY: number,
  middleZ: number,
  backX: number,
  backY: number,
  backZ: number,
): FacetPlane {
  const doubleArea = (middleX - x) * (backY - y) - (middleY - y) * (backX - x);
  return {
    x,
    y,
    z,
    slopeX: ((middleZ - z) * (backY - y) - (backZ - z) * (middleY - y)) / doubleArea,
    slopeY: ((backZ - z) * (middleX - x) - (middleZ - z) * (backX - x)) / doubleArea,
    low: Math.min(z, middleZ, backZ),
    high: Math.max(z, middleZ, backZ),
  };
}

/** Lists up to this length are sorted by insertion; longer lists are merged from such runs. */
const RUN = 32;

/** Sorts the crossings of a column from the lowest up, in place and stably. `scratch` has at least the same length. */
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
