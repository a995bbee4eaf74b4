import { dot, type Vec3 } from "../../core/geometry.ts";
import type { Air } from "./air.ts";
import { newPockets } from "./pockets.ts";

/**
 * The area of the cups of a part that stands with `up` up and its lowest point among `points`: of the space that is sealed
 * between platform, part and film while some layer is printed, the widest layer of each, summed; mm². The air is swept from the
 * platform: what a layer adds is joined to what it touches, and stays sealed as long as it has not reached the rim of the cubes.
 */
export function sealedMm2(air: Air, up: Vec3, points: Float64Array): number {
  const { cubes, columns, rows, levels, sideMm } = air;
  const layer = columns * rows;
  const { order, starts } = sweepOf(air, up, lowestMm(points, up));
  const states = new Uint8Array(cubes.length);
  const pockets = newPockets(cubes.length);
  const isOpen = (cube: number): boolean => states[cube] === OPEN || (states[cube] === SEALED && pockets.isOpen(cube));
  const aways = [-1, 1, -columns, columns, -layer, layer];
  for (let step = 0; step + 1 < starts.length; step++) {
    for (let i = starts[step]; i < starts[step + 1]; i++) {
      const cube = order[i];
      const x = cube % columns;
      const y = Math.floor(cube / columns) % rows;
      const z = Math.floor(cube / layer);
      const isAtRim = x === 0 || y === 0 || z === 0 || x + 1 === columns || y + 1 === rows || z + 1 === levels;
      if (isAtRim) {
        states[cube] = OPEN;
        continue;
      }
      const isJoined =
        isOpen(cube - 1) ||
        isOpen(cube + 1) ||
        isOpen(cube - columns) ||
        isOpen(cube + columns) ||
        isOpen(cube - layer) ||
        isOpen(cube + layer);
      states[cube] = isJoined ? OPEN : SEALED;
      if (!isJoined) pockets.add(cube, step);
      for (let side = 0; side < aways.length; side++) {
        const other = cube + aways[side];
        if (states[other] !== SEALED) continue;
        if (isJoined) pockets.open(other, step);
        else pockets.join(cube, other, step);
      }
    }
  }
  return pockets.widestCubes() * sideMm * sideMm;
}

const OPEN = 1;
const SEALED = 2;

interface Sweep {
  /** The cubes of air, layer by layer from the platform. */
  readonly order: Uint32Array;
  /** Layer k has `order[starts[k]]` … `[starts[k + 1] - 1]`. */
  readonly starts: Uint32Array;
}

/** Layers are as thick as a cube; what lies below the platform is in none. */
function sweepOf({ cubes, columns, rows, sideMm, frame, firstMm }: Air, up: Vec3, bottomMm: number): Sweep {
  const [a, b, c] = [0, 3, 6].map((at) => dot([frame[at], frame[at + 1], frame[at + 2]], up));
  const ground = (dot(firstMm, [a, b, c]) - bottomMm) / sideMm + 0.5;
  const layer = columns * rows;
  const layers = new Int32Array(cubes.length).fill(-1);
  let top = -1;
  for (let cube = 0; cube < cubes.length; cube++) {
    if (cubes[cube] === 0) continue;
    const x = cube % columns;
    const y = Math.floor(cube / columns) % rows;
    const z = Math.floor(cube / layer);
    const height = Math.floor(a * x + b * y + c * z + ground);
    layers[cube] = height;
    if (height > top) top = height;
  }
  const starts = new Uint32Array(top + 3);
  for (let cube = 0; cube < layers.length; cube++) if (layers[cube] >= 0) starts[layers[cube] + 2]++;
  for (let k = 2; k < starts.length; k++) starts[k] += starts[k - 1];
  const order = new Uint32Array(starts[top + 2]);
  for (let cube = 0; cube < cubes.length; cube++) if (layers[cube] >= 0) order[starts[layers[cube] + 1]++] = cube;
  return { order, starts: starts.subarray(0, top + 2) };
}

function lowestMm(points: Float64Array, up: Vec3): number {
  let lowest = Infinity;
  for (let at = 0; at < points.length; at += 3) {
    lowest = Math.min(lowest, up[0] * points[at] + up[1] * points[at + 1] + up[2] * points[at + 2]);
  }
  return lowest;
}
