import { cross, type Mat3, unit, type Vec3 } from "../../core/geometry.ts";
import { convexHull } from "../../mesh/convex-hull.ts";

/** A part seen from above, and from the side. */
export interface Silhouette {
  /** Rows: directions of the part that point to the right, to the back and up. */
  readonly frame: Mat3;
  /** x, y of the corners of its convex hull in that frame, counter-clockwise, mm. */
  readonly hullXy: Float64Array;
  readonly heightMm: number;
}

/** The silhouette of points, x, y, z of each, when `up` points up; turned about it as it happens. */
export function silhouetteOf(points: Float64Array, up: Vec3): Silhouette {
  const [ax, ay, az] = up.map(Math.abs);
  const right = unit(cross(up, ax <= ay && ax <= az ? [1, 0, 0] : ay <= az ? [0, 1, 0] : [0, 0, 1]));
  const back = cross(up, right);
  const xs = new Float64Array(points.length / 3);
  const ys = new Float64Array(points.length / 3);
  let [bottom, top] = [Infinity, -Infinity];
  for (let i = 0; i < xs.length; i++) {
    const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
    xs[i] = right[0] * x + right[1] * y + right[2] * z;
    ys[i] = back[0] * x + back[1] * y + back[2] * z;
    const height = up[0] * x + up[1] * y + up[2] * z;
    if (height < bottom) bottom = height;
    if (height > top) top = height;
  }
  return { frame: [...right, ...back, ...up], hullXy: convexHull(xs, ys), heightMm: top - bottom };
}

/** A turn of a silhouette about the vertical, as the direction in it that shall point right. */
export type Right = readonly [x: number, y: number];

/** The hull's corners once `right` points right. */
export function turnedHull({ hullXy }: Silhouette, [c, s]: Right): Float64Array {
  const turned = new Float64Array(hullXy.length);
  for (let at = 0; at < turned.length; at += 2) {
    turned[at] = c * hullXy[at] + s * hullXy[at + 1];
    turned[at + 1] = c * hullXy[at + 1] - s * hullXy[at];
  }
  return turned;
}

/** The rotation that stands the part with `up` up and `right` to the right. */
export function rotationOf({ frame }: Silhouette, [c, s]: Right): Mat3 {
  const [a, b, d, e, f, g, ...up] = frame;
  return [c * a + s * e, c * b + s * f, c * d + s * g, c * e - s * a, c * f - s * b, c * g - s * d, ...up];
}
