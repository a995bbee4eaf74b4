/** ST_Number of the schema of 3MF, with optional whitespace around it. AMF has the same (xs:double without its words). */
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** NaN for a missing or malformed number. */
export function toNumber(text: string | undefined): number {
  if (text === undefined) return NaN;
  // For texts of digits, points and signs `Number` accepts the same as the pattern, in a third of its time.
  let hasDigit = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= ZERO && code <= NINE) hasDigit = true;
    else if (code !== POINT && code !== MINUS && code !== PLUS) return NUMBER.test(text) ? Number(text) : NaN;
  }
  return hasDigit ? Number(text) : NaN;
}

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** A whole number from 0 on; NaN for anything else. */
export const toIndex = (text: string | undefined): number =>
  text !== undefined && /^\s*\d{1,10}\s*$/.test(text) ? Number(text) : NaN;

export const quoted = (text: string): string => JSON.stringify(text.slice(0, 40));
export const found = (text: string | undefined): string => (text === undefined ? "is missing" : `is ${quoted(text)}`);
