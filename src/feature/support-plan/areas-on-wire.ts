import {
  type PlacedBox,
  directionToModelSpace,
  rotateVector,
  rotationMatrix,
  toModelSpace,
  toSceneSpace,
} from "../../geometry/pose.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { wireMm } from "../../scene/wire-numbers.ts";
import { roundedPlace } from "../../geometry/rounded-place.ts";
import type { AreaShape, SupportArea } from "../../support/plan/support-area.ts";
import type { NewAreaBody } from "./plan-fields.ts";

interface Coordinates {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export const vectorOf = ({ x, y, z }: Coordinates): Vec3 => [x, y, z];

/** A place or direction with six decimals: positions in nanometres. */
export const onWire = ([x, y, z]: Vec3): Coordinates => ({ x: wireMm(x), y: wireMm(y), z: wireMm(z) });

/** The normal that the request gives, in the coordinates of the raw mesh, or that of the surface. */
type NormalAt = (place: Vec3) => Vec3;

/** The places of an area of a request whose normals it leaves to the surface, in the coordinates of the raw mesh. */
export function placesWithoutNormal({ shape }: NewAreaBody, placed: PlacedBox): Vec3[] {
  if (shape.kind === "STROKE") return shape.normals ? [] : shape.points.map((point) => toRaw(placed, point));
  if (shape.normal) return [];
  return [toRaw(placed, shape.kind === "BALL" ? shape.centre : shape.point)];
}

/** An area of a request in the coordinates of the raw mesh. */
export function areaOf({ mode, shape }: NewAreaBody, placed: PlacedBox, surfaceNormal: NormalAt): SupportArea {
  const normalOf = (given: Coordinates | undefined, place: Vec3): Vec3 =>
    given ? directionToModelSpace(placed.pose, vectorOf(given)) : surfaceNormal(place);
  switch (shape.kind) {
    case "BALL": {
      const centre = toRaw(placed, shape.centre);
      return {
        mode,
        shape: { kind: "BALL", centre, normal: normalOf(shape.normal, centre), radius: rawRadius(shape, placed) },
      };
    }
    case "STROKE": {
      const points = shape.points.map((point) => toRaw(placed, point));
      const normals = points.map((point, i) => normalOf(shape.normals?.[i], point));
      return { mode, shape: { kind: "STROKE", points, normals, radius: rawRadius(shape, placed) } };
    }
    case "FACE": {
      const point = toRaw(placed, shape.point);
      return { mode, shape: { kind: "FACE", point, normal: normalOf(shape.normal, point), angleDeg: shape.angle_deg } };
    }
  }
}

export const toRaw = (placed: PlacedBox, place: Coordinates): Vec3 =>
  roundedPlace(toModelSpace(placed, vectorOf(place)));

const rawRadius = ({ radius_mm }: { readonly radius_mm: number }, { pose }: PlacedBox): number =>
  Math.max(LEAST_RADIUS, roundedPlace([radius_mm / pose.scale, 0, 0])[0]);

/** A radius in the lengths of the raw mesh stays above 0 however large the scale of the model is. */
const LEAST_RADIUS = 1e-6;

/** An area in the scene. */
export const areaOnWire = ({ mode, shape }: SupportArea, placed: PlacedBox) => ({
  mode,
  shape: shapeOnWire(shape, placed),
});

function shapeOnWire(shape: AreaShape, placed: PlacedBox) {
  const rotation = rotationMatrix(placed.pose.orientation);
  const place = (point: Vec3): Coordinates => onWire(toSceneSpace(placed, point));
  const turned = (normal: Vec3): Coordinates => onWire(rotateVector(rotation, normal));
  const { kind } = shape;
  switch (kind) {
    case "BALL": {
      const { centre, normal, radius } = shape;
      return { kind, centre: place(centre), normal: turned(normal), radius_mm: wireMm(radius * placed.pose.scale) };
    }
    case "STROKE": {
      const { points, normals, radius } = shape;
      const radiusMm = wireMm(radius * placed.pose.scale);
      return { kind, points: points.map(place), normals: normals.map(turned), radius_mm: radiusMm };
    }
    case "FACE": {
      const { point, normal, angleDeg } = shape;
      return { kind, point: place(point), normal: turned(normal), angle_deg: angleDeg };
    }
  }
}
