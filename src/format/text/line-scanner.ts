import type { Fault } from "../../core/fault.ts";
import type { Source } from "../source.ts";
import { unreadable } from "../source.ts";
import { scanSingle } from "./single.ts";

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const MINUS = 0x2d;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;
/** Bytes of the file that a fault or a part's name repeats at the most. */
const MAX_QUOTED = 40;
const MAX_NAME = 256;

/** Reads words and numbers of a block of whole lines, and counts the lines of the file. */
export class LineScanner {
  /** Number of the present line, from 1. */
  line = 1;
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  private readonly source: Source;

  constructor(source: Source) {
    this.source = source;
  }

  open(block: Uint8Array): void {
    this.bytes = block;
    this.at = 0;
  }

  atBlockEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** Goes to the next word of the line, also over a line end that a backslash takes back; false if there is none. */
  toWord(): boolean {
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte > SPACE && byte !== BACKSLASH) return true;
      if (byte === LF || byte === CR || this.at >= this.bytes.length) return false;
      if (byte === BACKSLASH) {
        const next = this.bytes[this.at + 1];
        if ((next !== LF && next !== CR) || this.at + 2 >= this.bytes.length) return true;
        this.at++;
        this.passLineEnd();
      } else this.at++;
    }
  }

  /** Goes to the start of the next line. */
  toNextLine(): void {
    const { bytes } = this;
    for (;;) {
      let at = this.at;
      while (bytes[at] !== LF && bytes[at] !== CR && at < bytes.length) at++;
      const continues = bytes[at - 1] === BACKSLASH && at > this.at;
      this.at = at;
      this.passLineEnd();
      if (!continues || this.atBlockEnd()) return;
    }
  }

  /** The code, as of {@link wordCode}, of the word that starts here; goes behind it. */
  word(): number {
    const { bytes } = this;
    let at = this.at;
    let code = 0;
    for (; bytes[at] > SPACE; at++) code = code * 32 + letterCode(bytes[at]);
    this.at = at;
    return code;
  }

  skipWord(): void {
    while (this.bytes[this.at] > SPACE) this.at++;
  }

  /** The next number of this line, in single precision. Throws OPERATION_FAILED if there is no finite one. */
  single(): number {
    if (!this.toWord()) throw this.refuse("a number is missing");
    const start = this.at;
    this.skipWord();
    const value = scanSingle(this.bytes, start, this.at);
    if (Number.isFinite(value)) return value;
    throw this.refuse(`${this.quote(start)} is not a finite number`);
  }

  /** The whole number that starts here and ends at a blank or a slash; NaN if there is none. Goes behind its digits. */
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

  /** The rest of the line without blanks around it, undefined if nothing is left. Stays before the line end. */
  name(): string | undefined {
    if (!this.toWord()) return undefined;
    const start = this.at;
    while (this.bytes[this.at] !== LF && this.bytes[this.at] !== CR) this.at++;
    return new TextDecoder().decode(this.bytes.subarray(start, Math.min(this.at, start + MAX_NAME))).trim();
  }

  /** The text from `start` to here, shortened. */
  quote(start: number): string {
    return JSON.stringify(String.fromCharCode(...this.bytes.subarray(start, Math.min(this.at, start + MAX_QUOTED))));
  }

  /** The fault for what stands in a line, the present one unless told. */
  refuse(why: string, line = this.line): Fault {
    return unreadable(this.source, `line ${line}: ${why}; export the model again`);
  }

  private passLineEnd(): void {
    if (this.bytes[this.at] === CR && this.bytes[this.at + 1] === LF) this.at++;
    this.at++;
    this.line++;
  }
}

/** Bits of a letter without its case: A and a are 1, Z and z are 26. */
const letterCode = (byte: number): number => {
  const letter = (byte | 0x20) - 0x60;
  return letter >= 1 && letter <= 26 ? letter : NaN;
};

/** A number that tells words of up to ten letters apart, whatever their case; NaN for any other characters in them. */
export const wordCode = (word: string): number =>
  word.split("").reduce((code, letter) => code * 32 + letterCode(letter.charCodeAt(0)), 0);
