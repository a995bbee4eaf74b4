import type { Vec3 } from "../../core/geometry.ts";
import type { Air } from "./air.ts";
import { type Sealed, sealedAir } from "./sealed-air.ts";

/** A cup that is less deep, in cubes, is a step of the cubes themselves. */
const LEAST_DEPTH = 4;
/** One of fewer cubes at its widest is, too. */
const LEAST_CUBES = 4;

/**
 * The area of the cups of a part that stands with `up` up and its lowest point among `points`: of the space that is sealed
 * between platform, part and film while some layer is printed, the widest layer of each, summed; mm².
 */
export function sealedMm2(air: Air, up: Vec3, points: Float64Array): number {
  const sealed = sealedAir(air, up, lowestMm(points, up));
  return sealed.cubes.length === 0 ? 0 : widestCubes(air, sealed) * air.sideMm * air.sideMm;
}

/** Sealed cubes that touch are opened by the same layer, so they are one cup. Turns the sign of the layers of cubes it has counted. */
function widestCubes({ columns, rows, levels }: Air, { cubes, opens, layers }: Sealed): number {
  const aways = [-1, 1, -columns, columns, -columns * rows, columns * rows];
  const widths = new Int32Array(columns + rows + levels + 3);
  const waiting = new Int32Array(cubes.length);
  let sum = 0;
  for (let i = 0; i < cubes.length; i++) {
    if (layers[cubes[i]] <= 0) continue;
    let lowest = layers[cubes[i]];
    let highest = lowest;
    let count = 0;
    layers[cubes[i]] *= -1;
    waiting[count++] = cubes[i];
    while (count > 0) {
      const cube = waiting[--count];
      const layer = -layers[cube];
      widths[layer]++;
      if (layer < lowest) lowest = layer;
      if (layer > highest) highest = layer;
      for (let side = 0; side < 6; side++) {
        const next = cube + aways[side];
        if (layers[next] <= 0) continue;
        layers[next] *= -1;
        waiting[count++] = next;
      }
    }
    const end = opens[i] > 0 ? opens[i] : highest + 1;
    let widest = 0;
    for (let layer = lowest; layer <= highest; layer++) {
      if (widths[layer] > widest) widest = widths[layer];
      widths[layer] = 0;
    }
    if (end - lowest >= LEAST_DEPTH && widest >= LEAST_CUBES) sum += widest;
  }
  return sum;
}

function lowestMm(points: Float64Array, up: Vec3): number {
  const [x, y, z] = up;
  let lowest = Infinity;
  for (let at = 0; at < points.length; at += 3) {
    const height = x * points[at] + y * points[at + 1] + z * points[at + 2];
    if (height < lowest) lowest = height;
  }
  return lowest;
}
