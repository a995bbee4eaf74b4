import type { Vec3 } from "../../core/geometry.ts";
import type { Air } from "./air.ts";
import { layeredAir } from "./layered-air.ts";

/** The air that is sealed while some layer is printed. */
export interface Sealed {
  /** Its cubes. */
  readonly cubes: Int32Array;
  /** The layer that joins each of them to the air outside; 0 for none. */
  readonly opens: Int16Array;
  /** Of every cube of the grid: the layer it lies in, from 1 at the platform, where it is one of them; 0 elsewhere. */
  readonly layers: Int16Array;
}

/**
 * What is sealed of the air around a part that stands with `up` up on a platform at `bottomMm` along it. Of all ways from outside to a
 * cube, that whose highest layer is the lowest opens it; cubes are met in that order (Barnes and others, "Priority-flood", 2014),
 * from a list for each layer.
 */
export function sealedAir(air: Air, up: Vec3, bottomMm: number): Sealed {
  const { columns, rows, levels } = air;
  const { layers, count, shores, joins } = layeredAir(air, up, bottomMm);
  // Entry 0 ends each list.
  const firsts = new Int32Array(columns + rows + levels + 3);
  const nexts = new Int32Array(count + shores.length + 1);
  const listed = new Int32Array(count + shores.length + 1);
  let entries = 0;
  // Layers of cubes that have been reached become 0 where these are open from the start and negative where they are sealed.
  let left = count;
  for (let i = 0; i < shores.length; i++) {
    listed[++entries] = shores[i];
    nexts[entries] = firsts[joins[i]];
    firsts[joins[i]] = entries;
    if (layers[shores[i]] < joins[i]) continue;
    layers[shores[i]] = 0;
    left--;
  }
  const cubes = new Int32Array(left);
  const opens = new Int16Array(left);
  let found = 0;
  const aways = [-1, 1, -columns, columns, -columns * rows, columns * rows];
  for (let layer = 1; layer < firsts.length; layer++) {
    while (firsts[layer] > 0) {
      const entry = firsts[layer];
      firsts[layer] = nexts[entry];
      const cube = listed[entry];
      if (layers[cube] > 0) {
        layers[cube] *= -1;
        left--;
      } else if (layers[cube] < 0 && entry <= shores.length) continue;
      if (layers[cube] < 0) {
        cubes[found] = cube;
        opens[found++] = layer;
      }
      for (let side = 0; side < 6; side++) {
        const next = cube + aways[side];
        const own = layers[next];
        if (own <= 0) continue;
        const opening = own < layer ? layer : own;
        layers[next] = own < layer ? -own : 0;
        left--;
        listed[++entries] = next;
        nexts[entries] = firsts[opening];
        firsts[opening] = entries;
      }
    }
  }
  for (let cube = 0; left > 0; cube++) {
    if (layers[cube] <= 0) continue;
    layers[cube] *= -1;
    cubes[found++] = cube;
    left--;
  }
  for (let i = 0; i < found; i++) layers[cubes[i]] *= -1;
  return { cubes: cubes.subarray(0, found), opens, layers };
}
