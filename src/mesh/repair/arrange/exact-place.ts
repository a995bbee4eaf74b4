import type { Vec3 } from "../../../core/geometry.ts";
import type { Lattice } from "./lattice.ts";

/** A place without rounding: x / w, y / w, z / w in steps of a lattice. `w` is positive. */
export interface ExactPlace {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
  readonly w: bigint;
  /** Rounded, mm. The same for equal places. */
  readonly mm: Vec3;
}

/** Binary digits behind the point of a step that {@link ExactPlace.mm} is rounded from. */
const DIGITS = 64n;
const PER_DIGITS = 2 ** -64;

export const latticePlace = (mm: Vec3, { stepsPerMm }: Lattice): ExactPlace => ({
  x: BigInt(mm[0] * stepsPerMm),
  y: BigInt(mm[1] * stepsPerMm),
  z: BigInt(mm[2] * stepsPerMm),
  w: 1n,
  mm,
});

export function exactPlace(x: bigint, y: bigint, z: bigint, w: bigint, { stepsPerMm }: Lattice): ExactPlace {
  if (w < 0n) return exactPlace(-x, -y, -z, -w, { stepsPerMm });
  const toMm = (value: bigint): number => (Number((value << DIGITS) / w) * PER_DIGITS) / stepsPerMm;
  return { x, y, z, w, mm: [toMm(x), toMm(y), toMm(z)] };
}

export const isSamePlace = (a: ExactPlace, b: ExactPlace): boolean =>
  a.x * b.w === b.x * a.w && a.y * b.w === b.y * a.w && a.z * b.w === b.z * a.w;

/** Places by number, each once. */
export interface Places {
  readonly all: readonly ExactPlace[];
  /** The number of the place, which is a new one where it is not known. */
  numberOf(place: ExactPlace): number;
}

export function newPlaces(): Places {
  const all: ExactPlace[] = [];
  const byMm = new Map<number, number[]>();
  return {
    all,
    numberOf(place) {
      const key = mixed(place.mm);
      const alike = byMm.get(key);
      const known = alike?.find((number) => isSamePlace(all[number]!, place));
      if (known !== undefined) return known;
      const number = all.push(place) - 1;
      if (alike) alike.push(number);
      else byMm.set(key, [number]);
      return number;
    },
  };
}

/** Of the digits of three numbers a whole one, the same for the same three. */
function mixed(mm: Vec3): number {
  digits.set(mm);
  let sum = 0;
  for (const half of halves) sum = Math.imul(sum ^ half, MIXER) ^ (sum >>> 15);
  return sum;
}

/** Odd, with well mixed bits: the first of xxHash32. */
const MIXER = 0x9e3779b1;
const digits = new Float64Array(3);
const halves = new Int32Array(digits.buffer);
