import type { Progress } from "../../core/progress.ts";
import { ensureCapacity } from "../../core/typed-arrays.ts";
import { bucketBy } from "../../geometry/bucket-by.ts";
import type { GridSize } from "../../geometry/distance-transform.ts";

const FACETS_PER_REPORT = 4096;

/**
 * 1 for each voxel of a grid whose centre has a positive winding number, else 0: bodies may overlap, cavities are outside.
 * `corners` are as for `voxelizeSurface`. The crossing of a row of centres with an edge is computed alike for both facets
 * of the edge, so that no row leaks through it.
 */
export function voxelizeInterior(corners: Float32Array, size: GridSize, progress: Progress): Uint8Array {
  const { columns, rows, layers } = size;
  const rowCount = rows * layers;
  const crossings = crossingsOf(corners, size, progress.part(0, 0.7));
  const { starts, items: order } = bucketBy(crossings.rows, rowCount);
  const isInside = new Uint8Array(rowCount * columns);
  const filling = progress.part(0.7, 1);
  for (let row = 0; row < rowCount; row++) {
    if (row % rows === 0) filling.report(row / rowCount);
    sortByX(order, starts[row], starts[row + 1], crossings.xs);
    let winding = 0;
    for (let i = starts[row]; i + 1 < starts[row + 1]; i++) {
      winding += crossings.signs[order[i]];
      if (winding <= 0) continue;
      const first = Math.max(0, Math.ceil(crossings.xs[order[i]]));
      const end = Math.min(columns, Math.ceil(crossings.xs[order[i + 1]]));
      if (first < end) isInside.fill(1, row * columns + first, row * columns + end);
    }
  }
  return isInside;
}

/** The crossings of rows of voxel centres with facets, with sign 1 into the body and −1 out of it. */
interface Crossings {
  readonly rows: Uint32Array;
  readonly xs: Float64Array;
  readonly signs: Int32Array;
}

function crossingsOf(corners: Float32Array, { rows, layers }: GridSize, progress: Progress): Crossings {
  let rowsOf = new Uint32Array(1024);
  let xs = new Float64Array(1024);
  let signs = new Int32Array(1024);
  let count = 0;
  const ends = new Float64Array(4);
  for (let at = 0; at < corners.length; at += 9) {
    if (at % (9 * FACETS_PER_REPORT) === 0) progress.report(at / corners.length);
    const lowest = Math.max(0, Math.ceil(Math.min(corners[at + 2], corners[at + 5], corners[at + 8])));
    const highest = Math.min(layers - 1, Math.floor(Math.max(corners[at + 2], corners[at + 5], corners[at + 8])));
    for (let z = lowest; z <= highest; z++) {
      if (!intersectPlane(corners, at, z, ends)) continue;
      const [upY, upX, downY, downX] = ends;
      const sign = upY < downY ? 1 : -1;
      const front = Math.max(0, Math.ceil(Math.min(upY, downY)));
      const end = Math.min(rows, Math.ceil(Math.max(upY, downY)));
      rowsOf = ensureCapacity(rowsOf, count + end - front);
      xs = ensureCapacity(xs, count + end - front);
      signs = ensureCapacity(signs, count + end - front);
      for (let y = front; y < end; y++) {
        rowsOf[count] = z * rows + y;
        xs[count] = upX + ((y - upY) / (downY - upY)) * (downX - upX);
        signs[count++] = sign;
      }
    }
  }
  return { rows: rowsOf.subarray(0, count), xs, signs };
}

/**
 * The intersections of the boundary of a facet with the plane at `z`: y and x on the edge that rises through it, then on
 * the one that falls. False if there are none; a corner on the plane counts as below.
 */
function intersectPlane(corners: Float32Array, at: number, z: number, ends: Float64Array): boolean {
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

/** An insertion sort, because most rows cross few facets. */
function sortByX(order: Uint32Array, from: number, to: number, xs: Float64Array): void {
  for (let i = from + 1; i < to; i++) {
    const one = order[i];
    let at = i;
    for (; at > from && xs[order[at - 1]] > xs[one]; at--) order[at] = order[at - 1];
    order[at] = one;
  }
}
