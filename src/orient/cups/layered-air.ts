import { dot, type Vec3 } from "../../core/geometry.ts";
import { type Air, OUTSIDE } from "./air.ts";

/** The air that may be sealed, in layers as thick as a cube. */
export interface LayeredAir {
  /** Of every cube of the grid: the layer it lies in, from 1 at the platform; 0 where it is none of this air. */
  readonly layers: Int16Array;
  readonly count: number;
  /** Its cubes beside other air. */
  readonly shores: Int32Array;
  /** The layer that joins each of those to that air: its own, or that of the other where this is later. */
  readonly joins: Int16Array;
}

/** The layered air around a part that stands with `up` up on a platform at `bottomMm` along it. */
export function layeredAir(air: Air, up: Vec3, bottomMm: number): LayeredAir {
  const { kinds, sideMm, frame, firstMm } = air;
  const [a, b, c] = [0, 3, 6].map((at) => dot([frame[at], frame[at + 1], frame[at + 2]], up));
  const ground = (dot(firstMm, [a, b, c]) - bottomMm) / sideMm + 0.5;
  const heights: Heights = { a, b, c, ground, columns: air.columns, rows: air.rows };
  const layers = new Int16Array(kinds.length);
  const count = enterRuns(layers, air, heights);
  const shut = enterShut(layers, air, heights);
  return { layers, count: count + shut.length, ...joined(layers, [air.shores, shut], air, heights) };
}

/** Of the middles of cubes above the platform, in layers: a · x + b · y + c · z + ground. */
interface Heights {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly ground: number;
  readonly columns: number;
  readonly rows: number;
}

function heightOf(cube: number, { a, b, c, ground, columns, rows }: Heights): number {
  const row = (cube / columns) | 0;
  return a * (cube % columns) + b * (row % rows) + c * ((row / rows) | 0) + ground;
}

/** Enters the layers of the air in no line and counts it. */
function enterRuns(layers: Int16Array, { runs }: Air, heights: Heights): number {
  const { a } = heights;
  let count = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const first = runs[run];
    const last = runs[run + 1] - 1;
    const start = heightOf(first, heights);
    for (let cube = first; cube <= last; cube++) {
      const height = start + a * (cube - first);
      if (height < 0) continue;
      layers[cube] = (height | 0) + 1;
      count++;
    }
  }
  return count;
}

/**
 * Enters the layers of lines that the platform shuts, and tells their cubes. Another line has an end that is above the platform and not
 * above its other cubes, so its air is open.
 */
function enterShut(layers: Int16Array, { lines }: Air, heights: Heights): Int32Array {
  const shut = new Int32Array(lines.reduce((sum, { cubes }) => sum + cubes.length, 0));
  let count = 0;
  lines.forEach(({ stride, ends, cubes, firsts }, axis) => {
    const slope = [heights.a, heights.b, heights.c][axis];
    for (let line = 0; line + 1 < firsts.length; line++) {
      const lower = ends[2 * line + (slope >= 0 ? 0 : 1)];
      const start = heightOf(lower, heights);
      if (start >= 0) continue;
      const perCube = slope / stride;
      for (let i = firsts[line]; i < firsts[line + 1]; i++) {
        const height = start + perCube * (cubes[i] - lower);
        if (height < 0) continue;
        layers[cubes[i]] = (height | 0) + 1;
        shut[count++] = cubes[i];
      }
    }
  });
  return shut.subarray(0, count);
}

/** Of these cubes, those beside other air, and the layers that join them to it. */
function joined(
  layers: Int16Array,
  among: readonly Int32Array[],
  { kinds, columns, rows }: Air,
  heights: Heights,
): Pick<LayeredAir, "shores" | "joins"> {
  const aways = [-1, 1, -columns, columns, -columns * rows, columns * rows];
  const most = among.reduce((sum, cubes) => sum + cubes.length, 0);
  const shores = new Int32Array(most);
  const joins = new Int16Array(most);
  let count = 0;
  for (const cubes of among) {
    for (let i = 0; i < cubes.length; i++) {
      const cube = cubes[i];
      if (layers[cube] === 0) continue;
      let lowest = Infinity;
      for (let side = 0; side < 6; side++) {
        const next = cube + aways[side];
        if (layers[next] !== 0 || kinds[next] < OUTSIDE) continue;
        const height = heightOf(next, heights);
        if (height >= 0 && height < lowest) lowest = height;
      }
      if (lowest === Infinity) continue;
      shores[count] = cube;
      joins[count++] = Math.max(layers[cube], (lowest | 0) + 1);
    }
  }
  return { shores: shores.subarray(0, count), joins };
}
