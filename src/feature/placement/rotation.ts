import { field, strictObject } from "../../api/field.ts";
import { eulerAnglesSchema, finiteNumber, oneOf } from "../../api/schema.ts";
import * as v from "valibot";
import { inputError } from "../../core/api-error.ts";
import { type EulerDeg, STEPS_PER_DEGREE, normaliseAngles, roundedAngles } from "../../geometry/pose.ts";
import { type Mat3, type Vec3, cross, dot, length, unit } from "../../geometry/vector.ts";

const vector = v.strictTuple([finiteNumber, finiteNumber, finiteNumber]);
const matrix = strictObject({
  linear: field(
    v.strictTuple([vector, vector, vector]),
    "Rotation matrix: three rows of three numbers, perpendicular unit vectors with determinant +1.",
  ),
});
const directions = strictObject({
  z_direction: field(vector, "Unit vector that is rotated to +z; requires x_direction."),
  x_direction: field(vector, "Unit vector that is rotated to +x, perpendicular to z_direction."),
});

/** Euler angles in degrees, a rotation matrix, or the directions of the model that are rotated to z and x. */
export const rotationSchema = oneOf(
  { linear: matrix, z_direction: directions, x_direction: directions } as Record<
    string,
    v.GenericSchema<unknown, Rotation>
  >,
  eulerAnglesSchema as v.GenericSchema<unknown, Rotation>,
);

type Rotation =
  | v.InferOutput<typeof matrix>
  | v.InferOutput<typeof directions>
  | v.InferOutput<typeof eulerAnglesSchema>;

/** Largest deviation of a matrix from a rotation (interface supplement, section 4). */
const MATRIX_TOLERANCE = 1e-4;
/** Largest deviation of the directions from unit length, and of their dot product from 0 (same section). */
const DIRECTION_TOLERANCE = 1e-3;

/** The Euler angles of a rotation. Throws INPUT_ERROR if the matrix or the directions do not define one. */
export function eulerOf(rotation: Rotation): EulerDeg {
  if ("linear" in rotation) return fromRows(...rotation.linear);
  if ("z_direction" in rotation) return fromDirections(rotation.z_direction, rotation.x_direction);
  return normaliseAngles(rotation);
}

function fromRows(x: Vec3, y: Vec3, z: Vec3): EulerDeg {
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
  return roundedAngles(orthonormal(x, z), STEPS_PER_DEGREE);
}

function fromDirections(up: Vec3, right: Vec3): EulerDeg {
  const deviations = [length(up) - 1, length(right) - 1, dot(up, right)];
  if (deviations.some((deviation) => !(Math.abs(deviation) <= DIRECTION_TOLERANCE))) {
    throw inputError("orientation.z_direction and x_direction must be unit vectors perpendicular to each other.");
  }
  return roundedAngles(orthonormal(right, up), STEPS_PER_DEGREE);
}

/** The rotation that takes `right` to x and `up` to z, made orthonormal. Its rows are the directions taken to x, y, z. */
function orthonormal(right: Vec3, up: Vec3): Mat3 {
  const z = unit(up);
  const y = unit(cross(z, right));
  const x = cross(y, z);
  return [...x, ...y, ...z];
}
