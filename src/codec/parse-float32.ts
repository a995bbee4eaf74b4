const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const LOWER_E = 0x65;
/** Powers of ten that double precision represents exactly. */
const POWERS = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
/** An integer below this stays exact in double precision with one more digit. */
const ROOM_FOR_DIGIT = 1e14;
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * The decimal number in `bytes` from `start` to `end`, rounded to double and then to single precision; NaN if those
 * bytes are no decimal number, Infinity if it is too large. Nearly all numbers are computed without a string: 15 digits
 * times an exact power of ten are one correctly rounded operation, and further digits matter only if they would
 * change the result. Source: W. Clinger, "How to Read Floating Point Numbers Accurately" (1990), the fast path.
 */
export function parseFloat32(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  const isNegative = bytes[at] === MINUS;
  if (isNegative || bytes[at] === PLUS) at++;
  const firstDigit = at;
  let digits = 0;
  let exponent = 0;
  let isCut = false;
  let pointAt = -1;
  for (; at < end; at++) {
    const digit = bytes[at] - ZERO;
    if (digit >= 0 && digit <= 9) {
      if (digits < ROOM_FOR_DIGIT) {
        digits = digits * 10 + digit;
        if (pointAt >= 0) exponent--;
      } else {
        isCut = true;
        if (pointAt < 0) exponent++;
      }
    } else if (bytes[at] === POINT && pointAt < 0) pointAt = at;
    else break;
  }
  const hasDigits = at - firstDigit > (pointAt < 0 ? 0 : 1);
  if (at < end && (bytes[at] | 0x20) === LOWER_E) {
    const written = exponentIn(bytes, at + 1, end);
    exponent += written;
    at = Number.isNaN(written) ? at : end;
  }
  if (!hasDigits || at < end || Math.abs(exponent) > 22) return parse(bytes, start, end);
  const single = scaled(digits, exponent);
  if (isCut && scaled(digits + 1, exponent) !== single) return parse(bytes, start, end);
  return isNegative ? -single : single;
}

/** The exponent in the bytes; NaN if it does not have one to three digits. */
function exponentIn(bytes: Uint8Array, start: number, end: number): number {
  const hasSign = bytes[start] === MINUS || bytes[start] === PLUS;
  const from = hasSign ? start + 1 : start;
  if (end - from < 1 || end - from > 3) return NaN;
  let exponent = 0;
  for (let at = from; at < end; at++) {
    const digit = bytes[at] - ZERO;
    if (digit < 0 || digit > 9) return NaN;
    exponent = exponent * 10 + digit;
  }
  return bytes[start] === MINUS ? -exponent : exponent;
}

const scaled = (digits: number, exponent: number): number =>
  Math.fround(exponent < 0 ? digits / POWERS[-exponent] : digits * POWERS[exponent]);

const parse = (bytes: Uint8Array, start: number, end: number): number => Math.fround(parseFloat64(bytes, start, end));

/** The decimal number in `bytes` from `start` to `end`, rounded to double precision; NaN and Infinity as {@link parseFloat32}. */
export function parseFloat64(bytes: Uint8Array, start: number, end: number): number {
  const text = new TextDecoder("latin1").decode(bytes.subarray(start, end));
  return DECIMAL.test(text) ? Number(text) : NaN;
}
