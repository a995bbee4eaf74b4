/** Deepest nesting of a print setting's document: whoever walks it may recurse. */
export const MAX_DOCUMENT_DEPTH = 64;

/** Objects and arrays; a model of a project takes three. */
const MAX_CONTAINERS = 2_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The value of UTF-8 JSON from a file. Throws where it is none, and before it is parsed where it nests deeper than
 * `maxDepth` or holds more objects than any file of ours: 60 MB of open brackets would take a parser seconds and gigabytes.
 */
export function parseJson(bytes: Uint8Array, maxDepth: number): unknown {
  let depth = 0;
  let containers = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) {
      isInString = true;
    } else if ((byte | 0x20) === 0x7b) { // [ or {
      if (++depth > maxDepth) throw new RangeError(`it nests deeper than ${maxDepth} levels`);
      if (++containers > MAX_CONTAINERS) throw new RangeError(`it holds more than ${MAX_CONTAINERS} objects`);
    } else if ((byte | 0x20) === 0x7d) { // ] or }
      depth--;
    }
  }
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}
