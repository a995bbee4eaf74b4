import { dot, type Vec3 } from "../../core/geometry.ts";
import { type Air, INSIDE, OUTSIDE } from "./air.ts";
import { newPockets } from "./pockets.ts";

/**
 * The area of the cups of a part that stands with `up` up and its lowest point among `points`: of the space that is sealed
 * between platform, part and film while some layer is printed, the widest layer of each, summed; mm². The air is swept from the
 * platform: what a layer adds is joined to what it touches, and stays sealed as long as it has not reached what lies outside.
 */
export function sealedMm2(air: Air, up: Vec3, points: Float64Array): number {
  const { cubes, columns, rows, sideMm } = air;
  const { layers, order, starts } = sweepOf(air, up, lowestMm(points, up));
  // Of each cube that the sweep has met: OPEN, or the number of its pocket.
  const met = new Int32Array(cubes.length);
  const pockets = newPockets(order.length + 1);
  let count = 0;
  const layer = columns * rows;
  const aways = [-1, 1, -columns, columns, -layer, layer];
  for (let step = 0; step + 1 < starts.length; step++) {
    for (let i = starts[step]; i < starts[step + 1]; i++) {
      const cube = order[i];
      let isJoined = false;
      for (let side = 0; side < aways.length && !isJoined; side++) {
        const other = cube + aways[side];
        isJoined =
          cubes[other] === OUTSIDE
            ? layers[other] >= 0 && layers[other] <= step
            : met[other] === OPEN || (met[other] > 0 && pockets.isOpen(met[other]));
      }
      met[cube] = isJoined ? OPEN : ++count;
      if (!isJoined) pockets.add(count, step);
      for (let side = 0; side < aways.length; side++) {
        const other = met[cube + aways[side]];
        if (other <= 0) continue;
        if (isJoined) pockets.open(other, step);
        else pockets.join(count, other, step);
      }
    }
  }
  return pockets.widestCubes() * sideMm * sideMm;
}

const OPEN = -1;

interface Sweep {
  /** The layer of each cube of air, counted from the platform; negative below it. */
  readonly layers: Int16Array;
  /** The cubes of air inside the hull, layer by layer from the platform. */
  readonly order: Uint32Array;
  /** Layer k has `order[starts[k]]` … `[starts[k + 1] - 1]`. */
  readonly starts: Uint32Array;
}

/** Layers are as thick as a cube; what lies below the platform is in none. */
function sweepOf({ cubes, columns, rows, levels, sideMm, frame, firstMm }: Air, up: Vec3, bottomMm: number): Sweep {
  const [a, b, c] = [0, 3, 6].map((at) => dot([frame[at], frame[at + 1], frame[at + 2]], up));
  const ground = (dot(firstMm, [a, b, c]) - bottomMm) / sideMm + 0.5;
  const layers = new Int16Array(cubes.length);
  const starts = new Uint32Array(columns + rows + levels + 3);
  let cube = 0;
  let top = -1;
  for (let z = 0; z < levels; z++) {
    for (let y = 0; y < rows; y++) {
      const height = b * y + c * z + ground;
      for (let x = 0; x < columns; x++, cube++) {
        if (cubes[cube] === 0) continue;
        const layer = Math.floor(a * x + height);
        layers[cube] = layer;
        if (cubes[cube] !== INSIDE || layer < 0) continue;
        starts[layer + 2]++;
        if (layer > top) top = layer;
      }
    }
  }
  for (let k = 2; k < top + 3; k++) starts[k] += starts[k - 1];
  const order = new Uint32Array(starts[top + 2]);
  for (let cube = 0; cube < cubes.length; cube++) {
    if (cubes[cube] === INSIDE && layers[cube] >= 0) order[starts[layers[cube] + 1]++] = cube;
  }
  return { layers, order, starts: starts.subarray(0, top + 2) };
}

function lowestMm(points: Float64Array, up: Vec3): number {
  let lowest = Infinity;
  for (let at = 0; at < points.length; at += 3) {
    lowest = Math.min(lowest, up[0] * points[at] + up[1] * points[at + 1] + up[2] * points[at + 2]);
  }
  return lowest;
}
