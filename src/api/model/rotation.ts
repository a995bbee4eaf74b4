import * as v from "valibot";
import { inputError } from "../../core/fault.ts";
import { cross, dot, length, type Mat3, unit, type Vec3 } from "../../core/geometry.ts";
import { type EulerDeg, fromMatrix, normalise } from "../../mesh/pose.ts";
import { eulerAngles, finiteNumber, oneOf } from "../schema.ts";

const vector = v.strictTuple([finiteNumber, finiteNumber, finiteNumber]);
const matrix = v.strictObject({ linear: v.strictTuple([vector, vector, vector]) });
const directions = v.strictObject({ z_direction: vector, x_direction: vector });

/** Exactly one of Euler degrees, a rotation matrix, or the model-space directions that shall point up and right. */
export const rotationSchema = oneOf(
  { linear: matrix, z_direction: directions, x_direction: directions } as Record<
    string,
    v.GenericSchema<unknown, Rotation>
  >,
  eulerAngles as v.GenericSchema<unknown, Rotation>,
);

type Rotation = v.InferOutput<typeof matrix> | v.InferOutput<typeof directions> | v.InferOutput<typeof eulerAngles>;

/** How far a given matrix may be from a rotation (interface supplement, section 4). */
const MATRIX_TOLERANCE = 1e-4;
/** How far given directions may be from unit length and from each other's perpendicular (same place). */
const DIRECTION_TOLERANCE = 1e-3;

/** The Euler angles of a rotation in any of its shapes. INPUT_ERROR when a matrix or directions are no rotation. */
export function eulerOf(rotation: Rotation): EulerDeg {
  if ("linear" in rotation) return ofRows(...rotation.linear);
  if ("z_direction" in rotation) return ofDirections(rotation.z_direction, rotation.x_direction);
  return normalise(rotation);
}

function ofRows(x: Vec3, y: Vec3, z: Vec3): EulerDeg {
  const deviations = [
    dot(x, x) - 1,
    dot(y, y) - 1,
    dot(z, z) - 1,
    dot(x, y),
    dot(y, z),
    dot(z, x),
    dot(cross(x, y), z) - 1,
  ];
  if (deviations.some((deviation) => !(Math.abs(deviation) <= MATRIX_TOLERANCE))) {
    throw inputError(
      "orientation.linear is not a rotation: its rows must be perpendicular unit vectors with determinant +1.",
    );
  }
  return fromMatrix(orthonormal(x, z));
}

function ofDirections(up: Vec3, right: Vec3): EulerDeg {
  const deviations = [length(up) - 1, length(right) - 1, dot(up, right)];
  if (deviations.some((deviation) => !(Math.abs(deviation) <= DIRECTION_TOLERANCE))) {
    throw inputError("orientation.z_direction and x_direction must be unit vectors perpendicular to each other.");
  }
  return fromMatrix(orthonormal(right, up));
}

/** The rotation whose rows are x, y, z: it carries those model directions onto the world's axes. */
function orthonormal(right: Vec3, up: Vec3): Mat3 {
  const z = unit(up);
  const y = unit(cross(z, right));
  return [...cross(y, z), ...y, ...z] as unknown as Mat3;
}
