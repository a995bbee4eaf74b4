import type { Watch } from "../../../core/watch.ts";
import { grown } from "../../../mesh/boolean/region/grown.ts";
import type { Region } from "../../../mesh/boolean/region/region.ts";
import { type Rectangle, rectangleOf } from "../ring-facts.ts";
import { lowerCliffs } from "./lower-cliffs.ts";
import { risenAt, type Roof, type RoofRequest } from "./roof.ts";
import { spreadOnward, spreadToRim } from "./spread-heights.ts";

/** A roof bends no more than the ball that is as large as the shell: over a step it is off its chord by 1 / 288 of that. */
const STEP_PER_SHELL = 1 / 6;
const [FINEST_MM, COARSEST_MM] = [0.2, 0.5];
const MOST_NODES = 400_000;
/** Corners of the grid known beyond the rim of the region: those of every square that it reaches into. */
const BEYOND = 2;
/** A column beside an upright wall is as far from it all the way up: it shall not end for a rounding. Shares of a step. */
const INSET = 0.2;
const COLUMNS_PER_REPORT = 64;
/** Shares of the progress at which columns have risen, and cliffs are lowered. */
const RISEN = 0.6;
const LOWERED = 0.9;

/**
 * The roof over a region: each column is hollow from the bottom to where it comes to the shell. What is hollow above any
 * place is hollow below it, so nothing of it can hold resin, and its roof is all that has to carry itself.
 */
export async function roofOver(request: RoofRequest, watch: Watch): Promise<Roof> {
  const { region, shellMm } = request;
  const grid = gridOver(rectangleOf(region), shellMm);
  const { columns, rows, leftMm, frontMm, stepMm } = grid;
  const heightsMm = new Float64Array(columns * rows).fill(NaN);
  const inner = await grown(region, -INSET * stepMm);
  for (let row = 0; row < rows; row++) {
    const y = frontMm + row * stepMm;
    const xs = crossingsAt(inner, y);
    for (let i = 0; i + 1 < xs.length; i += 2) {
      const first = Math.ceil((xs[i] - leftMm) / stepMm);
      const last = Math.floor((xs[i + 1] - leftMm) / stepMm);
      for (let column = first; column <= last; column++) {
        if ((column - first) % COLUMNS_PER_REPORT === 0) watch.report((RISEN * row) / rows);
        heightsMm[row * columns + column] = risenAt(leftMm + column * stepMm, y, request, stepMm);
      }
    }
  }
  const roof = { ...grid, heightsMm };
  lowerCliffs(roof, request, watch.part(RISEN, LOWERED));
  spreadToRim(roof, request, watch.part(LOWERED, 1));
  spreadOnward(roof, request.bottomMm);
  return roof;
}

function gridOver({ minX, minY, maxX, maxY }: Rectangle, shellMm: number): Omit<Roof, "heightsMm"> {
  const wantedMm = Math.min(COARSEST_MM, Math.max(FINEST_MM, STEP_PER_SHELL * shellMm));
  const stepMm = Math.max(wantedMm, Math.sqrt(((maxX - minX) * (maxY - minY)) / MOST_NODES));
  const count = (mm: number): number => Math.ceil(mm / stepMm) + 1 + 2 * BEYOND;
  return {
    leftMm: minX - BEYOND * stepMm,
    frontMm: minY - BEYOND * stepMm,
    stepMm,
    columns: count(maxX - minX),
    rows: count(maxY - minY),
  };
}

/** Where the line at y passes the rim of a region, from left to right. */
function crossingsAt(region: Region, y: number): number[] {
  const xs: number[] = [];
  for (const ring of region) {
    for (let at = 0, last = ring.length - 2; at < ring.length; last = at, at += 2) {
      const [ay, by] = [ring[last + 1], ring[at + 1]];
      if (ay > y === by > y) continue;
      xs.push(ring[last] + ((y - ay) / (by - ay)) * (ring[at] - ring[last]));
    }
  }
  return xs.sort((a, b) => a - b);
}
