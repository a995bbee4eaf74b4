import { type Mat3, type Vec3, add, cosSin, cross, dot, matrixRow, times, unit } from "../geometry/vector.ts";
import type { PlanarFace } from "./planar-faces.ts";

/** Two directions at right angles to `up` and to each other. They depend on the axes of the part only. */
export function tangentsOf(up: Vec3, axes: Mat3): [Vec3, Vec3] {
  const rows = [0, 1, 2].map((i) => matrixRow(axes, i));
  const along = rows.reduce((least, row) => (Math.abs(dot(row, up)) < Math.abs(dot(least, up)) ? row : least));
  const a = unit(cross(up, along));
  return [a, cross(up, a)];
}

/** Maximum number of planar faces that are tilted. */
const MAX_FACES = 6;
/** Shops tilt parts by 10° to 30° from a stable position. */
const TILTS_DEG = [13, 24];
/** Cosine of 6°: among normals closer together, only the first is tilted. */
const NEAR_COSINE = 0.9945;

/**
 * Directions that tilt the largest planar faces and the principal axes of a part about axes in them; one of each pair of opposite
 * directions.
 */
export function tiltedDirections(faces: readonly PlanarFace[], axes: Mat3): Vec3[] {
  const upright: Vec3[] = [];
  for (const one of [
    ...[0, 1, 2].map((i) => matrixRow(axes, i)),
    ...faces.slice(0, MAX_FACES).map(({ normal }) => normal),
  ])
    if (upright.every((other) => Math.abs(dot(other, one)) < NEAR_COSINE)) upright.push(one);
  return upright.flatMap((up) => {
    const [a, b] = tangentsOf(up, axes);
    return [a, times(a, -1), b, times(b, -1)].flatMap((tangent) =>
      TILTS_DEG.map((degrees) => {
        const [cos, sin] = cosSin((degrees * Math.PI) / 180);
        return unit(add(times(up, cos), times(tangent, sin)));
      }),
    );
  });
}
