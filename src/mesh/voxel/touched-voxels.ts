import type { Watch } from "../../core/watch.ts";
import { grown } from "../grown.ts";
import type { GridSize } from "./grid-size.ts";

/** Which facets reach into which voxels: pair i is facet `facets[i]` in voxel `voxels[i]`. */
export interface Touches {
  readonly voxels: Uint32Array;
  readonly facets: Uint32Array;
}

const FACETS_PER_REPORT = 1024;
/** A facet cut by four planes has three corners and one more for each. */
const MOST_CORNERS = 7;

/**
 * The voxels of a grid that facets touch. `corners` are those of each facet, x, y, z of each, in voxels from the middle of voxel
 * (0, 0, 0). All that lies in a voxel is at most half a diagonal from its middle. Facets come in order, of each its voxels
 * once.
 */
export function touchedVoxels(corners: Float32Array, size: GridSize, watch: Watch): Touches {
  const { columns, rows, layers } = size;
  let voxels = new Uint32Array(corners.length);
  let facets = new Uint32Array(corners.length);
  let count = 0;
  const inLayer = new Float64Array(3 * MOST_CORNERS);
  const inRow = new Float64Array(3 * MOST_CORNERS);
  const half = new Float64Array(3 * MOST_CORNERS);
  const facet = new Float64Array(9);

  const touch = (at: number, lowest: number, highest: number): void => {
    for (let i = 0; i < 9; i++) facet[i] = corners[at + i];
    for (let z = lowest; z <= highest; z++) {
      const layerCorners = cutSlab(facet, 3, 2, z, half, inLayer);
      if (layerCorners === 0) continue;
      const front = Math.max(0, Math.round(least(inLayer, layerCorners, 1)));
      const back = Math.min(rows - 1, Math.round(greatest(inLayer, layerCorners, 1)));
      for (let y = front; y <= back; y++) {
        const rowCorners = front === back ? layerCorners : cutSlab(inLayer, layerCorners, 1, y, half, inRow);
        if (rowCorners === 0) continue;
        const piece = front === back ? inLayer : inRow;
        const left = Math.max(0, Math.round(least(piece, rowCorners, 0)));
        const right = Math.min(columns - 1, Math.round(greatest(piece, rowCorners, 0)));
        voxels = grown(voxels, count + right - left + 1);
        facets = grown(facets, count + right - left + 1);
        const first = (z * rows + y) * columns;
        for (let x = left; x <= right; x++) {
          voxels[count] = first + x;
          facets[count++] = at / 9;
        }
      }
    }
  };
  for (let at = 0; at < corners.length; at += 9) {
    if (at % (9 * FACETS_PER_REPORT) === 0) watch.report(at / corners.length);
    const lowest = Math.max(0, Math.round(Math.min(corners[at + 2], corners[at + 5], corners[at + 8])));
    const highest = Math.min(layers - 1, Math.round(Math.max(corners[at + 2], corners[at + 5], corners[at + 8])));
    if (lowest <= highest) touch(at, lowest, highest);
  }
  return { voxels: voxels.subarray(0, count), facets: facets.subarray(0, count) };
}

const least = (polygon: Float64Array, count: number, axis: number): number => {
  let value = Infinity;
  for (let i = axis; i < 3 * count; i += 3) if (polygon[i] < value) value = polygon[i];
  return value;
};

const greatest = (polygon: Float64Array, count: number, axis: number): number => {
  let value = -Infinity;
  for (let i = axis; i < 3 * count; i += 3) if (polygon[i] > value) value = polygon[i];
  return value;
};

/** What of a convex polygon lies within half a voxel of a plane across the axis; tells its number of corners. */
function cutSlab(
  polygon: Float64Array,
  count: number,
  axis: number,
  plane: number,
  half: Float64Array,
  out: Float64Array,
): number {
  const kept = cut(polygon, count, axis, plane - 0.5, 1, half);
  return cut(half, kept, axis, plane + 0.5, -1, out);
}

/** What of a convex polygon lies on the side of the plane that `side` tells: 1 above, −1 below. */
function cut(
  polygon: Float64Array,
  count: number,
  axis: number,
  plane: number,
  side: number,
  out: Float64Array,
): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const a = 3 * i;
    const b = 3 * (i + 1 === count ? 0 : i + 1);
    const fromA = side * (polygon[a + axis] - plane);
    const fromB = side * (polygon[b + axis] - plane);
    if (fromA >= 0) {
      out[3 * kept] = polygon[a];
      out[3 * kept + 1] = polygon[a + 1];
      out[3 * kept++ + 2] = polygon[a + 2];
    }
    if (fromA >= 0 === fromB >= 0) continue;
    const share = fromA / (fromA - fromB);
    out[3 * kept] = polygon[a] + share * (polygon[b] - polygon[a]);
    out[3 * kept + 1] = polygon[a + 1] + share * (polygon[b + 1] - polygon[a + 1]);
    out[3 * kept++ + 2] = polygon[a + 2] + share * (polygon[b + 2] - polygon[a + 2]);
  }
  return kept;
}
