import { type EulerDeg, rotateVector, rotationMatrix, transpose } from "../../geometry/pose.ts";
import { type Mat3, type Vec3, add, subtract, times } from "../../geometry/vector.ts";

/** The pose of a model without its position on the platform, which a horizontal cut does not need. */
export interface StandingPose {
  /** Origin of the model, in raw coordinates. */
  readonly origin: Vec3;
  readonly orientation: EulerDeg;
  readonly scale: number;
  /** Height of the origin above the platform. */
  readonly heightMm: number;
}

/** Maps x, y, z of points between a raw mesh and a scene in which the model's origin is on the z axis. */
export interface SceneTransform {
  readonly toScene: (raw: Float32Array | Float64Array) => Float64Array;
  readonly toRaw: (scene: Float32Array | Float64Array) => Float64Array;
}

/** Sines are rounded to this, since engines differ in their last bits. Finer than single precision, unlike `cosSin`. */
const SINE_STEPS = 2 ** 40;

export function sceneTransform({ origin, orientation, scale, heightMm }: StandingPose): SceneTransform {
  const [a, b, c, d, e, f, g, h, i] = rotationMatrix(orientation).map(
    (value) => Math.round(value * SINE_STEPS) / SINE_STEPS,
  );
  const rotation: Mat3 = [a, b, c, d, e, f, g, h, i];
  const inverse = transpose(rotation);
  return {
    toScene: (raw) =>
      mapPoints(raw, (point) => {
        const [x, y, z] = rotateVector(rotation, times(subtract(point, origin), scale));
        return [x, y, z + heightMm];
      }),
    toRaw: (scene) =>
      mapPoints(scene, ([x, y, z]) => add(times(rotateVector(inverse, [x, y, z - heightMm]), 1 / scale), origin)),
  };
}

function mapPoints(points: Float32Array | Float64Array, map: (point: Vec3) => Vec3): Float64Array {
  const mapped = new Float64Array(points.length);
  for (let at = 0; at < points.length; at += 3) {
    const [x, y, z] = map([points[at], points[at + 1], points[at + 2]]);
    mapped[at] = x;
    mapped[at + 1] = y;
    mapped[at + 2] = z;
  }
  return mapped;
}
