import type { Vec3 } from "../../core/geometry.ts";
import type { Measures } from "../criteria.ts";
import { SURFEL, type Surfels } from "../form/surfels.ts";
import { layersOf, newLayerSums, SLABS } from "./layers.ts";
import { LYING } from "./measure.ts";
import { levelAt, overhangAt, type Severity } from "./severity.ts";

/** Within so much of a cell from the platform, a piece of the surface may lie on it. */
const NEAR = 1 / 4;

/** The measures of a part by pieces of its surface and its farthest points: within some percent of {@link measure}. */
export const measureRoughly = (surfels: Surfels, extremes: Float64Array, up: Vec3, severity: Severity): Measures =>
  measureBothWays(surfels, extremes, up, severity)[0];

/** Such measures with `up` up and upside down, for little more than those of one way. */
export function measureBothWays(
  surfels: Surfels,
  extremes: Float64Array,
  up: Vec3,
  severity: Severity,
): [upright: Measures, reversed: Measures] {
  const ux = up[0];
  const uy = up[1];
  const uz = up[2];
  let bottom = Infinity;
  let top = -Infinity;
  for (let at = 0; at < extremes.length; at += 3) {
    const z = ux * extremes[at] + uy * extremes[at + 1] + uz * extremes[at + 2];
    if (z < bottom) bottom = z;
    if (z > top) top = z;
  }
  const heightMm = top - bottom;
  const perMm = heightMm > 0 ? SLABS / heightMm : 0;
  const nearMm = NEAR * surfels.cellMm;
  // What is less level than these counts for nothing.
  const levelFrom = severity.level.from;
  const hangsFrom = Math.min(severity.need.from, LYING);
  const sums = newLayerSums();
  const { within, onward } = sums;
  let overhangMm2 = 0;
  let liftMm3 = 0;
  let contactMm2 = 0;
  let reversedOverhangMm2 = 0;
  let reversedLiftMm3 = 0;
  let reversedContactMm2 = 0;
  let levelMm2 = 0;
  const { values } = surfels;
  const end = SURFEL * surfels.count;
  for (let at = 0; at < end; at += SURFEL) {
    const c = -(ux * values[at + 3] + uy * values[at + 4] + uz * values[at + 5]);
    const area = values[at + 6];
    const z = ux * values[at] + uy * values[at + 1] + uz * values[at + 2] - bottom;
    const place = z * perMm;
    // Extremes may be less far out than a piece, by a little.
    const slab = place <= 0 ? 0 : place >= SLABS ? SLABS - 1 : place | 0;
    within[slab] += c * area * (slab + 1 - place);
    onward[slab + 1] += c * area;
    if (Math.abs(c) > levelFrom) levelMm2 += area * levelAt(c, severity);
    if (c > hangsFrom) {
      if (c > LYING && z < nearMm) contactMm2 += area;
      else {
        const hanging = area * overhangAt(c, severity);
        overhangMm2 += hanging;
        liftMm3 += hanging * z;
      }
    } else if (-c > hangsFrom) {
      if (-c > LYING && heightMm - z < nearMm) reversedContactMm2 += area;
      else {
        const hanging = area * overhangAt(-c, severity);
        reversedOverhangMm2 += hanging;
        reversedLiftMm3 += hanging * (heightMm - z);
      }
    }
  }
  const both = { levelMm2, heightMm, ...layersOf(sums) };
  return [
    { overhangMm2, liftMm3, contactMm2, ...both },
    { overhangMm2: reversedOverhangMm2, liftMm3: reversedLiftMm3, contactMm2: reversedContactMm2, ...both },
  ];
}
