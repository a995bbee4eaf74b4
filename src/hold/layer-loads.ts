import type { Sections } from "./sections.ts";
import { PEEL_STRESS } from "./strengths.ts";

/** The pull of the film on a whole layer without the share that the platform holds, N, and its middle. */
export interface LayerLoad {
  readonly heightMm: number;
  readonly n: number;
  readonly x: number;
  readonly y: number;
}

/** The pull on each layer that has a region, from the lowest up. The platform holds as much area as the first layer has. */
export function layerLoads({ heightsMm, starts, areasMm2, x, y }: Sections): LayerLoad[] {
  const loads: LayerLoad[] = [];
  let standingMm2 = 0;
  for (let layer = 0; layer < heightsMm.length; layer++) {
    let [area, sumX, sumY] = [0, 0, 0];
    for (let region = starts[layer]; region < starts[layer + 1]; region++) {
      area += areasMm2[region];
      sumX += areasMm2[region] * x[region];
      sumY += areasMm2[region] * y[region];
    }
    if (layer === 0) standingMm2 = area;
    if (area === 0) continue;
    const n = PEEL_STRESS * Math.max(0, area - standingMm2);
    loads.push({ heightMm: heightsMm[layer], n, x: sumX / area, y: sumY / area });
  }
  return loads;
}
