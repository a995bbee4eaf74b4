import { directionToModelSpace, toModelSpace } from "../../geometry/pose.ts";
import { type Vec3, cross, dot, subtract, times, unit } from "../../geometry/vector.ts";
import type { Model } from "../../scene/project.ts";
import type { CutRequest } from "../../solid/cut/cut-mesh.ts";
import type { Key } from "../../solid/cut/key.ts";
import type { CutBody } from "./cut-body.ts";

/** The frame of a plane in the scene: u and v in the plane, s along its normal. */
export interface ScenePlane {
  readonly origin: Vec3;
  readonly u: Vec3;
  readonly v: Vec3;
  readonly s: Vec3;
}

type GivenPoint = CutBody["plane"]["point"];

const pointOf = ({ x, y, z }: GivenPoint): Vec3 => [x, y, z];

/** From this share on, a normal is along the x axis of the scene, and u is the y axis in the plane instead. */
const ALONG_X = 0.9;

/** The plane of a request. Keys are turned from the x axis of the scene in the plane, so that their rotation does not depend on the model. */
export function scenePlane({ point, normal }: CutBody["plane"]): ScenePlane {
  const s = unit(pointOf(normal));
  const axis: Vec3 = Math.abs(s[0]) < ALONG_X ? [1, 0, 0] : [0, 1, 0];
  const u = unit(subtract(axis, times(s, dot(axis, s))));
  return { origin: pointOf(point), u, v: cross(s, u), s };
}

/** The cut of a model in the coordinates of its raw mesh. Positions of keys count in the plane only. */
export function cutRequest(model: Model, plane: ScenePlane, { keys, play_mm }: CutBody): CutRequest {
  const { mesh, pose } = model;
  const s = directionToModelSpace(pose, plane.s);
  const along = directionToModelSpace(pose, plane.u);
  const u = unit(subtract(along, times(s, dot(along, s))));
  return {
    mesh,
    frame: { origin: toModelSpace(model, plane.origin), u, v: cross(s, u), s },
    keys: typeof keys === "string" ? keys : keys.map((key) => keyInPlane(key, plane)),
    playMm: play_mm,
    scale: pose.scale,
  };
}

function keyInPlane(
  { position, kind, shape, size_mm, depth_mm, turn_deg }: Exclude<CutBody["keys"], string>[number],
  { origin, u, v }: ScenePlane,
): Key {
  const offset = subtract(pointOf(position), origin);
  return {
    u: dot(offset, u),
    v: dot(offset, v),
    kind,
    shape,
    sizeMm: size_mm,
    depthMm: depth_mm,
    turnDeg: turn_deg,
  };
}
