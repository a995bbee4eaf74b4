import { add, dot, type Mat3, subtract, type Vec3 } from "../core/geometry.ts";
import { normalise, type Pose, toMatrix, turn } from "../mesh/pose.ts";
import type { Model, Supports } from "./model.ts";

/** Sines and cosines that differ by less are equal but for rounding. */
const ROUNDING = 1e-9;

/**
 * The model in another pose, its outlines not yet worked out anew. Moves and turns about z alone carry its supports
 * along; scaling and any other turn remove them (interface supplement, section 4).
 */
export function repose(model: Model, pose: Pose): Model {
  return { ...model, pose, supports: model.supports && carried(model.supports, model.pose, pose) };
}

function carried(supports: Supports, before: Pose, after: Pose): Supports | undefined {
  if (before.scale !== after.scale) return undefined;
  const turned = turnAboutZ(toMatrix(before.orientation), toMatrix(after.orientation));
  if (turned === undefined) return undefined;
  const { orientation } = supports.pose;
  const away = turn(toMatrix({ x: 0, y: 0, z: turned }), subtract(supports.pose.position, before.position));
  const pose: Pose = {
    position: add(after.position, away),
    orientation: turned === 0 ? orientation : normalise({ ...orientation, z: orientation.z + turned }),
    scale: 1,
  };
  return { ...supports, pose };
}

/** The degrees about z that lead from one rotation to another; undefined where it takes another turn, too. */
function turnAboutZ(before: Mat3, after: Mat3): number | undefined {
  const [x, y, z] = rowsOf(before);
  const [right, , up] = rowsOf(after);
  if (dot(z, up) < 1 - ROUNDING) return undefined;
  const degrees = (Math.atan2(-dot(y, right), dot(x, right)) * 180) / Math.PI;
  return Math.abs(degrees) < ROUNDING ? 0 : degrees;
}

const rowsOf = ([a, b, c, d, e, f, g, h, i]: Mat3): [Vec3, Vec3, Vec3] => [[a, b, c], [d, e, f], [g, h, i]];
