import type { ApiError } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import { parseFloat32, parseFloat64 } from "./parse-float32.ts";
import { type FileSource, readError, readExactly } from "./file-source.ts";

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const MINUS = 0x2d;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;
/** Longest part of the file that an error message or the name of a part repeats, bytes. */
const MAX_QUOTED = 40;
const MAX_NAME = 256;

/** Scans words and numbers in blocks of whole lines ({@link lineBlocks}), and counts the lines of the file. */
export class LineScanner {
  /** Number of the current line, 1-based. */
  line = 1;
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  readonly #source: FileSource;
  readonly #parse: typeof parseFloat32;

  /** Coordinates are read in single precision, or in double precision in three times the time. */
  constructor(source: FileSource, precision: "single" | "double" = "single") {
    this.#source = source;
    this.#parse = precision === "single" ? parseFloat32 : parseFloat64;
  }

  open(block: Uint8Array): void {
    this.bytes = block;
    this.at = 0;
  }

  atBlockEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** Moves to the next word of the line; false if there is none. A backslash at the end of a line continues the line. */
  toWord(): boolean {
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte > SPACE && byte !== BACKSLASH) return true;
      if (byte === LF || byte === CR || this.at >= this.bytes.length) return false;
      if (byte === BACKSLASH) {
        const next = this.bytes[this.at + 1];
        if ((next !== LF && next !== CR) || this.at + 2 >= this.bytes.length) return true;
        this.at++;
        this.#passLineEnd();
      } else this.at++;
    }
  }

  /** Moves to the start of the next line. A backslash at the end continues the line, but not a comment, in which a path may end with one. */
  toNextLine(): void {
    const { bytes } = this;
    let isComment = false;
    for (;;) {
      let at = this.at;
      for (; bytes[at] !== LF && bytes[at] !== CR && at < bytes.length; at++) isComment ||= bytes[at] === HASH;
      const continues = !isComment && bytes[at - 1] === BACKSLASH && at > this.at;
      this.at = at;
      this.#passLineEnd();
      if (!continues || this.atBlockEnd()) return;
    }
  }

  /** The {@link wordCode} of the word that starts here; moves to its end. */
  word(): number {
    const { bytes } = this;
    let at = this.at;
    let code = 0;
    for (; bytes[at] > SPACE; at++) code = code * 32 + letterCode(bytes[at]);
    this.at = at;
    return code;
  }

  /** Whether a comment that ends with the line begins here. */
  atComment(): boolean {
    return this.bytes[this.at] === HASH;
  }

  skipWord(): void {
    while (this.bytes[this.at] > SPACE) this.at++;
  }

  /** The next number of this line, in the precision of the scanner. Throws OPERATION_FAILED if it is missing or not finite. */
  coordinate(): number {
    if (!this.toWord()) throw this.refuse("a number is missing");
    const start = this.at;
    this.skipWord();
    const value = this.#parse(this.bytes, start, this.at);
    if (Number.isFinite(value)) return value;
    throw this.refuse(`${this.quote(start)} is not a finite number`);
  }

  /** The integer that starts here and ends at a blank or a slash; NaN if there is none. Moves to the end of its digits. */
  integer(): number {
    const { bytes } = this;
    const isNegative = bytes[this.at] === MINUS;
    const start = isNegative ? this.at + 1 : this.at;
    let at = start;
    let value = 0;
    for (; bytes[at] >= ZERO && bytes[at] <= NINE; at++) value = value * 10 + bytes[at] - ZERO;
    this.at = at;
    if (at === start || (bytes[at] > SPACE && bytes[at] !== SLASH)) return NaN;
    return isNegative ? -value : value;
  }

  /** The rest of the line without blanks around it, undefined if that is empty. Stays before the line end. */
  name(): string | undefined {
    if (!this.toWord()) return undefined;
    const start = this.at;
    while (this.bytes[this.at] !== LF && this.bytes[this.at] !== CR) this.at++;
    return new TextDecoder().decode(this.bytes.subarray(start, Math.min(this.at, start + MAX_NAME))).trim();
  }

  /** The text from `start` to here, shortened and in quotes. */
  quote(start: number): string {
    return JSON.stringify(String.fromCharCode(...this.bytes.subarray(start, Math.min(this.at, start + MAX_QUOTED))));
  }

  /** The error for a cause in a line, by default the current one. */
  refuse(why: string, line = this.line): ApiError {
    return readError(this.#source, `line ${line}: ${why}; export the model again`);
  }

  #passLineEnd(): void {
    if (this.bytes[this.at] === CR && this.bytes[this.at + 1] === LF) this.at++;
    this.at++;
    this.line++;
  }
}

/** 1 for A and a to 26 for Z and z; NaN for other characters. */
const letterCode = (byte: number): number => {
  const letter = (byte | 0x20) - 0x60;
  return letter >= 1 && letter <= 26 ? letter : NaN;
};

/** A number unique to each word of up to ten letters, regardless of case; NaN for a word with other characters. */
export const wordCode = (word: string): number =>
  word.split("").reduce((code, letter) => code * 32 + letterCode(letter.charCodeAt(0)), 0);

const BLOCK_BYTES = 1 << 20;
const MAX_LINE_BYTES = 1 << 26;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** Byte order marks of UTF-16, both byte orders. */
const WIDE_MARKS = [
  [0xfe, 0xff],
  [0xff, 0xfe],
];

/**
 * The text of a file in blocks of whole lines. Every block ends with a line end (LF, CR LF or CR); one is added to the
 * last block if it is missing. A line that ends with a backslash is in one block with the next line. A block is valid
 * until the next one is requested. Throws OPERATION_FAILED for a line over 64 MiB, and for UTF-16.
 */
export function* lineBlocks(source: FileSource, progress: Progress): Generator<Uint8Array> {
  let buffer = new Uint8Array(Math.min(BLOCK_BYTES, source.size) + 1);
  let filled = 0;
  for (let position = 0; position < source.size;) {
    const room = buffer.subarray(filled, Math.min(buffer.length - 1, filled + source.size - position));
    readExactly(source, room, position);
    const isFirst = position === 0;
    position += room.length;
    filled += room.length;
    if (position === source.size) buffer[filled++] = LF;
    const begins = (mark: readonly number[]): boolean => isFirst && mark.every((byte, i) => buffer[i] === byte);
    if (WIDE_MARKS.some(begins)) throw readError(source, "it is text in UTF-16; save it as UTF-8 or plain text");
    const start = begins(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
    const end = position === source.size ? filled : lastLineEnd(buffer, filled);
    if (end > start) yield buffer.subarray(start, end);
    else if (filled > MAX_LINE_BYTES) throw readError(source, "a line is over 64 MiB long; export the model again");
    const rest = buffer.subarray(end, filled);
    if (2 * rest.length > buffer.length) buffer = new Uint8Array(2 * buffer.length);
    buffer.set(rest);
    filled = rest.length;
    progress.report(position / source.size);
  }
}

/**
 * The position after the last line end without a backslash before it, 0 if there is none. A CR at the end of the bytes
 * does not count, because an LF may follow it.
 */
function lastLineEnd(bytes: Uint8Array, length: number): number {
  for (let at = length - 1; at >= 0; at--) {
    if (bytes[at] !== LF && (bytes[at] !== CR || at === length - 1)) continue;
    const before = at - 1 - (bytes[at] === LF && bytes[at - 1] === CR ? 1 : 0);
    if (bytes[before] !== BACKSLASH) return at + 1;
  }
  return 0;
}
