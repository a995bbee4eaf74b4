import type { Mat3, Vec3 } from "../core/geometry.ts";
import { FACING_ONE } from "./layers.ts";

/** How places of surfaces look. */
export interface Looks {
  /** Light, shine and tint, as `litOf`, `shineOf` and `tintOf` read them; 0 before a place is shaded. */
  readonly lights: Int32Array;
  /** Which way the surface faces, as `rightOf` and `upOf` read it. */
  readonly facing: Uint16Array;
}

export const newLooks = (count: number): Looks => ({ lights: new Int32Array(count), facing: new Uint16Array(count) });

/** Light and shine are in parts of this; no surface is twice as bright as a white one in full light. */
export const LIGHT_ONE = 16383;

const LIT_SHIFT = 15;
const SHINE_SHIFT = 2;
const SHINE_MASK = (1 << (LIT_SHIFT - SHINE_SHIFT)) - 1;
const TINT_MASK = (1 << SHINE_SHIFT) - 1;

export const litOf = (light: number): number => light >> LIT_SHIFT;
export const shineOf = (light: number): number => (light >> SHINE_SHIFT) & SHINE_MASK;
/** Which of `TINTS`. */
export const tintOf = (light: number): number => light & TINT_MASK;

const FACING_BITS = 8;
const FACING_MASK = (1 << FACING_BITS) - 1;
/** Stands for 0, so that both directions fit without a sign. */
const AHEAD = 128;

/** In parts of `FACING_ONE`. */
export const rightOf = (facing: number): number => (facing >> FACING_BITS) - AHEAD;
export const upOf = (facing: number): number => (facing & FACING_MASK) - AHEAD;

// The lights hang at the camera, so bodies look alike from every side: a large one over the left shoulder, a faint one
// low on the right. The sky is the world's: what faces up is lighter.
const unit = ([x, y, z]: Vec3): Vec3 => {
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
};
const [KEY_X, KEY_Y, KEY_Z] = unit([-0.5, 0.75, 0.75]);
const [FILL_X, FILL_Y, FILL_Z] = unit([0.85, -0.15, 0.5]);
/** Half way between the key light and the camera: surfaces that face there shine. */
const [SHINE_X, SHINE_Y, SHINE_Z] = unit([KEY_X, KEY_Y, KEY_Z + 1]);
const [KEY_LIGHT, FILL_LIGHT, SHINE_LIGHT] = [0.86, 0.16, 0.08];
const [SKY_LIGHT, GROUND_LIGHT] = [0.38, 0.14];

/** What decides how a normal of a body looks. */
export interface Lit {
  readonly tint: number;
  /** From the body's coordinates to the view's, at any scale. */
  readonly toView: Mat3;
  /** From the world's coordinates to the view's. */
  readonly view: Mat3;
}

/** Sets how a place looks whose normal, of any length, is (x, y, z) in the body's coordinates. */
export function setLook(
  { lights, facing }: Looks,
  place: number,
  { tint, toView, view }: Lit,
  x: number,
  y: number,
  z: number,
): void {
  const viewX = toView[0] * x + toView[1] * y + toView[2] * z;
  const viewY = toView[3] * x + toView[4] * y + toView[5] * z;
  const viewZ = toView[6] * x + toView[7] * y + toView[8] * z;
  const length = Math.sqrt(viewX * viewX + viewY * viewY + viewZ * viewZ);
  // Whatever is seen is seen from its front; a facet without area faces the camera.
  const side = viewZ < 0 ? -1 / length : 1 / length;
  const right = length > 0 ? viewX * side : 0;
  const up = length > 0 ? viewY * side : 0;
  const toward = length > 0 ? viewZ * side : 1;
  const sky = 0.5 + 0.5 * (view[5] * up + view[8] * toward);
  const key = KEY_X * right + KEY_Y * up + KEY_Z * toward;
  const fill = FILL_X * right + FILL_Y * up + FILL_Z * toward;
  const light =
    GROUND_LIGHT +
    (SKY_LIGHT - GROUND_LIGHT) * sky +
    (key > 0 ? KEY_LIGHT * key : 0) +
    (fill > 0 ? FILL_LIGHT * fill : 0);
  // Blinn's highlight, to the power of 32.
  const cosine = SHINE_X * right + SHINE_Y * up + SHINE_Z * toward;
  const p2 = cosine > 0 ? cosine * cosine : 0;
  const p8 = p2 * p2 * p2 * p2;
  const shine = SHINE_LIGHT * p8 * p8 * p8 * p8;
  lights[place] =
    (((light * LIGHT_ONE + 0.5) | 0) << LIT_SHIFT) | (((shine * LIGHT_ONE + 0.5) | 0) << SHINE_SHIFT) | tint;
  facing[place] = ((right * FACING_ONE + AHEAD + 0.5) << FACING_BITS) | (up * FACING_ONE + AHEAD + 0.5);
}
