import { drawn, inPlane } from "./plane.ts";
import type { Region, Ring } from "./region.ts";

/** What lies in the region and in none of the rings. */
export const cutOut = (region: Region, rings: readonly Ring[]): Promise<Region> =>
  inPlane((kernel, keep) => {
    const whole = keep(drawn(kernel, region, "Positive"));
    return whole.subtract(keep(drawn(kernel, rings, "NonZero")));
  });
