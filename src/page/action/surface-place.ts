import type { Vec3 } from "../../geometry/vector.ts";

/** A place on the surface of a model at which it is drilled or labelled. */
export interface SurfacePlace {
  readonly modelId: string;
  /** Scene coordinates, mm. */
  readonly point: Vec3;
  /** Outward unit normal. */
  readonly normal: Vec3;
}

const DEGREES = 180 / Math.PI;
/** A surface counts as level if the sine of the angle between its normal and the vertical is below this. */
const LEVEL = 0.01;

/** A vector in the fields of the interface. */
export interface Xyz {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export const toXyz = ([x, y, z]: Vec3): Xyz => ({ x, y, z });

/**
 * Euler angles (degrees; z is applied first, then x, then y) that rotate +z to the normal, so that a hole along the rotated -z goes
 * into the solid. z is 0, since a hole is round.
 */
export function drillOrientation([x, y, z]: Vec3): Xyz {
  return { x: Math.asin(Math.max(-1, Math.min(1, -y))) * DEGREES, y: Math.atan2(x, z) * DEGREES, z: 0 };
}

/**
 * Axes of a text on a surface: z is the outward normal, x the writing direction. The text is level and upright; on level surfaces it
 * runs along the scene's x axis.
 */
export function textAxes([x, y, z]: Vec3): { readonly z_direction: Vec3; readonly x_direction: Vec3 } {
  const level = Math.hypot(x, y);
  if (level < LEVEL) return { z_direction: [0, 0, Math.sign(z) || 1], x_direction: [1, 0, 0] };
  const length = Math.hypot(x, y, z);
  return { z_direction: [x / length, y / length, z / length], x_direction: [-y / level, x / level, 0] };
}

/** Body of a request to drill equal holes at all places. */
export function drillBody(places: readonly SurfacePlace[], hole: object): object {
  return {
    model_ids: [...new Set(places.map(({ modelId }) => modelId))],
    drain_holes: places.map(({ point, normal }) => ({
      ...hole,
      position: toXyz(point),
      orientation: drillOrientation(normal),
    })),
  };
}

/** Fields of a request to label a model: the model and the place. */
export const labelBody = ({ modelId, point, normal }: SurfacePlace): object => ({
  model_id: modelId,
  position: toXyz(point),
  orientation: textAxes(normal),
});
