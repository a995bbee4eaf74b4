import { camelKeys, snakeKeys } from "../../core/json.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { FormModel, FormShape, FormSupportPlan, FormSupports, FormTouchpoint } from "./document.ts";
import type { ManifestShape, ManifestSupportPlan, ManifestSupports, ManifestTouchpoint } from "./manifest-supports.ts";
import { parsePosition, positionOf } from "./manifest-values.ts";

// Supports and plans of supports in a manifest.

export const toManifestSupports = ({ pose, mesh, settings, touchpoints, faults }: FormSupports): ManifestSupports => ({
  position: positionOf(pose.position),
  turn_deg: pose.orientation.z,
  mesh: mesh.hash,
  settings: snakeKeys(settings),
  touchpoints: touchpoints.map((point) => toTuple(point, settings)),
  ...(faults && {
    faults: {
      unreached: faults.unreached.map(([x, y, z]) => [x, y, z]),
      slender: faults.slender.map(([x, y, z]) => [x, y, z]),
      unheld: faults.unheld.map(([x, y, z]) => [x, y, z]),
      is_loose: faults.isLoose,
    },
  }),
});

export const fromManifestSupports = (
  { position, turn_deg, mesh, settings, touchpoints, faults }: ManifestSupports,
  meshOf: (hash: string) => Mesh,
): FormSupports => ({
  pose: { position: parsePosition(position), orientation: { x: 0, y: 0, z: turn_deg + 0 }, scale: 1 },
  mesh: meshOf(mesh),
  settings: camelKeys(settings),
  touchpoints: touchpoints.map((tuple) => fromTuple(tuple, settings)),
  ...(faults && {
    faults: {
      unreached: faults.unreached,
      slender: faults.slender,
      unheld: faults.unheld,
      isLoose: faults.is_loose,
    },
  }),
});

export const toManifestPlan = ({ settings, points, areas }: FormSupportPlan): ManifestSupportPlan => ({
  settings: snakeKeys(settings),
  points: points.map((point) => toTuple(point, settings)),
  areas: areas.map(({ mode, shape }) => ({ mode, shape: toManifestShape(shape) })),
});

export const fromManifestPlan = ({ settings, points, areas }: ManifestSupportPlan): FormSupportPlan => ({
  settings: camelKeys(settings),
  points: points.map((tuple) => fromTuple(tuple, settings)),
  areas: areas.map(({ mode, shape }) => ({ mode, shape: fromManifestShape(shape) })),
});

/** Whether a model has supports that containers before version 3 cannot hold. */
export const isEdited = ({ supports, supportPlan }: FormModel): boolean =>
  supportPlan !== undefined || (supports?.touchpoints.some((point) => !isPlain(point, supports.settings)) ?? false);

/** Whether a touchpoint is one of those that version 2 knows. */
const isPlain = (
  { sizeMm, cause, origin, locked }: FormTouchpoint,
  { touchpointSizeMm }: FormSupports["settings"],
): boolean => sizeMm === touchpointSizeMm && cause !== "MANUAL" && origin === "AUTOMATIC" && !locked;

function toTuple(point: FormTouchpoint, settings: FormSupports["settings"]): ManifestTouchpoint {
  const { position, normal, sizeMm, cause, origin, locked } = point;
  const [[x, y, z], [nx, ny, nz]] = [position, normal];
  if (isPlain(point, settings)) return [x, y, z, nx, ny, nz, cause];
  return [x, y, z, nx, ny, nz, cause, sizeMm, origin, locked];
}

function fromTuple(
  [x, y, z, nx, ny, nz, cause, ...more]: ManifestTouchpoint,
  { touchpoint_size_mm }: ManifestSupports["settings"],
): FormTouchpoint {
  const [sizeMm = touchpoint_size_mm, origin = "AUTOMATIC", locked = false] = more;
  return { position: [x, y, z], normal: [nx, ny, nz], sizeMm, cause, origin, locked };
}

function toManifestShape(shape: FormShape): ManifestShape {
  switch (shape.kind) {
    case "BALL":
      return { ...shape, centre: positionOf(shape.centre), normal: positionOf(shape.normal) };
    case "STROKE":
      return { ...shape, points: shape.points.map(positionOf), normals: shape.normals.map(positionOf) };
    case "FACE": {
      const { kind, point, normal, angleDeg } = shape;
      return { kind, point: positionOf(point), normal: positionOf(normal), angle_deg: angleDeg };
    }
  }
}

function fromManifestShape(shape: ManifestShape): FormShape {
  switch (shape.kind) {
    case "BALL":
      return { ...shape, centre: parsePosition(shape.centre), normal: parsePosition(shape.normal) };
    case "STROKE":
      return { ...shape, points: shape.points.map(parsePosition), normals: shape.normals.map(parsePosition) };
    case "FACE": {
      const { kind, point, normal, angle_deg } = shape;
      return { kind, point: parsePosition(point), normal: parsePosition(normal), angleDeg: angle_deg };
    }
  }
}
