import type { Vec3 } from "../../core/geometry.ts";
import type { Measures } from "../criteria.ts";
import type { Part } from "../form/part.ts";
import { addSharesBelow, shareBelow } from "./below.ts";
import { layersOf, newLayerSums, SLABS } from "./layers.ts";
import { levelAt, overhangAt, type Severity } from "./severity.ts";

/** What is this low lies on the platform: the first layers squash that much, mm. */
export const ON_PLATFORM_MM = 0.1;
/** Cosine of 26°: steeper faces do not lie on the platform, they rise from it. */
export const LYING = 0.9;

/** The measures of a part of which `up` points up, by exact integrals over its facets. */
export function measure({ vertices, triangles, normals, areas }: Part, up: Vec3, severity: Severity): Measures {
  const ux = up[0];
  const uy = up[1];
  const uz = up[2];
  const heights = new Float64Array(vertices.length / 3);
  let bottom = Infinity;
  let top = -Infinity;
  for (let v = 0; v < heights.length; v++) {
    const z = ux * vertices[3 * v] + uy * vertices[3 * v + 1] + uz * vertices[3 * v + 2];
    heights[v] = z;
    if (z < bottom) bottom = z;
    if (z > top) top = z;
  }
  const heightMm = top - bottom;
  const slabMm = heightMm > 0 ? heightMm / SLABS : 1;
  const sums = newLayerSums();
  const { within, onward } = sums;
  let overhangMm2 = 0;
  let liftMm3 = 0;
  let contactMm2 = 0;
  let levelMm2 = 0;
  for (let facet = 0; facet < areas.length; facet++) {
    const at = 3 * facet;
    const c = -(normals[at] * ux + normals[at + 1] * uy + normals[at + 2] * uz);
    let area = areas[facet];
    const p = heights[triangles[at]] - bottom;
    const q = heights[triangles[at + 1]] - bottom;
    const r = heights[triangles[at + 2]] - bottom;
    const low = Math.min(p, q, r);
    const high = Math.max(p, q, r);
    const mean = (p + q + r) / 3;
    const growth = c * area;
    const first = Math.min(SLABS - 1, (low / slabMm) | 0);
    const last = Math.min(SLABS - 1, (high / slabMm) | 0);
    if (first === last) within[first] += (growth * ((first + 1) * slabMm - mean)) / slabMm;
    else addSharesBelow(within, growth, low, p + q + r - low - high, high, first, last, slabMm);
    onward[last + 1] += growth;
    levelMm2 += area * levelAt(c, severity);
    if (c > LYING && low < ON_PLATFORM_MM) {
      const lying = area * shareBelow(low, p + q + r - low - high, high, ON_PLATFORM_MM);
      contactMm2 += lying;
      area -= lying;
    }
    if (c <= 0) continue;
    const hanging = area * overhangAt(c, severity);
    overhangMm2 += hanging;
    liftMm3 += hanging * mean;
  }
  return { overhangMm2, liftMm3, contactMm2, levelMm2, heightMm, ...layersOf(sums) };
}
