import type { Watch } from "../../core/watch.ts";
import { grown } from "../grown.ts";
import type { GridSize } from "./grid-size.ts";

const FACETS_PER_REPORT = 4096;

/**
 * 1 for each voxel of a grid whose middle the surface goes around, else 0: bodies may overlap, cavities are outside. `corners`
 * are as for `touchedVoxels`. Where each row of middles passes through a facet is worked out once and alike for both facets
 * of an edge, so no row leaks through one.
 */
export function insideVoxels(corners: Float32Array, size: GridSize, watch: Watch): Uint8Array {
  const { columns, rows, layers } = size;
  const rowCount = rows * layers;
  const crossings = crossingsOf(corners, size, watch.part(0, 0.7));
  const { starts, order } = byRow(crossings, rowCount);
  const isInside = new Uint8Array(rowCount * columns);
  const filling = watch.part(0.7, 1);
  for (let row = 0; row < rowCount; row++) {
    if (row % rows === 0) filling.report(row / rowCount);
    sortByX(order, starts[row], starts[row + 1], crossings.xs);
    let winding = 0;
    for (let i = starts[row]; i + 1 < starts[row + 1]; i++) {
      winding += crossings.turns[order[i]];
      if (winding <= 0) continue;
      const first = Math.max(0, Math.ceil(crossings.xs[order[i]]));
      const end = Math.min(columns, Math.ceil(crossings.xs[order[i + 1]]));
      if (first < end) isInside.fill(1, row * columns + first, row * columns + end);
    }
  }
  return isInside;
}

/** Where rows pass through facets: into the body with turn 1, out of it with −1. */
interface Crossings {
  readonly count: number;
  readonly rows: Uint32Array;
  readonly xs: Float64Array;
  readonly turns: Int32Array;
}

function crossingsOf(corners: Float32Array, { rows, layers }: GridSize, watch: Watch): Crossings {
  let rowsOf = new Uint32Array(1024);
  let xs = new Float64Array(1024);
  let turns = new Int32Array(1024);
  let count = 0;
  const ends = new Float64Array(4);
  for (let at = 0; at < corners.length; at += 9) {
    if (at % (9 * FACETS_PER_REPORT) === 0) watch.report(at / corners.length);
    const lowest = Math.max(0, Math.ceil(Math.min(corners[at + 2], corners[at + 5], corners[at + 8])));
    const highest = Math.min(layers - 1, Math.floor(Math.max(corners[at + 2], corners[at + 5], corners[at + 8])));
    for (let z = lowest; z <= highest; z++) {
      if (!cutAcross(corners, at, z, ends)) continue;
      const [upY, upX, downY, downX] = ends;
      const turn = upY < downY ? 1 : -1;
      const front = Math.max(0, Math.ceil(Math.min(upY, downY)));
      const end = Math.min(rows, Math.ceil(Math.max(upY, downY)));
      rowsOf = grown(rowsOf, count + end - front);
      xs = grown(xs, count + end - front);
      turns = grown(turns, count + end - front);
      for (let y = front; y < end; y++) {
        rowsOf[count] = z * rows + y;
        xs[count] = upX + ((y - upY) / (downY - upY)) * (downX - upX);
        turns[count++] = turn;
      }
    }
  }
  return { count, rows: rowsOf, xs, turns };
}

/**
 * Where the rim of a facet passes through the plane at `z`: y and x of the edge that rises through it, then of the one that
 * falls. False where none does; an edge that ends on the plane is below it there.
 */
function cutAcross(corners: Float32Array, at: number, z: number, ends: Float64Array): boolean {
  let found = false;
  for (let from = at; from < at + 9; from += 3) {
    const to = from === at + 6 ? at : from + 3;
    const isUp = corners[to + 2] > z;
    if (corners[from + 2] > z === isUp) continue;
    found = true;
    const low = isUp ? from : to;
    const high = isUp ? to : from;
    const share = (z - corners[low + 2]) / (corners[high + 2] - corners[low + 2]);
    const o = isUp ? 0 : 2;
    ends[o] = corners[low + 1] + share * (corners[high + 1] - corners[low + 1]);
    ends[o + 1] = corners[low] + share * (corners[high] - corners[low]);
  }
  return found;
}

/** The numbers of the crossings of each row: those of row r from starts[r] to starts[r + 1]. */
function byRow({ count, rows }: Crossings, rowCount: number): { starts: Uint32Array; order: Uint32Array } {
  const starts = new Uint32Array(rowCount + 2);
  for (let i = 0; i < count; i++) starts[rows[i] + 2]++;
  for (let row = 2; row < starts.length; row++) starts[row] += starts[row - 1];
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[starts[rows[i] + 1]++] = i;
  return { starts, order };
}

/** By insertion: a row passes through few facets, as a rule. */
function sortByX(order: Uint32Array, from: number, to: number, xs: Float64Array): void {
  for (let i = from + 1; i < to; i++) {
    const one = order[i];
    let at = i;
    for (; at > from && xs[order[at - 1]] > xs[one]; at--) order[at] = order[at - 1];
    order[at] = one;
  }
}
