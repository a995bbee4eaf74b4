import { parseFloat64 } from "../../codec/parse-float32.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import { growArray } from "../../core/typed-arrays.ts";

/** Closed polygons, one after the other. */
export interface Polygons {
  xs: Float64Array<ArrayBuffer>;
  ys: Float64Array<ArrayBuffer>;
  /** The index after the last point of each polygon. */
  readonly ends: number[];
}

const [MOVE, LINE, CLOSE] = ["M", "L", "Z"].map((letter) => letter.charCodeAt(0));
const [BLANK, COMMA] = [0x20, 0x2c];
const LOWER_CASE = 0x20;
const EXPONENT = "e".charCodeAt(0);

const isBlank = (byte: number): boolean => byte <= BLANK || byte === COMMA;
const isLetter = (byte: number): boolean => (byte | LOWER_CASE) >= 0x61 && (byte | LOWER_CASE) <= 0x7a;

/**
 * Adds the polygons of the data of an SVG path: absolute moves and lines (SVG 1.1, section 8.3). Throws the error of `refuse` for curves,
 * relative commands and what is no number.
 */
export function readPath(data: Uint8Array, from: number, to: number, into: Polygons, refuse: ErrorFactory): void {
  let count = into.ends.at(-1) ?? 0;
  let x: number | undefined;
  const endPolygon = (): void => {
    if (x !== undefined) throw refuse("a point of its outlines has one coordinate; take another copy of it");
    if (count > (into.ends.at(-1) ?? 0)) into.ends.push(count);
  };
  for (let at = from; at < to;) {
    const byte = data[at];
    if (isBlank(byte) || byte === LINE) {
      at++;
    } else if (byte === MOVE || byte === CLOSE) {
      endPolygon();
      at++;
    } else {
      const end = numberEnd(data, at, to);
      const value = parseFloat64(data, at, end);
      if (!Number.isFinite(value)) throw refuse("its outlines have curves or are damaged; take another copy of it");
      at = end;
      if (x === undefined) {
        x = value;
        continue;
      }
      if (count === into.xs.length) {
        into.xs = growArray(into.xs, count + 1);
        into.ys = growArray(into.ys, count + 1);
      }
      into.xs[count] = x;
      into.ys[count++] = value;
      x = undefined;
    }
  }
  endPolygon();
}

/** The index after a number; at least one byte behind its first. */
function numberEnd(data: Uint8Array, at: number, to: number): number {
  let end = at + 1;
  while (end < to && !isBlank(data[end]) && (!isLetter(data[end]) || (data[end] | LOWER_CASE) === EXPONENT)) end++;
  return end;
}
