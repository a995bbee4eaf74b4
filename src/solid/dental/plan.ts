import type { Watch } from "../../core/watch.ts";
import type { Region } from "../../mesh/boolean/region/region.ts";
import { newDisjointSets } from "../../mesh/disjoint-sets.ts";
import { cellsOf } from "./cells.ts";
import { type DrainHole, drainHolesOf, type DrainShape, type DrainSite } from "./drain-holes.ts";
import { latticeOver } from "./lattice.ts";
import { type Passage, passagesOf } from "./passages.ts";
import { rectangleOf } from "./ring-facts.ts";

/** What of a base becomes hollow, seen from above. */
export interface Plan {
  readonly cells: readonly Region[];
  /** Openings between cells. */
  readonly passages: readonly Passage[];
  /** Openings through the side. */
  readonly holes: readonly DrainHole[];
  /** What a client should know, as said of the model. */
  readonly warnings: readonly string[];
}

/**
 * Divides the region that may be hollow into cells, where it shall have a honeycomb, and lets resin out of them. Where there
 * are drain holes, cells that drain through none stay solid.
 */
export async function planOf(
  site: Omit<DrainSite, "cells">,
  region: Region,
  wallMm: number | undefined,
  drains: DrainShape,
  watch: Watch,
): Promise<Plan> {
  const lattice = wallMm === undefined ? undefined : latticeOver(rectangleOf(region), wallMm);
  const cells = await cellsOf(region, lattice, watch.part(0, 0.4));
  const isDrainless = drains.radiusMm === 0 || drains.mostPerContour === 0;
  if (cells.length === 0 || isDrainless) return { cells, passages: [], holes: [], warnings: [] };
  const passages = lattice ? passagesOf(cells, region, lattice, watch.part(0.4, 0.7)) : [];
  const holes = drainHolesOf({ ...site, cells }, drains, watch.part(0.7, 1));
  if (holes.length === 0) return { cells, passages, holes, warnings: [NO_PLACE] };
  const isDrained = drainedOf(cells.length, passages, holes);
  const drained = cells.filter((_, cell) => isDrained(cell));
  return {
    cells: drained,
    passages: passages.filter(({ cells: [cell] }) => isDrained(cell)),
    holes,
    warnings: filledWarning(cells.length - drained.length),
  };
}

/** Whether resin leaves a cell: through its own hole, or through passages that lead to one. */
function drainedOf(
  count: number,
  passages: readonly Passage[],
  holes: readonly DrainHole[],
): (cell: number) => boolean {
  const sets = newDisjointSets(count);
  for (const { cells } of passages) sets.join(...cells);
  const drained = new Set(holes.map(({ cell }) => sets.find(cell)));
  return (cell) => drained.has(sets.find(cell));
}

const NO_PLACE =
  "has no place for a drain hole, and will hold resin where it stands on the platform: ask for smaller holes";

function filledWarning(filled: number): string[] {
  if (filled === 0) return [];
  const parts =
    filled === 1 ? "1 part that no drain hole reaches stays" : `${filled} parts that no drain hole reaches stay`;
  return [`is not hollow throughout: ${parts} solid`];
}
