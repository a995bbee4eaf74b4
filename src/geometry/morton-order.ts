import type { Progress } from "../core/progress.ts";
import { releaseArrays } from "../core/typed-arrays.ts";
import { newRadixSort } from "./radix-sort.ts";

/** Bits of a key for each axis; three axes fill 30 bits. */
const BITS = 10;
const CELLS = 2 ** BITS;
/** A longer run of points in one cell is sorted again, in a finer grid over its box. */
const MAX_RUN = 32;

/**
 * The order of points (x, y, z each) along a Morton curve: consecutive points are near one another, except where the curve jumps.
 * Points in one cell of a grid of 1024³ are sorted by a finer grid. Equal points keep their order. Source: G. M. Morton, "A Computer
 * Oriented Geodetic Data Base and a New Technique in File Sequencing" (1966).
 */
export function mortonOrder(points: Float32Array, progress: Progress): Uint32Array<ArrayBuffer> {
  const count = points.length / 3;
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  const keys = new Uint32Array(count);
  const sort = newRadixSort(count);

  const sortRange = (from: number, to: number): void => {
    progress.report(from / count);
    const [leastX, leastY, leastZ, extent] = cubeOf(points, order, from, to);
    if (!(extent > 0)) return;
    const perUnit = (CELLS * (1 - 1e-6)) / extent;
    for (let i = from; i < to; i++) {
      const at = 3 * order[i];
      const x = (points[at] - leastX) * perUnit;
      const y = (points[at + 1] - leastY) * perUnit;
      const z = (points[at + 2] - leastZ) * perUnit;
      keys[i] = (spread(x) << 2) | (spread(y) << 1) | spread(z);
    }
    sort(keys, order, from, to);
    for (let start = from; start < to;) {
      let end = start + 1;
      while (end < to && keys[end] === keys[start]) end++;
      if (end - start > MAX_RUN) sortRange(start, end);
      start = end;
    }
  };
  sortRange(0, count);
  releaseArrays(keys);
  return order;
}

/** The least x, y and z of some of the points, and their longest extent. */
function cubeOf(points: Float32Array, order: Uint32Array, from: number, to: number): [number, number, number, number] {
  let [leastX, leastY, leastZ] = [Infinity, Infinity, Infinity];
  let [mostX, mostY, mostZ] = [-Infinity, -Infinity, -Infinity];
  for (let i = from; i < to; i++) {
    const x = points[3 * order[i]];
    const y = points[3 * order[i] + 1];
    const z = points[3 * order[i] + 2];
    if (x < leastX) leastX = x;
    if (y < leastY) leastY = y;
    if (z < leastZ) leastZ = z;
    if (x > mostX) mostX = x;
    if (y > mostY) mostY = y;
    if (z > mostZ) mostZ = z;
  }
  return [leastX, leastY, leastZ, Math.max(mostX - leastX, mostY - leastY, mostZ - leastZ)];
}

/** The ten bits of a number below 1024, with two zero bits between neighbours. */
function spread(value: number): number {
  let bits = value & 0x3ff;
  bits = (bits | (bits << 16)) & 0x0300_00ff;
  bits = (bits | (bits << 8)) & 0x0300_f00f;
  bits = (bits | (bits << 4)) & 0x030c_30c3;
  return (bits | (bits << 2)) & 0x0924_9249;
}
