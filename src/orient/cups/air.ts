import type { Mat3, Vec3 } from "../../core/geometry.ts";
import type { Part } from "../form/part.ts";
import { forEachPiece } from "../form/pieces.ts";

/**
 * The space around a part, in cubes. A cube is air when it can be reached from outside without a step through the surface; so
 * the inside of a solid and its closed cavities, which are sealed whichever way it stands, are none.
 */
export interface Air {
  /** 1 for air: at (z · rows + y) · columns + x. */
  readonly cubes: Uint8Array;
  readonly columns: number;
  readonly rows: number;
  readonly levels: number;
  readonly sideMm: number;
  /** Rows: the directions of the part that columns, rows and levels count along. */
  readonly frame: Mat3;
  /** The middle of the first cube, along those. */
  readonly firstMm: Vec3;
}

/** Cubes about a part: their sides are about 1.3 mm on a part of 80 mm, far above walls, below vents that drain. */
const CUBES = 250_000;
/** A smaller cube shows nothing that a machine prints, mm. */
const LEAST_SIDE_MM = 0.2;
/** Pieces whose sides are this share of a cube's leave no gap in a wall that air could step through. */
const PIECE = 0.8;
/** Cubes kept free around the part. */
const MARGIN = 2;

const UNSEEN = 0;
const AIR = 1;
const WALL = 2;

export function airAround(part: Part, frame: Mat3, count = CUBES): Air {
  const { vertices } = part;
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < vertices.length; at += 3) {
    for (let i = 0; i < 3; i++) {
      const along =
        frame[3 * i] * vertices[at] + frame[3 * i + 1] * vertices[at + 1] + frame[3 * i + 2] * vertices[at + 2];
      if (along < min[i]) min[i] = along;
      if (along > max[i]) max[i] = along;
    }
  }
  const sides = max.map((most, i) => most - min[i]);
  const longest = Math.max(...sides);
  // A thin part gets no more cubes than a bulky one of its length: its sides count as a tenth of it at least.
  const bulk = sides.reduce((product, side) => product * Math.max(side, longest / 10), 1);
  const sideMm = Math.max(LEAST_SIDE_MM, Math.fround(Math.cbrt(bulk / count)), longest / 500);
  const [columns, rows, levels] = sides.map((side) => Math.ceil(side / sideMm) + 2 * MARGIN);
  const firsts = [columns, rows, levels].map((count, i) => (min[i] + max[i] - count * sideMm) / 2);
  const cubes = new Uint8Array(columns * rows * levels);
  const indexOf = (i: number, x: number, y: number, z: number): number =>
    Math.floor((frame[3 * i] * x + frame[3 * i + 1] * y + frame[3 * i + 2] * z - firsts[i]) / sideMm);
  forEachPiece(part, PIECE * sideMm, (x, y, z) => {
    cubes[(indexOf(2, x, y, z) * rows + indexOf(1, x, y, z)) * columns + indexOf(0, x, y, z)] = WALL;
  });
  flood(cubes, columns, rows, levels);
  for (let at = 0; at < cubes.length; at++) if (cubes[at] !== AIR) cubes[at] = 0;
  const [x, y, z] = firsts.map((corner) => corner + sideMm / 2);
  return { cubes, columns, rows, levels, sideMm, frame, firstMm: [x, y, z] };
}

/** Makes air of all that can be reached from the first cube, which is free. */
function flood(cubes: Uint8Array, columns: number, rows: number, levels: number): void {
  const layer = columns * rows;
  const waiting = new Uint32Array(cubes.length);
  cubes[0] = AIR;
  let count = 1;
  while (count > 0) {
    const cube = waiting[--count];
    const x = cube % columns;
    const y = ((cube / columns) | 0) % rows;
    const z = (cube / layer) | 0;
    for (let side = 0; side < 6; side++) {
      if (side === 0 ? x === 0 : side === 1 ? x + 1 === columns : false) continue;
      if (side === 2 ? y === 0 : side === 3 ? y + 1 === rows : false) continue;
      if (side === 4 ? z === 0 : side === 5 ? z + 1 === levels : false) continue;
      const away = side < 2 ? 1 : side < 4 ? columns : layer;
      const next = side % 2 === 0 ? cube - away : cube + away;
      if (cubes[next] !== UNSEEN) continue;
      cubes[next] = AIR;
      waiting[count++] = next;
    }
  }
}
