import type { Watch } from "../../core/watch.ts";
import { clipped } from "../../mesh/boolean/region/clipped.ts";
import { grown } from "../../mesh/boolean/region/grown.ts";
import { type Region, signedArea } from "../../mesh/boolean/region/region.ts";
import { hexagonAt, type Lattice } from "./lattice.ts";
import { isIn } from "./ring-facts.ts";

/** Parts that are narrower, as between a honeycomb and the shell, stay solid: resin would not leave them. */
const NARROWEST_MM = 1.5;

/** What shall be hollow of a region, in parts that do not touch: those between the walls of a honeycomb, if there is one. */
export async function cellsOf(region: Region, lattice: Lattice | undefined, watch: Watch): Promise<Region[]> {
  const { middles, cellMm } = lattice ?? { middles: [], cellMm: 0 };
  const hollow = lattice
    ? await clipped(
        region,
        middles.map((middle) => hexagonAt(middle, cellMm)),
      )
    : region;
  const openings = hollow.filter((ring) => signedArea(ring) < 0);
  const cells: Region[] = [];
  const outlines = hollow.filter((ring) => signedArea(ring) > 0);
  for (const [number, outline] of outlines.entries()) {
    watch.report(number / outlines.length);
    const cell = [outline, ...openings.filter(([x, y]) => isIn([outline], x, y))];
    if ((await grown(cell, -NARROWEST_MM / 2)).length > 0) cells.push(cell);
  }
  return cells;
}
