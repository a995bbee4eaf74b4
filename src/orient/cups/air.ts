import { dot, type Mat3, type Vec3 } from "../../core/geometry.ts";
import type { Extremes } from "../form/extremes.ts";
import type { Part } from "../form/part.ts";
import type { Cubes } from "./cubes.ts";
import { type Lines, linesThrough } from "./lines.ts";
import { markWalls } from "./walls.ts";

/**
 * The space around a part, in cubes. A cube is air when it can be reached from outside without a step through the surface; so
 * the inside of a solid and its closed cavities, which are sealed whichever way it stands, are none.
 */
export interface Air extends Cubes {
  /** Those that are `INSIDE` or `SHORE`, as runs along rows: the first cube of each and one more than its last. */
  readonly runs: Int32Array;
  /** Those that are `SHORE`. */
  readonly shores: Int32Array;
  /** Along columns, rows and levels. */
  readonly lines: readonly Lines[];
}

const UNSEEN = 0;
const WALL = 1;
/** Air that is none of the following. */
export const INSIDE = 2;
/** Such air beside some of the following. */
const SHORE = 3;
/** Air beyond the convex hull of the part: nothing seals it but the platform. All cubes at the rim are such. */
export const OUTSIDE = 4;
/** Air from which a line along an axis leads outside both ways. */
const THROUGH = 5;

/** Cubes about a part: their sides are about 1.3 mm on a part of 80 mm, far above walls, below vents that drain. */
const CUBES = 250_000;
/** A smaller cube shows nothing that a machine prints, mm. */
const LEAST_SIDE_MM = 0.2;
/** Cubes kept free around the part. */
const MARGIN = 2;

export function airAround(part: Part, extremes: Extremes, frame: Mat3, about = CUBES): Air {
  const spans = [0, 1, 2].map((i) => spanAlong(part, axisOf(frame, i)));
  const sides = spans.map(([least, most]) => most - least);
  const longest = Math.max(...sides);
  // A thin part gets no more cubes than a bulky one of its length: its sides count as a tenth of it at least.
  const bulk = sides.reduce((product, side) => product * Math.max(side, longest / 10), 1);
  const sideMm = Math.max(LEAST_SIDE_MM, Math.fround(Math.cbrt(bulk / about)), longest / 500);
  const [columns, rows, levels] = sides.map((side) => Math.ceil(side / sideMm) + 2 * MARGIN);
  const [x, y, z] = [columns, rows, levels].map((count, i) => (spans[i][0] + spans[i][1] - (count - 1) * sideMm) / 2);
  const kinds = new Uint8Array(columns * rows * levels);
  const cubes: Cubes = { kinds, columns, rows, levels, sideMm, frame, firstMm: [x, y, z] };
  markOutside(cubes, extremes);
  markWalls(cubes, part, WALL);
  const lines = linesThrough(cubes, OUTSIDE, UNSEEN, THROUGH);
  const shores = flood(cubes);
  return { ...cubes, runs: runsOf(cubes), shores, lines };
}

function spanAlong({ vertices }: Part, [x, y, z]: Vec3): [least: number, most: number] {
  let least = Infinity;
  let most = -Infinity;
  for (let at = 0; at < vertices.length; at += 3) {
    const along = x * vertices[at] + y * vertices[at + 1] + z * vertices[at + 2];
    if (along < least) least = along;
    if (along > most) most = along;
  }
  return [least, most];
}

const axisOf = (frame: Mat3, i: number): Vec3 => [frame[3 * i], frame[3 * i + 1], frame[3 * i + 2]];

/** The rim, and cubes that lie wholly beyond the reach of the part in some direction: none that the platform cuts is among them. */
function markOutside({ kinds, columns, rows, levels, sideMm, frame, firstMm }: Cubes, { bounds }: Extremes): void {
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
      if (from > to) kinds.fill(OUTSIDE, row, row + columns);
      else kinds.fill(OUTSIDE, row, row + from).fill(OUTSIDE, row + to + 1, row + columns);
    }
  }
}

/** Makes air of all that can be reached from outside, and tells where from. */
function flood({ kinds, columns, rows }: Cubes): Int32Array {
  const layer = columns * rows;
  const aways = [-1, 1, -columns, columns, -layer, layer];
  const waiting = new Int32Array(kinds.length);
  let waits = 0;
  for (let cube = 0; cube < kinds.length; cube++) {
    if (kinds[cube] !== UNSEEN) continue;
    const isShore =
      kinds[cube - 1] >= OUTSIDE ||
      kinds[cube + 1] >= OUTSIDE ||
      kinds[cube - columns] >= OUTSIDE ||
      kinds[cube + columns] >= OUTSIDE ||
      kinds[cube - layer] >= OUTSIDE ||
      kinds[cube + layer] >= OUTSIDE;
    if (!isShore) continue;
    kinds[cube] = SHORE;
    waiting[waits++] = cube;
  }
  const shores = waiting.slice(0, waits);
  while (waits > 0) {
    const cube = waiting[--waits];
    for (let side = 0; side < aways.length; side++) {
      const next = cube + aways[side];
      if (kinds[next] !== UNSEEN) continue;
      kinds[next] = INSIDE;
      waiting[waits++] = next;
    }
  }
  return shores;
}

function runsOf({ kinds }: Cubes): Int32Array {
  const ends: number[] = [];
  let isRun = false;
  for (let cube = 0; cube < kinds.length; cube++) {
    const kind = kinds[cube];
    if ((kind === INSIDE || kind === SHORE) === isRun) continue;
    ends.push(cube);
    isRun = !isRun;
  }
  return Int32Array.from(ends);
}
