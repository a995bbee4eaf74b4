import { inputError } from "../../core/api-error.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { snappedPoint } from "../points/snapped-point.ts";
import { POINT_STRIDE } from "./draft-numbers.ts";
import type { DraftPart } from "./draft-part.ts";
import type { DraftPoint } from "./local-forest.ts";

/** The points of a request on the surface of a part. Throws INPUT_ERROR for one that is farther from it than `snapMm`. */
export function draftPoints({ bvh, surface }: DraftPart, points: Float64Array, snapMm: number): DraftPoint[] {
  return Array.from({ length: points.length / POINT_STRIDE }, (_, i) => {
    const [x, y, z, nx, ny, nz, sizeMm] = points.subarray(POINT_STRIDE * i, POINT_STRIDE * (i + 1));
    const normal: Vec3 | undefined = Number.isNaN(nx) ? undefined : [nx, ny, nz];
    const snapped = snappedPoint({ bvh, surface }, [x, y, z], normal, snapMm);
    if (snapped) return { ...snapped, sizeMm };
    throw inputError(
      `/points/${i}/position is more than ${snapMm} mm away from the surface of the model: move it there, or raise snap_mm (up to 5). ` +
        "Nothing was changed.",
    );
  });
}
