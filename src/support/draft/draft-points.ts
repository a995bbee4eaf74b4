import { inputError } from "../../core/api-error.ts";
import { type Vec3, add, subtract } from "../../geometry/vector.ts";
import { snappedPoint } from "../points/snapped-point.ts";
import type { DraftPart } from "./draft-part.ts";
import type { DraftPoint } from "./local-forest.ts";

/** Points of a model. */
export interface PointList {
  /** x, y, z of each point, its normal (NaN: that of the surface), and its diameter. */
  readonly points: Float64Array;
  /** The position of the model in the coordinates of the points; its orientation and scale are those of the part. */
  readonly origin: Vec3;
  /** Points farther from the surface are refused. */
  readonly snapMm: number;
}

const STRIDE = 7;

/** The points of a list on the surface of a part. Throws INPUT_ERROR for one that is too far from it. */
export function draftPoints(
  { bvh, surface, position: at }: DraftPart,
  { points, origin, snapMm }: PointList,
): DraftPoint[] {
  const toPart = subtract(at, origin);
  return Array.from({ length: points.length / STRIDE }, (_, i) => {
    const [x, y, z, nx, ny, nz, sizeMm] = points.subarray(STRIDE * i, STRIDE * (i + 1));
    const normal: Vec3 | undefined = Number.isNaN(nx) ? undefined : [nx, ny, nz];
    const snapped = snappedPoint({ bvh, surface }, add([x, y, z], toPart), normal, snapMm);
    if (snapped) return { ...snapped, sizeMm };
    throw inputError(
      `/points/${i}/position is more than ${snapMm} mm away from the surface of the model: move it there, or raise snap_mm (up to 5). ` +
        "Nothing was changed.",
    );
  });
}
