/** Limits of JSON, so that parsing it takes bounded time and memory. A limit that is missing does not apply. */
export interface JsonLimits {
  readonly depth: number;
  /** Objects and arrays. */
  readonly containers: number;
  /** Objects, arrays and commas: at least as many as values. */
  readonly values?: number;
  /** Entries of one object, repeated keys included. */
  readonly keys?: number;
  /** Bytes of one string or number in the text. */
  readonly tokenBytes?: number;
  /** Backslashes; strings with many of them are slow to parse. */
  readonly escapes?: number;
}

/** Thrown for JSON that exceeds a limit. */
export class JsonLimitError extends RangeError {
  readonly limit: keyof JsonLimits;
  /** The keys and indices that lead to the value, from the outside in. */
  readonly path: readonly (string | number)[];

  constructor(limit: keyof JsonLimits, path: readonly (string | number)[], message: string) {
    super(message);
    this.limit = limit;
    this.path = path;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** The bit in which braces differ from brackets. */
const BRACE_BIT = 0x20;

/** Maximum number of bytes of a key that a message shows. */
const MAX_KEY_BYTES = 200;

/** Bytes that are scanned between two yields: one or two milliseconds of work. */
const SLICE_BYTES = 1 << 19;

/**
 * Counts the values of JSON in UTF-8 without building them, and yields every {@link SLICE_BYTES}. Throws {@link JsonLimitError} where a
 * limit is exceeded. Malformed JSON is not reported here, but by the parser.
 */
export function* scanJson(bytes: Uint8Array, limits: JsonLimits): Generator<undefined, void> {
  const scan = newScan(limits.depth);
  for (let end = SLICE_BYTES; scan.at < bytes.length; end += SLICE_BYTES) {
    const passed = scanSlice(scan, bytes, Math.min(end, bytes.length), limits);
    // Only a limit that is set can be exceeded.
    if (passed) throw new JsonLimitError(passed, pathOf(scan, bytes), EXCESS[passed](limits[passed]!));
    yield;
  }
}

const EXCESS: Readonly<Record<keyof JsonLimits, (limit: number) => string>> = {
  depth: (limit) => `it nests deeper than ${limit} levels`,
  containers: (limit) => `it holds more than ${limit} objects`,
  values: (limit) => `it holds more than ${limit} values`,
  keys: (limit) => `it has an object of more than ${limit} fields`,
  tokenBytes: (limit) => `it has a text or number of more than ${limit} bytes`,
  escapes: (limit) => `it holds more than ${limit} escapes`,
};

/** The state of a scan. */
interface Scan {
  at: number;
  depth: number;
  containers: number;
  values: number;
  escapes: number;
  isInString: boolean;
  /** First byte of the current string or number. */
  tokenStart: number;
  /** Opening quote of the last string. */
  textStart: number;
  // For each open container: whether it is an object, the commas in it, and the quote before the key of the current value, or the byte
  // before a key that is not complete.
  readonly isObject: Uint8Array;
  readonly commas: Uint32Array;
  readonly keyStart: Uint32Array;
}

const newScan = (maxDepth: number): Scan => ({
  at: 0,
  depth: 0,
  containers: 0,
  values: 0,
  escapes: 0,
  isInString: false,
  tokenStart: 0,
  textStart: 0,
  isObject: new Uint8Array(maxDepth + 2),
  commas: new Uint32Array(maxDepth + 2),
  keyStart: new Uint32Array(maxDepth + 2),
});

/** Scans up to the byte `end`. Returns the first limit that is exceeded. */
function scanSlice(scan: Scan, bytes: Uint8Array, end: number, limits: JsonLimits): keyof JsonLimits | undefined {
  const { values: maxValues = Infinity, keys: maxKeys = Infinity, tokenBytes: maxTokenBytes = Infinity } = limits;
  const { depth: maxDepth, containers: maxContainers, escapes: maxEscapes = Infinity } = limits;
  const { isObject, commas, keyStart } = scan;
  // Local variables are several times as fast here as fields.
  let { at, depth, containers, values, escapes, isInString, tokenStart, textStart } = scan;
  let passed: keyof JsonLimits | undefined;
  for (; at < end && passed === undefined; at++) {
    const byte = bytes[at] ?? 0;
    if (isInString) {
      if (byte === BACKSLASH) {
        at++;
        if (++escapes > maxEscapes) passed = "escapes";
      } else if (byte === QUOTE) {
        isInString = false;
        if (at - tokenStart > maxTokenBytes) passed = "tokenBytes";
        tokenStart = at + 1;
      }
    } else if (byte > COMMA && byte < COLON) {
      // Digits, points and signs.
      if (at - tokenStart >= maxTokenBytes) passed = "tokenBytes";
    } else {
      tokenStart = at + 1;
      if (byte === QUOTE) {
        isInString = true;
        textStart = at;
      } else if (byte === COMMA) {
        if (++values > maxValues) passed = "values";
        const count = (commas[depth] ?? 0) + 1;
        commas[depth] = count;
        if (count >= maxKeys && isObject[depth] === 1) passed = "keys";
        keyStart[depth] = at;
      } else if (byte === COLON) {
        keyStart[depth] = textStart;
      } else if ((byte | BRACE_BIT) === OPEN_BRACE) {
        if (++values > maxValues) passed = "values";
        if (++containers > maxContainers) passed = "containers";
        if (++depth > maxDepth) passed = "depth";
        isObject[depth] = byte === OPEN_BRACE ? 1 : 0;
        commas[depth] = 0;
        keyStart[depth] = at;
      } else if ((byte | BRACE_BIT) === CLOSE_BRACE && depth > 0) {
        depth--;
      }
    }
  }
  Object.assign(scan, { at, depth, containers, values, escapes, isInString, tokenStart, textStart });
  return passed;
}

/** The path of the scan, as far as the keys are complete. */
function pathOf({ depth, isObject, commas, keyStart }: Scan, bytes: Uint8Array): (string | number)[] {
  const levels = Array.from({ length: depth }, (_, i) => i + 1);
  return levels.flatMap((level): (string | number)[] => {
    const [index = 0, start = 0] = [commas[level], keyStart[level]];
    if (isObject[level] === 0) return [index];
    return bytes[start] === QUOTE ? [keyAt(bytes, start)] : [];
  });
}

/** The string whose opening quote is at `start`, with its escapes; cut at {@link MAX_KEY_BYTES}. */
function keyAt(bytes: Uint8Array, start: number): string {
  const end = bytes.indexOf(QUOTE, start + 1);
  return new TextDecoder().decode(bytes.subarray(start + 1, Math.min(end, start + 1 + MAX_KEY_BYTES)));
}
