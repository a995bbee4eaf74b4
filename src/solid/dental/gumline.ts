import { operationFailed } from "../../core/fault.ts";
import type { Watch } from "../../core/watch.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { toothJoins } from "./tooth-joins.ts";

/** A jaw falls into so many parts at least, and at its gums into this share of all that it falls into anywhere: cusps, too. */
const FEWEST_PARTS = 3;
const SHARE_OF_PARTS = 1 / 4;
/** From tooth to tooth the gums of one jaw reach up to heights that differ by this. */
const GUMS_MM = 3;
/** So far below the place where the last teeth part, they hang together by more than a point. */
const BELOW_MM = 0.1;

/**
 * Height of the gumline of a surface that stands with its teeth up: the lowest cut above which it falls into many parts, so
 * low that at the cut they still hang together. Throws OPERATION_FAILED where there is none.
 */
export function gumlineOf(surface: Surface, watch: Watch): number {
  const fromBottom = toothJoins(surface, watch).toReversed();
  const parts = fromBottom.reduce((sum, { fewer }) => sum + fewer, 1);
  const many = Math.max(FEWEST_PARTS, Math.ceil(parts * SHARE_OF_PARTS));
  let above = 1;
  const among = fromBottom.find(({ fewer }) => (above += fewer) >= many);
  if (!among) {
    throw operationFailed(
      "no gumline is to be found: nowhere does it fall into teeth. Stand it with its teeth up, or give cutoff_height_mm.",
    );
  }
  return fromBottom.find(({ zMm }) => among.zMm - zMm <= GUMS_MM)!.zMm - BELOW_MM;
}
