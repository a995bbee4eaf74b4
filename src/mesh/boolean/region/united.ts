import { drawn, inPlane } from "./plane.ts";
import type { Region, Ring } from "./region.ts";

/** What any of the rings goes around, whichever way. */
export const united = (rings: readonly Ring[]): Promise<Region> => inPlane((kernel) => drawn(kernel, rings, "NonZero"));
