import type { Progress } from "../core/progress.ts";

/** A chunk of at least this size is passed on. */
const CHUNK_BYTES = 2 ** 20;
/** Room for one write: a row of numbers, or a text. */
const SLACK_BYTES = 2 ** 16;

/** Powers of ten that are exact in double precision together with the digits of single precision. */
const POWERS = Array.from({ length: 16 }, (_, digits) => 10 ** digits);
/** Magnitudes that are written without an exponent. */
const LEAST_PLAIN = 1e-5;
const MOST_PLAIN = 1e9;

/**
 * Coordinates have either at most this number of digits after the point, or as many as their precision allows: a test of this first saves
 * attempts.
 */
const TIDY_DIGITS = 3;
const isTidy = (value: number): boolean =>
  Math.fround(Math.round(value * POWERS[TIDY_DIGITS]) / POWERS[TIDY_DIGITS]) === value;

const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;

const encoder = new TextEncoder();

/** The texts before, between and after three numbers, made by {@link words}. */
export type Words = readonly Uint8Array[];

/** The bytes of words in ASCII. */
export const words = (before: string, second: string, third: string, after: string): Words =>
  [before, second, third, after].map((word) => encoder.encode(word));

/**
 * The chunks of a text in UTF-8 that is mostly rows of numbers, which are written without strings. All chunks share one buffer, so
 * each is used before the next one is requested.
 */
export class TextBuffer {
  readonly #bytes = new Uint8Array(CHUNK_BYTES + SLACK_BYTES);
  readonly #progress: Progress;
  readonly #rowCount: number;
  #at = 0;
  #rowsDone = 0;

  /** `rowCount`: total number of rows, for the progress. */
  constructor(rowCount: number, progress: Progress) {
    this.#rowCount = rowCount;
    this.#progress = progress;
  }

  /** At most 16,000 characters. */
  *text(text: string): Generator<Uint8Array> {
    this.#write(text);
    if (this.#at >= CHUNK_BYTES) yield this.end();
  }

  /** Numbers of single precision, three in a row, with the fewest digits from which a reader gets the same numbers. */
  *floats(words: Words, values: Float32Array | Float64Array): Generator<Uint8Array> {
    for (let at = 0; at < values.length; at += 3) {
      this.#word(words[0]);
      this.#float(values[at]);
      this.#word(words[1]);
      this.#float(values[at + 1]);
      this.#word(words[2]);
      this.#float(values[at + 2]);
      this.#word(words[3]);
      this.#rowsDone++;
      if (this.#at >= CHUNK_BYTES) yield this.end();
    }
  }

  /** Whole numbers, each plus `more`, three in a row. */
  *integers(words: Words, values: Uint32Array, more = 0): Generator<Uint8Array> {
    for (let at = 0; at < values.length; at += 3) {
      this.#word(words[0]);
      this.#decimal(values[at] + more, 0);
      this.#word(words[1]);
      this.#decimal(values[at + 1] + more, 0);
      this.#word(words[2]);
      this.#decimal(values[at + 2] + more, 0);
      this.#word(words[3]);
      this.#rowsDone++;
      if (this.#at >= CHUNK_BYTES) yield this.end();
    }
  }

  /** The rest of the text. */
  end(): Uint8Array {
    this.#progress.report(this.#rowsDone / this.#rowCount);
    const chunk = this.#bytes.subarray(0, this.#at);
    this.#at = 0;
    return chunk;
  }

  #write(text: string): void {
    this.#at += encoder.encodeInto(text, this.#bytes.subarray(this.#at)).written;
  }

  #word(word: Uint8Array): void {
    for (let i = 0; i < word.length; i++) this.#bytes[this.#at++] = word[i];
  }

  #float(value: number): void {
    if (value < 0) this.#bytes[this.#at++] = MINUS;
    const magnitude = Math.abs(value);
    if (magnitude !== 0 && (magnitude < LEAST_PLAIN || magnitude >= MOST_PLAIN)) {
      this.#write(shortest(magnitude));
      return;
    }
    let digits = isTidy(magnitude) ? 0 : TIDY_DIGITS + 1;
    let scaled = Math.round(magnitude * POWERS[digits]);
    while (Math.fround(scaled / POWERS[digits]) !== magnitude) scaled = Math.round(magnitude * POWERS[++digits]);
    this.#decimal(scaled, digits);
  }

  /** `value` / 10^`digits`. */
  #decimal(value: number, digits: number): void {
    let length = digits + 1;
    while (length < POWERS.length && value >= POWERS[length]) length++;
    const start = this.#at;
    this.#at += digits > 0 ? length + 1 : length;
    const point = digits > 0 ? this.#at - 1 - digits : -1;
    const bytes = this.#bytes;
    let rest = value;
    for (let at = this.#at - 1; at >= start; at--) {
      if (at === point) {
        bytes[at] = POINT;
        continue;
      }
      const quotient = rest < 2 ** 31 ? (rest / 10) | 0 : Math.floor(rest / 10);
      bytes[at] = ZERO + (rest - 10 * quotient);
      rest = quotient;
    }
  }
}

/** A positive single-precision number in the fewest digits, with an exponent if that is usual. Nine digits are always enough. */
function shortest(value: number): string {
  for (let digits = 1; ; digits++) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === value) return text;
  }
}
