import type { Watch } from "../../core/watch.ts";
import type { Region } from "../../mesh/boolean/region/region.ts";
import type { Archway } from "./archway.ts";
import { cellFinder } from "./cell-finder.ts";
import { type Lattice, sideOf } from "./lattice.ts";
import { isIn, type Point } from "./ring-facts.ts";

/** An opening at the foot of a honeycomb wall, from one cell to another. */
export interface Passage extends Archway {
  /** Numbers of the cells. */
  readonly cells: readonly [number, number];
}

/** Resin runs through it as through the drain holes that are usual; where it stands, its roof carries itself. */
export const PASSAGE_MM = 1;
/** It reaches so far into the cells on its sides. */
const INTO_CELL_MM = 0.3;
/** Places tried along a wall, on each side of its middle. */
const TRIES = 4;

/**
 * One passage for each honeycomb wall between two cells that is long enough for it: the bottom of a base stands on the
 * platform, so that each cell must drain through its neighbours.
 */
export function passagesOf(cells: readonly Region[], region: Region, lattice: Lattice, watch: Watch): Passage[] {
  const found: Passage[] = [];
  const reach = lattice.wallMm / 2 + INTO_CELL_MM;
  const free = Math.max(0, sideOf(lattice) / 2 - PASSAGE_MM);
  const cellAt = cellFinder(cells);
  for (const [number, [a, b]] of lattice.neighbours.entries()) {
    watch.report(number / lattice.neighbours.length);
    const size = lattice.cellMm + lattice.wallMm;
    const [alongX, alongY] = [(b[0] - a[0]) / size, (b[1] - a[1]) / size];
    for (let i = 0; i <= 2 * TRIES; i++) {
      // The middle of the wall, then ever farther from it on either side.
      const aside = ((i % 2 === 0 ? 1 : -1) * Math.ceil(i / 2) * free) / TRIES;
      const at = (along: number, across: number): Point => [
        (a[0] + b[0]) / 2 + along * alongX - (aside + across) * alongY,
        (a[1] + b[1]) / 2 + along * alongY + (aside + across) * alongX,
      ];
      const [from, to] = [cellAt(at(-reach, 0)), cellAt(at(reach, 0))];
      if (from < 0 || to < 0 || from === to) continue;
      const isClear = [-PASSAGE_MM, PASSAGE_MM].every(
        (across) =>
          cellAt(at(-reach, across)) === from && cellAt(at(reach, across)) === to && isIn(region, ...at(0, across)),
      );
      if (!isClear) continue;
      const ends = { from: at(-reach, 0), to: at(reach, 0) };
      found.push({ ...ends, radiusMm: PASSAGE_MM, heightMm: PASSAGE_MM, cells: [from, to] });
      break;
    }
  }
  return found;
}
