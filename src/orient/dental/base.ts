import { times, unit, type Vec3 } from "../../core/geometry.ts";
import type { Shape } from "../shape.ts";

/** A face of a smaller share of the surface is no base. The narrow rim of a hollow arch with thin walls is some 3 %. */
const LEAST_SHARE = 0.02;

/**
 * The direction in which the base of a dental arch looks: that of its largest flat, or of its rim where it is open, as scans are;
 * undefined where it has neither.
 */
export function baseOf({ part, flats }: Shape): Vec3 | undefined {
  const rim = rimOf(part);
  const rimMm2 = Math.sqrt(rim.reduce((sum, value) => sum + value * value, 0));
  const [flat] = flats;
  const flatMm2 = flat?.areaMm2 ?? 0;
  if (Math.max(flatMm2, rimMm2) < LEAST_SHARE * part.areaMm2) return undefined;
  return rimMm2 > flatMm2 ? unit(rim) : flat.normal;
}

/** The area vector of what is missing to close a surface: those of its facets sum to 0 once it is closed. */
function rimOf({ normals, areas }: Shape["part"]): Vec3 {
  let [x, y, z] = [0, 0, 0];
  for (let facet = 0; facet < areas.length; facet++) {
    x += areas[facet] * normals[3 * facet];
    y += areas[facet] * normals[3 * facet + 1];
    z += areas[facet] * normals[3 * facet + 2];
  }
  return times([x, y, z], -1);
}
