import {
  type EulerDeg,
  type Pose,
  STEPS_PER_DEGREE,
  normaliseAngles,
  rotateVector,
  rotationMatrix,
  roundedAngles,
} from "../geometry/pose.ts";
import { type Mat3, type Vec3, add, dot, subtract } from "../geometry/vector.ts";
import type { PlatformPlace } from "../layout/part.ts";
import { type Model, type Supports, withLostSupports } from "./project.ts";

/** Sines and cosines that differ by less differ by rounding only. */
const ROUNDING = 1e-9;

/**
 * The model in another pose; its outline is not recomputed. Supports follow moves and rotations about z; scaling and any
 * other rotation remove them (interface supplement, section 4).
 */
export function withPose(model: Model, pose: Pose): Model {
  const supports = model.supports && moveSupports(model.supports, model.pose, pose);
  if (supports) return { ...model, pose, supports };
  return { ...withLostSupports(model, model.pose.scale === pose.scale ? "TURNED" : "SCALED"), pose };
}

function moveSupports(supports: Supports, before: Pose, after: Pose): Supports | undefined {
  if (before.scale !== after.scale) return undefined;
  const angle = angleAboutZ(rotationMatrix(before.orientation), rotationMatrix(after.orientation));
  if (angle === undefined) return undefined;
  const { orientation } = supports.pose;
  const offset = subtract(supports.pose.position, before.position);
  const pose: Pose = {
    position: add(after.position, rotateVector(rotationMatrix({ x: 0, y: 0, z: angle }), offset)),
    orientation: angle === 0 ? orientation : normaliseAngles({ ...orientation, z: orientation.z + angle }),
    scale: 1,
  };
  return { ...supports, pose };
}

/** The angle about z from one rotation to another, degrees. Undefined if they differ by another rotation too. */
function angleAboutZ(before: Mat3, after: Mat3): number | undefined {
  const [x, y, z] = rowsOf(before);
  const [right, , up] = rowsOf(after);
  if (dot(z, up) < 1 - ROUNDING) return undefined;
  const degrees = (Math.atan2(-dot(y, right), dot(x, right)) * 180) / Math.PI;
  return Math.abs(degrees) < ROUNDING ? 0 : degrees;
}

const rowsOf = ([a, b, c, d, e, f, g, h, i]: Mat3): [Vec3, Vec3, Vec3] => [
  [a, b, c],
  [d, e, f],
  [g, h, i],
];

/** The model at its place in a layout, rotated about z; its outline is not recomputed. Its supports follow. */
export function withLayoutPlace(model: Model, { turnDeg, x, y }: PlatformPlace): Model {
  const orientation = rotateAboutZ(model.pose.orientation, turnDeg);
  return withPose(model, { ...model.pose, position: [x, y, model.pose.position[2]], orientation });
}

function rotateAboutZ(orientation: EulerDeg, turnDeg: number): EulerDeg {
  if (turnDeg === 0) return orientation;
  const { x, y, z } = orientation;
  if (x === 0 && y === 0)
    return normaliseAngles({ x, y, z: Math.round((z + turnDeg) * STEPS_PER_DEGREE) / STEPS_PER_DEGREE });
  const [c, , , s] = rotationMatrix({ x: 0, y: 0, z: turnDeg });
  const [a, b, d, e, f, g, h, i, j] = rotationMatrix(orientation);
  const rotated: Mat3 = [
    c * a - s * e,
    c * b - s * f,
    c * d - s * g,
    s * a + c * e,
    s * b + c * f,
    s * d + c * g,
    h,
    i,
    j,
  ];
  return roundedAngles(rotated, STEPS_PER_DEGREE);
}
