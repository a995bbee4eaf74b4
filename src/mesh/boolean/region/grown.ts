import { drawn, inPlane } from "./plane.ts";
import type { Region } from "./region.ts";

/** Pieces of a whole turn in round corners. */
const PIECES = 32;

/**
 * The region with its rim moved outward by each distance in turn, inward where negative; corners it moves out of become
 * round. Out and in again fills clefts and joins what is near (closing), in and out again drops what is thin (opening).
 */
export const grown = (region: Region, ...distancesMm: readonly number[]): Promise<Region> =>
  inPlane((kernel, keep) => {
    const start = keep(drawn(kernel, region, "Positive"));
    return distancesMm.reduce((from, mm) => keep(from.offset(mm, "Round", 2, PIECES)), start);
  });
