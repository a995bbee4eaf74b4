/** ST_Number of the schema of 3MF, with optional whitespace around it. AMF has the same (xs:double without its words). */
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** NaN for what is missing or no number. */
export const toNumber = (text: string | undefined): number =>
  text !== undefined && NUMBER.test(text) ? Number(text) : NaN;

/** A whole number from 0 on; NaN for anything else. */
export const toIndex = (text: string | undefined): number =>
  text !== undefined && /^\s*\d{1,10}\s*$/.test(text) ? Number(text) : NaN;

export const quoted = (text: string): string => JSON.stringify(text.slice(0, 40));
export const found = (text: string | undefined): string => (text === undefined ? "is missing" : `is ${quoted(text)}`);
