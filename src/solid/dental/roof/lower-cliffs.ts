import { add, subtract, times, type Vec3 } from "../../../core/geometry.ts";
import type { Watch } from "../../../core/watch.ts";
import { distanceTo } from "../../../mesh/bvh/nearest-point.ts";
import { risenAt, type Roof, type RoofRequest } from "./roof.ts";

/** Between corners that differ by more than this there may be a cliff. In steps. */
const STEEP = 1;
/** Places between two corners at which what joins them is looked at. */
const BETWEEN = [0.25, 0.5, 0.75];

/** Lowers corners until what joins them to their neighbours keeps clear of the shell, too. */
export function lowerCliffs(
  { leftMm, frontMm, stepMm, columns, heightsMm }: Roof,
  request: RoofRequest,
  watch: Watch,
): void {
  for (let at = 0; at < heightsMm.length; at++) {
    if (at % columns === 0) watch.report(at / heightsMm.length);
    // Along the sides of squares, and the way their diagonals go.
    for (const other of [at + 1, at + columns, at + columns + 1]) {
      const [low, high] = heightsMm[at] <= heightsMm[other] ? [at, other] : [other, at];
      for (const share of BETWEEN) {
        const rise = heightsMm[high] - heightsMm[low];
        if (!(rise > STEEP * stepMm)) break;
        const place = (corner: number): Vec3 => [
          leftMm + (corner % columns) * stepMm,
          frontMm + Math.floor(corner / columns) * stepMm,
          heightsMm[corner],
        ];
        const [x, y, z] = add(place(low), times(subtract(place(high), place(low)), share));
        if (distanceTo(request.tree, [x, y, z], request.shellMm) >= request.shellMm) continue;
        const roofMm = risenAt(x, y, request, stepMm);
        if (roofMm < z) heightsMm[high] = heightsMm[low] + Math.max(0, roofMm - heightsMm[low]) / share;
      }
    }
  }
}
