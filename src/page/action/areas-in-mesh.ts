import { type Vec3, unitOrZero } from "../../geometry/vector.ts";
import type { AreaShape } from "../../support/plan/support-area.ts";
import { type Mat4, inverted, scaleOf, transformed } from "../view/instances.ts";
import type { SupportAreaShape } from "./support-edits.ts";
import type { Xyz } from "./surface-place.ts";

// Areas are in the scene on the wire, and in the coordinates of the mesh in the view. `matrix` is that of the part, from mesh to scene.

const vec = ({ x, y, z }: Xyz): Vec3 => [x, y, z];
const xyz = ([x, y, z]: Vec3): Xyz => ({ x, y, z });

const directed = (matrix: Mat4, [x, y, z]: Vec3): Vec3 =>
  unitOrZero([
    matrix[0] * x + matrix[4] * y + matrix[8] * z,
    matrix[1] * x + matrix[5] * y + matrix[9] * z,
    matrix[2] * x + matrix[6] * y + matrix[10] * z,
  ]);

export function shapeInMesh(shape: SupportAreaShape, matrix: Mat4): AreaShape {
  const inverse = inverted(matrix);
  const place = (at: Xyz): Vec3 => transformed(inverse, vec(at));
  const normal = (out: Xyz): Vec3 => directed(inverse, vec(out));
  if (shape.kind === "FACE") {
    return { kind: "FACE", point: place(shape.point), normal: normal(shape.normal), angleDeg: shape.angle_deg };
  }
  const radius = shape.radius_mm * scaleOf(inverse);
  return shape.kind === "BALL"
    ? { kind: "BALL", centre: place(shape.centre), normal: normal(shape.normal), radius }
    : { kind: "STROKE", points: shape.points.map(place), normals: shape.normals.map(normal), radius };
}

export function shapeInScene(shape: AreaShape, matrix: Mat4): SupportAreaShape {
  const place = (at: Vec3): Xyz => xyz(transformed(matrix, at));
  const normal = (out: Vec3): Xyz => xyz(directed(matrix, out));
  if (shape.kind === "FACE") {
    return { kind: "FACE", point: place(shape.point), normal: normal(shape.normal), angle_deg: shape.angleDeg };
  }
  const radius_mm = shape.radius * scaleOf(matrix);
  return shape.kind === "BALL"
    ? { kind: "BALL", centre: place(shape.centre), normal: normal(shape.normal), radius_mm }
    : { kind: "STROKE", points: shape.points.map(place), normals: shape.normals.map(normal), radius_mm };
}
