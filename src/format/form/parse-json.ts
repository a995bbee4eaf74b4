/** A manifest nests 5 levels above a print setting's document. */
const MAX_DEPTH = 80;

/** Objects and arrays; a model takes three. */
const MAX_CONTAINERS = 2_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The value of UTF-8 JSON. Throws where it is none, and before it is parsed where it nests deeper or holds more objects
 * than a manifest can: 60 MB of open brackets would take a parser seconds and gigabytes.
 */
export function parseJson(bytes: Uint8Array): unknown {
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
      if (++depth > MAX_DEPTH || ++containers > MAX_CONTAINERS) throw new RangeError("too many levels or objects");
    } else if ((byte | 0x20) === 0x7d) { // ] or }
      depth--;
    }
  }
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}
