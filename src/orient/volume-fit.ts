import type { BuildVolume } from "../geometry/build-volume.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { orientationCandidate } from "./orientation-candidate.ts";
import type { PartShape } from "./part-shape.ts";
import type { PartSurface } from "./part-surface.ts";

/** A test, by its extreme points, whether a part fits the volume with a direction pointing up. */
export function volumeFit({ surface, moments, extremes }: PartShape, volume: BuildVolume): (up: Vec3) => boolean {
  if (2 * farthestMm(surface) <= Math.min(...volume.dimensionsMm)) return () => true;
  return (up) => orientationCandidate(extremes.points, moments, up, volume).fits;
}

/** Distance from the centre of the bounding box of the part to its farthest vertex. */
function farthestMm({ vertices }: PartSurface): number {
  let most2 = 0;
  for (let at = 0; at < vertices.length; at += 3) {
    const x = vertices[at];
    const y = vertices[at + 1];
    const z = vertices[at + 2];
    most2 = Math.max(most2, x * x + y * y + z * z);
  }
  return Math.sqrt(most2);
}
