import type { Vec3 } from "../geometry/vector.ts";
import type { BodyKind, WrittenBody } from "./model-writer.ts";

/** The colour of each kind of body, in pictures and in files that have colours: sRGB, 0xRRGGBB, distinguishable for colour-blind readers. */
export const BODY_COLOURS: Readonly<Record<BodyKind, number>> = {
  part: 0x9db4cc,
  support: 0xe3cf9f,
  lattice: 0xa7c4ad,
};

/** The colour of letters on a lattice in pictures: dark, so that they are read from afar (contrast 6 : 1). */
export const LETTER_COLOUR = 0x26392c;

/** The names of the kinds in files, where they are materials. */
export const BODY_KIND_NAMES: Readonly<Record<BodyKind, string>> = {
  part: "Part",
  support: "Support",
  lattice: "Lattice",
};

/** Source of the curve: IEC 61966-2-1 (sRGB). */
const fromSrgb = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** Linear light of an sRGB colour 0xRRGGBB, 0 to 1, in single precision, since engines may differ in the last bits of powers. */
export const linearLight = (hex: number): Vec3 => {
  const channel = (shift: number): number => Math.fround(fromSrgb(((hex >> shift) & 255) / 255));
  return [channel(16), channel(8), channel(0)];
};

/** Bodies with equal keys are copies of one object, in formats where an object has one colour. */
export const objectKey = ({ mesh, kind }: WrittenBody): string => `${mesh.hash} ${kind}`;
