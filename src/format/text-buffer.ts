/** Bytes of a chunk, after which the writer of a file asks for the next. */
const CHUNK_BYTES = 2 ** 20;
/** Room for what is written between two looks at {@link TextBuffer.isFull}: a line of numbers, or a name with its escapes. */
const SLACK_BYTES = 2 ** 16;

/** Powers of ten that single precision can hold beside its digits; exact in double precision. */
const POWERS = Array.from({ length: 16 }, (_, digits) => 10 ** digits);
/** Magnitudes that are written without an exponent. */
const LEAST_PLAIN = 1e-5;
const MOST_PLAIN = 1e9;

const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;

const encoder = new TextEncoder();

/** What stands before, between and after three numbers, as {@link words} makes it. */
export type Words = readonly Uint8Array[];

/** The bytes of words in ASCII. */
export const words = (before: string, second: string, third: string, after: string): Words =>
  [before, second, third, after].map((word) => encoder.encode(word));

/** Builds a text in UTF-8, chunk by chunk in the same memory: words and numbers of large meshes cost no strings. */
export class TextBuffer {
  readonly #bytes = new Uint8Array(CHUNK_BYTES + SLACK_BYTES);
  #at = 0;

  /** Whether it is time to {@link take} the chunk. */
  get isFull(): boolean {
    return this.#at >= CHUNK_BYTES;
  }

  /** The text since the last call. Its memory serves the next chunk. */
  take(): Uint8Array {
    const chunk = this.#bytes.subarray(0, this.#at);
    this.#at = 0;
    return chunk;
  }

  /** At most 16,000 characters. */
  text(text: string): void {
    this.#at += encoder.encodeInto(text, this.#bytes.subarray(this.#at)).written;
  }

  /** Three numbers from an index on, between the four words, of single precision, in the fewest digits by which a reader finds the same again. */
  floats(words: Words, values: Float32Array | Float64Array, at: number): void {
    this.#word(words[0]);
    this.#float(values[at]);
    this.#word(words[1]);
    this.#float(values[at + 1]);
    this.#word(words[2]);
    this.#float(values[at + 2]);
    this.#word(words[3]);
  }

  /** Three whole numbers from an index on, each plus `more`, between the four words. */
  integers(words: Words, values: Uint32Array, at: number, more = 0): void {
    this.#word(words[0]);
    this.#decimal(values[at] + more, 0);
    this.#word(words[1]);
    this.#decimal(values[at + 1] + more, 0);
    this.#word(words[2]);
    this.#decimal(values[at + 2] + more, 0);
    this.#word(words[3]);
  }

  #word(word: Uint8Array): void {
    for (let i = 0; i < word.length; i++) this.#bytes[this.#at++] = word[i];
  }

  #float(value: number): void {
    if (value < 0) this.#bytes[this.#at++] = MINUS;
    const magnitude = Math.abs(value);
    if (magnitude !== 0 && (magnitude < LEAST_PLAIN || magnitude >= MOST_PLAIN)) {
      this.text(shortest(magnitude));
      return;
    }
    let digits = 0;
    let scaled = Math.round(magnitude);
    while (Math.fround(scaled / POWERS[digits]) !== magnitude) scaled = Math.round(magnitude * POWERS[++digits]);
    this.#decimal(scaled, digits);
  }

  /** `value` / 10^`digits`. */
  #decimal(value: number, digits: number): void {
    let length = digits + 1;
    while (length < POWERS.length && value >= POWERS[length]) length++;
    const start = this.#at;
    this.#at += digits > 0 ? length + 1 : length;
    let rest = value;
    for (let at = this.#at - 1, written = 0; at >= start; at--, written++) {
      if (digits > 0 && written === digits) {
        this.#bytes[at] = POINT;
        continue;
      }
      const quotient = Math.floor(rest / 10);
      this.#bytes[at] = ZERO + (rest - 10 * quotient);
      rest = quotient;
    }
  }
}

/** A positive single-precision number in the fewest digits, with an exponent where that is usual. Nine digits are always enough. */
function shortest(value: number): string {
  for (let digits = 1; ; digits++) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === value) return text;
  }
}
