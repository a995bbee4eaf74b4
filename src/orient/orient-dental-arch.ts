import { operationFailed } from "../core/api-error.ts";
import { rotationMatrix } from "../geometry/pose.ts";
import { type Mat3, type Vec3, add, dot, matrixRow, times, unit } from "../geometry/vector.ts";
import { type Moments, secondMoment, thirdMoment } from "./moments.ts";
import { type RightDirection, projectHull, rotationWithRight } from "./orientation-candidate.ts";
import type { PartShape } from "./part-shape.ts";

/**
 * The rotation that puts a dental arch on its base with the teeth up, its two halves to the left and right, and its
 * front to the front of the platform; then tilted about the x axis, so that its front is raised by `tiltDeg`. If
 * `directions` is given, the one of these nearest to the normal of the base points up. Throws OPERATION_FAILED where
 * the arch has no base.
 */
export function orientDentalArch(shape: PartShape, tiltDeg: number, directions?: readonly Vec3[]): Mat3 {
  const base = baseNormal(shape);
  if (base === undefined) {
    throw operationFailed(
      'The model has neither a flat base nor an open rim on which it could be placed: orient it without mode "DENTAL", or with /v1/scene/model/orient/.',
    );
  }
  const preferred = times(base, -1);
  const up =
    directions?.reduce((nearest, one) => (dot(one, preferred) > dot(nearest, preferred) ? one : nearest)) ?? preferred;
  const hull = projectHull(shape.surface.vertices, up);
  return tilted(rotationWithRight(hull, acrossDirection(shape.moments, hull.frame)), tiltDeg);
}

/**
 * The direction across an arch: of its two principal axes seen from above, the axis along which it is more symmetric (of lower
 * skewness). Its front is the end with most of its area: it tapers towards its ends.
 */
function acrossDirection(moments: Moments, frame: Mat3): RightDirection {
  const [x, y] = [0, 1].map((i) => matrixRow(frame, i));
  const [xx, xy, yy] = [secondMoment(moments, x, x), secondMoment(moments, x, y), secondMoment(moments, y, y)];
  const [c, s] = principalDirection(xx, xy, yy);
  const skewAlong = (right: RightDirection): number => {
    const along = add(times(x, right[0]), times(y, right[1]));
    return thirdMoment(moments, along, along, along);
  };
  const across: RightDirection = Math.abs(skewAlong([c, s])) <= Math.abs(skewAlong([-s, c])) ? [c, s] : [-s, c];
  const back: RightDirection = [-across[1], across[0]];
  return skewAlong(back) >= 0 ? across : [-across[0], -across[1]];
}

/** A principal axis of a symmetric 2 × 2 matrix, by one Jacobi rotation. */
function principalDirection(xx: number, xy: number, yy: number): RightDirection {
  if (xy === 0) return [1, 0];
  const theta = (yy - xx) / (2 * xy);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  return [c, -t * c];
}

function tilted(rotation: Mat3, tiltDeg: number): Mat3 {
  const tilt = rotationMatrix({ x: -tiltDeg, y: 0, z: 0 });
  const [a, b, d, e, f, g, h, i, j] = rotation;
  const [, , , , cos, minusSin, , sin] = tilt;
  const back = (p: number, q: number): number => cos * p + minusSin * q;
  const up = (p: number, q: number): number => sin * p + cos * q;
  return [a, b, d, back(e, h), back(f, i), back(g, j), up(e, h), up(f, i), up(g, j)];
}

/** A base has at least this share of the surface. The narrow rim of a hollow arch with thin walls has some 3 %. */
const MIN_BASE_SHARE = 0.02;

/**
 * The outward normal of the base of a dental arch: the normal of its largest planar face or, as in scans, of the area within its open
 * rim; undefined if it has neither.
 */
function baseNormal({ surface, faces }: PartShape): Vec3 | undefined {
  const rim = rimAreaVector(surface);
  const rimMm2 = Math.sqrt(rim.reduce((sum, value) => sum + value * value, 0));
  const [face] = faces;
  const faceMm2 = face?.areaMm2 ?? 0;
  if (Math.max(faceMm2, rimMm2) < MIN_BASE_SHARE * surface.areaMm2) return undefined;
  return rimMm2 > faceMm2 ? unit(rim) : face.normal;
}

/** The area vector (area times normal) of the opening of a surface: area vectors of a closed surface sum to 0. */
function rimAreaVector({ normals, areas }: PartShape["surface"]): Vec3 {
  let [x, y, z] = [0, 0, 0];
  for (let facet = 0; facet < areas.length; facet++) {
    x += areas[facet] * normals[3 * facet];
    y += areas[facet] * normals[3 * facet + 1];
    z += areas[facet] * normals[3 * facet + 2];
  }
  return times([x, y, z], -1);
}
