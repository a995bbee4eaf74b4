import type { Mat3 } from "../core/geometry.ts";
import { anglesOf, type EulerDeg, normalise, toMatrix } from "../mesh/pose.ts";
import type { Model } from "./model.ts";
import { repose } from "./repose.ts";

/** A place of a layout: x and y of the model's position, once it is turned about z by `turnDeg` more. */
export interface Laid {
  readonly turnDeg: number;
  readonly x: number;
  readonly y: number;
}

/** The model, its supports with it, at a place of a layout; its outlines are not yet worked out anew. It keeps its tilt. */
export function laid(model: Model, { turnDeg, x, y }: Laid): Model {
  const orientation = turnedAboutZ(model.pose.orientation, turnDeg);
  return repose(model, { ...model.pose, position: [x, y, model.pose.position[2]], orientation });
}

/** Angles are rounded to this, below what engines differ by in arcs. */
const STEPS_PER_DEGREE = 2 ** 30;

function turnedAboutZ(orientation: EulerDeg, turnDeg: number): EulerDeg {
  if (turnDeg === 0) return orientation;
  const { x, y, z } = orientation;
  if (x === 0 && y === 0) return normalise({ x, y, z: z + turnDeg });
  const [c, s] = toMatrix({ x: 0, y: 0, z: turnDeg }).filter((_, i) => i === 0 || i === 3);
  const [a, b, d, e, f, g, h, i, j] = toMatrix(orientation);
  const turned: Mat3 = [
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
  return anglesOf(turned, STEPS_PER_DEGREE);
}
