import { BODY_COLOURS, LETTER_COLOUR, linearLight } from "../format/body-kinds.ts";
import type { Vec3 } from "../geometry/vector.ts";
import type { ItemKind } from "./render-scene.ts";

/** Steps of linear light in the table below: even in shadows one step is at most one step of sRGB. */
const LIGHT_STEPS = 4095;

/** Source of the curve: IEC 61966-2-1 (sRGB). */
const toSrgb = (value: number): number => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** sRGB bytes by linear light. */
export const SRGB = Uint8Array.from({ length: LIGHT_STEPS + 1 }, (_, i) => Math.round(255 * toSrgb(i / LIGHT_STEPS)));

export const KINDS: readonly ItemKind[] = ["model", "outOfBounds", "support", "lattice", "letters"];

/** Tint of each of {@link KINDS}, distinguishable for colour-blind readers; only bodies out of bounds are red. */
export const TINTS: readonly Vec3[] = [
  BODY_COLOURS.part,
  0xef6a4a,
  BODY_COLOURS.support,
  BODY_COLOURS.lattice,
  LETTER_COLOUR,
].map(linearLight);

/** The background at the top and the bottom of the picture. */
export const SKY: readonly [top: Vec3, bottom: Vec3] = [linearLight(0xfafbfc), linearLight(0xe6eaee)];

export const PLATFORM = linearLight(0xd5dae0);
export const GRID = linearLight(0xa3adb8);
/** sRGB bytes. */
export const FRAME_LINE: Vec3 = [0x8a, 0x97, 0xa5];
