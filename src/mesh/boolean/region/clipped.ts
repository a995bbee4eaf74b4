import { drawn, inPlane } from "./plane.ts";
import type { Region } from "./region.ts";

/** What lies in both regions. */
export const clipped = (a: Region, b: Region): Promise<Region> =>
  inPlane((kernel, keep) => {
    const [first, second] = [a, b].map((region) => keep(drawn(kernel, region, "Positive")));
    return first.intersect(second);
  });
