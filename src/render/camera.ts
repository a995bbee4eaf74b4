import type { Mat3 } from "../core/geometry.ts";

/** Where the camera stands, as the interface says it. */
export interface Direction {
  /**
   * 0 looks along −x, so the camera stands at +x; it grows counter-clockwise seen from above, so at 90 the camera stands
   * at +y and looks along −y.
   */
  readonly yawDeg: number;
  /** 0 is level; positive looks down, so at 90 the camera stands straight above. From −90 to 90. */
  readonly pitchDeg: number;
}

/** From a corner, down the diagonal of a cube (interface supplement, section 5, the defaults of `scene/render`). */
export const DEFAULT_DIRECTION: Direction = { yawDeg: 45, pitchDeg: 35.264 };

const RADIANS = Math.PI / 180;

/**
 * World to view: the rows are the directions to the right and up in the picture, and out of it toward the camera.
 *
 * Views are orthographic: lengths can be compared and measured anywhere in a picture, a frame around the bodies has an
 * exact solution, and nothing grows or shrinks while the camera flies around.
 *
 * Rounded to single precision, because sines differ in their last bit from one JavaScript engine to the next.
 */
export function viewMatrix({ yawDeg, pitchDeg }: Direction): Mat3 {
  const [yaw, pitch] = [yawDeg * RADIANS, pitchDeg * RADIANS];
  const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
  return [-sy, cy, 0, -sp * cy, -sp * sy, cp, cp * cy, cp * sy, sp].map(Math.fround) as unknown as Mat3;
}
