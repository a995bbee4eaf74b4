import { Buffer } from "node:buffer";
import { MAX_COORDINATE_MM } from "../../core/limits.ts";
import type { OcctFormat } from "./kernel.ts";
import { cadPoints } from "./tolerance-for-size.ts";

/** Texts are searched in blocks of so many bytes, which overlap by more than a number or a point of any use has. */
const BLOCK_BYTES = 2 ** 20;
const OVERLAP_BYTES = 512;
/** A real with an exponent of three digits or more, and digits of which double precision (to 1.8e308) has no number. */
const GREAT_NUMBER = /\.\d*[ED]\+?(\d{3,})|\d{309}/gi;
const MAX_EXPONENT = 308;
/** Construction lines and the corners of endless planes may reach this many times as far as a model may. */
const CONSTRUCTION_REACH = 1000;

/**
 * A number of a text that is no size of anything, in words: one that double precision has not, and a point in space a thousand times
 * as far away as any model reaches. The kernel computes with these for minutes. `unitMm` is the unit of the file. Undefined where there is none.
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
