import { dot, type Mat3, type Vec3 } from "../../core/geometry.ts";
import type { Extremes } from "../form/extremes.ts";
import type { Part } from "../form/part.ts";
import { forEachPiece } from "../form/pieces.ts";

/**
 * The space around a part, in cubes. A cube is air when it can be reached from outside without a step through the surface; so
 * the inside of a solid and its closed cavities, which are sealed whichever way it stands, are none.
 */
export interface Air {
  /** `INSIDE`, `OUTSIDE` or neither: at (z · rows + y) · columns + x. */
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

/** Air beyond the convex hull of the part: nothing seals it, however the part stands. All cubes at the rim are such. */
export const OUTSIDE = 1;
/** Other air. */
export const INSIDE = 2;
const UNSEEN = 0;
const WALL = 3;

/** Cubes about a part: their sides are about 1.3 mm on a part of 80 mm, far above walls, below vents that drain. */
const CUBES = 250_000;
/** A smaller cube shows nothing that a machine prints, mm. */
const LEAST_SIDE_MM = 0.2;
/** Pieces whose sides are this share of a cube's leave no gap in a wall that air could step through. */
const PIECE = 0.8;
/** Cubes kept free around the part. */
const MARGIN = 2;

export function airAround(part: Part, extremes: Extremes, frame: Mat3, count = CUBES): Air {
  const { vertices } = part;
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < 3; i++) {
    const [x, y, z] = axisOf(frame, i);
    for (let at = 0; at < vertices.length; at += 3) {
      const along = x * vertices[at] + y * vertices[at + 1] + z * vertices[at + 2];
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
  const corner = [columns, rows, levels].map((count, i) => (min[i] + max[i] - count * sideMm) / 2);
  const [x, y, z] = corner.map((first) => first + sideMm / 2);
  const cubes = new Uint8Array(columns * rows * levels);
  const air: Air = { cubes, columns, rows, levels, sideMm, frame, firstMm: [x, y, z] };
  markOutside(air, extremes);
  markWalls(air, part, corner);
  flood(air);
  for (let at = 0; at < cubes.length; at++) if (cubes[at] === WALL) cubes[at] = UNSEEN;
  return air;
}

const axisOf = (frame: Mat3, i: number): Vec3 => [frame[3 * i], frame[3 * i + 1], frame[3 * i + 2]];

/** The rim, and cubes that lie wholly beyond the reach of the part in some direction: none that the platform cuts is among them. */
function markOutside({ cubes, columns, rows, levels, sideMm, frame, firstMm }: Air, { bounds }: Extremes): void {
  const planes = bounds.map(([direction, reachMm]) => {
    const [a, b, c] = [0, 1, 2].map((i) => dot(axisOf(frame, i), direction) * sideMm);
    return { a, b, c, most: reachMm + sideMm - dot(firstMm, [a, b, c]) / sideMm };
  });
  for (let z = 0; z < levels; z++) {
    for (let y = 0; y < rows; y++) {
      const isRim = y === 0 || z === 0 || y + 1 === rows || z + 1 === levels;
      let from = 1;
      let to = isRim ? -1 : columns - 2;
      for (const { a, b, c, most } of planes) {
        const left = most - b * y - c * z;
        if (a > 0) to = Math.min(to, Math.floor(left / a));
        else if (a < 0) from = Math.max(from, Math.ceil(left / a));
        else if (left < 0) to = -1;
      }
      const row = (z * rows + y) * columns;
      if (from > to) cubes.fill(OUTSIDE, row, row + columns);
      else cubes.fill(OUTSIDE, row, row + from).fill(OUTSIDE, row + to + 1, row + columns);
    }
  }
}

function markWalls({ cubes, columns, rows, sideMm, frame }: Air, part: Part, corner: readonly number[]): void {
  const [a, b, c, d, e, f, g, h, i] = frame.map((value) => value / sideMm);
  const [x0, y0, z0] = corner.map((first) => first / sideMm);
  forEachPiece(part, PIECE * sideMm, (x, y, z) => {
    const column = (a * x + b * y + c * z - x0) | 0;
    const row = (d * x + e * y + f * z - y0) | 0;
    const level = (g * x + h * y + i * z - z0) | 0;
    cubes[(level * rows + row) * columns + column] = WALL;
  });
}

/** Makes air of all that can be reached from outside. */
function flood({ cubes, columns, rows }: Air): void {
  const aways = [-1, 1, -columns, columns, -columns * rows, columns * rows];
  const waiting = new Uint32Array(cubes.length);
  let count = 0;
  for (let cube = 0; cube < cubes.length; cube++) {
    if (cubes[cube] === UNSEEN && aways.some((away) => cubes[cube + away] === OUTSIDE)) {
      cubes[cube] = INSIDE;
      waiting[count++] = cube;
    }
  }
  while (count > 0) {
    const cube = waiting[--count];
    for (let side = 0; side < aways.length; side++) {
      const next = cube + aways[side];
      if (cubes[next] !== UNSEEN) continue;
      cubes[next] = INSIDE;
      waiting[count++] = next;
    }
  }
}
