import { type BuildVolume, rimOf } from "../../core/geometry.ts";
import { intersection } from "../../mesh/boolean/intersection.ts";
import { loft } from "../../mesh/boolean/region/loft.ts";
import { boxOf } from "../../mesh/measure.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { BOUNDS_TOLERANCE_MM, footprintOf, outsideMm } from "../../place/volume.ts";

const RIM_PIECES = 16;
/** Where nothing is cut off, the cutter stays this far away. */
const AWAY_MM = 1;

/** What of a solid stands above the platform and, where there is one, within a room seen from above. */
export async function within(solid: Surface, room?: { readonly volume: BuildVolume }): Promise<Surface> {
  const { min, max } = boxOf(solid.vertices);
  if (min[2] >= 0 && (!room || standsIn(solid, room.volume))) return solid;
  const [left, front, right, back] = [min[0] - AWAY_MM, min[1] - AWAY_MM, max[0] + AWAY_MM, max[1] + AWAY_MM];
  const rim = room ? rimOf(room.volume, RIM_PIECES).flat() : [left, front, right, front, right, back, left, back];
  const region = [Float64Array.from(rim)];
  return await intersection(solid, await loft([0, max[2] + AWAY_MM].map((zMm) => ({ zMm, region }))));
}

function standsIn({ vertices }: Surface, volume: BuildVolume): boolean {
  const footprint = footprintOf(volume);
  for (let at = 0; at < vertices.length; at += 3) {
    if (outsideMm(footprint, vertices[at], vertices[at + 1]) > BOUNDS_TOLERANCE_MM) return false;
  }
  return true;
}
