import { subtract, times, type Vec3 } from "../../core/geometry.ts";
import { type EulerDeg, toMatrix, transposed, turn } from "../../mesh/pose.ts";

/** How a model stands: everything of its pose but its place in the plane of the platform, which no cut asks for. */
export interface Standing {
  /** Its origin, in raw coordinates. */
  readonly origin: Vec3;
  readonly orientation: EulerDeg;
  readonly scale: number;
  /** Height of its origin above the platform. */
  readonly heightMm: number;
}

/** Between the coordinates of a raw mesh and those of a scene in which the model's origin stands above the middle. */
export interface Frame {
  readonly toScene: (raw: Float32Array | Float64Array) => Float64Array;
  readonly toRaw: (scene: Float32Array | Float64Array) => Float64Array;
}

/** Sines are rounded to this, above what engines differ by in their last bits. */
const STEPS = 2 ** 40;

export function frameOf({ origin, orientation, scale, heightMm }: Standing): Frame {
  const rotation = toMatrix(orientation).map((value) => Math.round(value * STEPS) / STEPS) as unknown as ReturnType<
    typeof toMatrix
  >;
  const back = transposed(rotation);
  const each = (points: Float32Array | Float64Array, place: (point: Vec3) => Vec3): Float64Array => {
    const placed = new Float64Array(points.length);
    for (let at = 0; at < points.length; at += 3) {
      const [x, y, z] = place([points[at], points[at + 1], points[at + 2]]);
      placed[at] = x;
      placed[at + 1] = y;
      placed[at + 2] = z;
    }
    return placed;
  };
  return {
    toScene: (raw) =>
      each(raw, (point) => {
        const [x, y, z] = turn(rotation, times(subtract(point, origin), scale));
        return [x, y, z + heightMm];
      }),
    toRaw: (scene) =>
      each(scene, ([x, y, z]) => {
        const away = times(turn(back, [x, y, z - heightMm]), 1 / scale);
        return [away[0] + origin[0], away[1] + origin[1], away[2] + origin[2]];
      }),
  };
}
