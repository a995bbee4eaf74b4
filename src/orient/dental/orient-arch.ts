import { operationFailed } from "../../core/fault.ts";
import { dot, type Mat3, times, type Vec3 } from "../../core/geometry.ts";
import { toMatrix } from "../../mesh/pose.ts";
import { type Moments, secondAlong, thirdAlong } from "../form/moments.ts";
import type { Shape } from "../shape.ts";
import { type Right, rotationOf, silhouetteOf } from "../stance/silhouette.ts";
import { baseOf } from "./base.ts";

/**
 * The rotation of a dental arch that stands on its base, the teeth away from the platform, its two halves to the left and right and
 * its front to the front of the platform; then tilted about the line from left to right, so that its front is raised by `tiltDeg`.
 * Of `ups` it takes the one that is nearest. Throws OPERATION_FAILED where it has no base.
 */
export function orientArch(shape: Shape, tiltDeg: number, ups?: readonly Vec3[]): Mat3 {
  const base = baseOf(shape);
  if (base === undefined) {
    throw operationFailed(
      'The model has neither a flat base nor an open rim to stand on: orient it without mode "DENTAL", or with /v1/scene/model/orient/.',
    );
  }
  const wanted = times(base, -1);
  const up = ups?.reduce((nearest, one) => (dot(one, wanted) > dot(nearest, wanted) ? one : nearest)) ?? wanted;
  const silhouette = silhouetteOf(shape.part.vertices, up);
  return tilted(rotationOf(silhouette, rightOf(shape.moments, silhouette.frame)), tiltDeg);
}

/**
 * The direction across an arch: that of its principal axes seen from above about which it is the more symmetric. Its front is
 * where most of it is: toward its ends it tails off.
 */
function rightOf(moments: Moments, frame: Mat3): Right {
  const [x, y]: Vec3[] = [
    [frame[0], frame[1], frame[2]],
    [frame[3], frame[4], frame[5]],
  ];
  const [xx, xy, yy] = [secondAlong(moments, x, x), secondAlong(moments, x, y), secondAlong(moments, y, y)];
  const [c, s] = principalDirection(xx, xy, yy);
  const skewAlong = (right: Right): number => {
    const along: Vec3 = [
      right[0] * x[0] + right[1] * y[0],
      right[0] * x[1] + right[1] * y[1],
      right[0] * x[2] + right[1] * y[2],
    ];
    return thirdAlong(moments, along, along, along);
  };
  const across: Right = Math.abs(skewAlong([c, s])) <= Math.abs(skewAlong([-s, c])) ? [c, s] : [-s, c];
  const back: Right = [-across[1], across[0]];
  return skewAlong(back) >= 0 ? across : [-across[0], -across[1]];
}

/** A principal axis of a symmetric 2 × 2 matrix, by one turn of Jacobi's method. */
function principalDirection(xx: number, xy: number, yy: number): Right {
  if (xy === 0) return [1, 0];
  const theta = (yy - xx) / (2 * xy);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  return [c, -t * c];
}

function tilted(rotation: Mat3, tiltDeg: number): Mat3 {
  const tilt = toMatrix({ x: -tiltDeg, y: 0, z: 0 });
  const [a, b, d, e, f, g, h, i, j] = rotation;
  const [, , , , cos, minusSin, , sin] = tilt;
  const back = (p: number, q: number): number => cos * p + minusSin * q;
  const up = (p: number, q: number): number => sin * p + cos * q;
  return [a, b, d, back(e, h), back(f, i), back(g, j), up(e, h), up(f, i), up(g, j)];
}
