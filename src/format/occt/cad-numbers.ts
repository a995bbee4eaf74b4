import { Buffer } from "node:buffer";
import { MAX_COORDINATE_MM } from "../../core/limits.ts";
import type { OcctFormat } from "./kernel.ts";
import { cadPoints } from "./tolerance-for-size.ts";

/** Texts are searched in blocks of this many bytes. Blocks overlap by more than the length of any usual number or point. */
const BLOCK_BYTES = 2 ** 20;
const OVERLAP_BYTES = 512;
/** A real with an exponent of three digits or more, or with so many digits that it exceeds double precision (1.8e308). */
const GREAT_NUMBER = /\.\d*[ED]\+?(\d{3,})|\d{309}/gi;
const MAX_EXPONENT = 308;
/** Construction lines and the corners of infinite planes may reach this many times as far as a model may. */
const CONSTRUCTION_REACH = 1000;

/**
 * The first number that cannot be a length, as words for a message: above double precision, or the coordinate of a point a thousand
 * times as far away as any model reaches. The kernel would compute with such numbers for minutes. `unitMm` is the unit of the file.
 * Undefined if all numbers are usable.
 */
export function numberBeyondLimits(bytes: Uint8Array, format: OcctFormat, unitMm: number): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const farthest = (CONSTRUCTION_REACH * MAX_COORDINATE_MM) / unitMm;
  for (let at = 0; at < buffer.length; at += BLOCK_BYTES) {
    const block = buffer.toString("latin1", at, at + BLOCK_BYTES + OVERLAP_BYTES);
    for (const [, exponent] of block.matchAll(GREAT_NUMBER)) {
      if (exponent === undefined || Number(exponent) > MAX_EXPONENT) return "a number without bounds";
    }
    for (const point of cadPoints(block, format)) {
      const far = point.length === 3 && point.find((coordinate) => Math.abs(coordinate) > farthest);
      if (far) return `the coordinate ${far.toPrecision(3)}, beyond all models`;
    }
  }
  return undefined;
}
