import { Buffer } from "node:buffer";
import { NOWHERE, type StepInstances } from "./step-instances.ts";

/** Content of the text of a STEP file (ISO 10303-21), and its defects. */
export interface StepScan {
  readonly instances: StepInstances;
  /** References to ids that no instance has, in the order of the file. */
  readonly dangling: readonly Dangling[];
  /** Byte offsets of statements that do not follow the grammar. */
  readonly unreadable: readonly number[];
  /** Whether two instances with different texts have the same id. */
  readonly hasRepeatedIds: boolean;
  /** Whether the file has one data section and ends after it. */
  readonly isPlain: boolean;
}

export interface Dangling {
  /** The referring instance. */
  readonly by: number;
  readonly id: number;
}

const [HASH, QUOTE, SEMICOLON, SLASH, STAR, ZERO, NINE, OPEN, CLOSE, EQUALS, SPACE] = Buffer.from(
  "#';/*09()= ",
  "latin1",
);
/** Headers have some hundred bytes, and one line per author or schema. */
const MAX_HEADER_BYTES = 2 ** 16;
const HEADER = /^[^]*?\bENDSEC\s*;/;
const END = "END-ISO-10303-21";
/** Longest word that begins a section or ends the file; longest id. */
const MAX_WORD_BYTES = 32;
/**
 * The largest usual files have about as many instances, of 60 bytes with two references each; sets of the runtime can hold twice as many.
 */
const MAX_INSTANCES = 2 ** 23;
const MAX_REFERENCES = 2 ** 25;

/** Scans a file. Undefined if it has no header, or more instances or references than the largest usual file. */
export function scanStep({ buffer, byteOffset, byteLength }: Uint8Array): StepScan | undefined {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const header = HEADER.exec(bytes.toString("latin1", 0, MAX_HEADER_BYTES));
  const statements = header ? scanStatements(bytes, header[0].length) : undefined;
  if (!statements) return undefined;
  const { ids, from, to, starts, referred, unreadable, sections, isEnded } = statements;
  const { indices, hasRepeatedIds } = indexById(bytes, statements);
  const { references, dangling } = resolveReferences(statements, indices);
  return {
    instances: {
      bytes,
      ids: Uint32Array.from(ids),
      from: Uint32Array.from(from),
      to: Uint32Array.from(to),
      starts: Uint32Array.from([...starts, referred.length]),
      references,
    },
    dangling,
    unreadable,
    hasRepeatedIds,
    isPlain:
      isEnded &&
      sections.length === 1 &&
      /^DATA\s*;/.test(sections[0]) &&
      indices.size === ids.length &&
      ids.every((id) => id < NOWHERE),
  };
}

/** The statements after the header, before their references are resolved. */
interface Statements {
  /** Per instance: its id, the byte offsets of its text, and the index of its first reference in `referred`. */
  readonly ids: readonly number[];
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly starts: readonly number[];
  /** Ids in references. */
  readonly referred: readonly number[];
  readonly unreadable: readonly number[];
  /** Ids that are defined by a section of references to other files (edition 3). */
  readonly outside: ReadonlySet<number>;
  /** First bytes of the statement that begins each section. */
  readonly sections: readonly string[];
  readonly isEnded: boolean;
}

/** Reads all statements from byte `start` on. Undefined for too many. */
function scanStatements(bytes: Buffer, start: number): Statements | undefined {
  const [ids, from, to, starts, referred, unreadable]: number[][] = [[], [], [], [], [], []];
  const outside = new Set<number>();
  const sections: string[] = [];
  let section = "";
  let isEnded = false;
  for (let at = skipBlanks(bytes, start); at < bytes.length && !isEnded; at = skipBlanks(bytes, at)) {
    const begin = at;
    if (bytes[at] === HASH && (section === "" || section === "DATA")) {
      const first = referred.length;
      const { id, end, isSound } = scanInstance(bytes, at, referred);
      at = end;
      if (!isSound) unreadable.push(begin);
      if (id === undefined) referred.length = first;
      else {
        ids.push(id);
        from.push(begin);
        to.push(end);
        starts.push(first);
      }
      if (ids.length > MAX_INSTANCES || referred.length > MAX_REFERENCES) return undefined;
      continue;
    }
    at = endOfStatement(bytes, at);
    const text = bytes.toString("latin1", begin, Math.min(at, begin + MAX_WORD_BYTES));
    const [word = ""] = /^[A-Z][-A-Z\d]*/.exec(text) ?? [];
    if (word === "ENDSEC") section = "";
    else if (word === END) isEnded = true;
    else if (section === "") {
      section = word;
      sections.push(text);
    } else if (section === "REFERENCE" && bytes[begin] === HASH) outside.add(Number(/^#(\d+)/.exec(text)?.[1]));
    else if (section === "DATA") unreadable.push(begin);
  }
  return { ids, from, to, starts, referred, unreadable, outside, sections, isEnded };
}

/** The first instance of each id, and whether an id occurs again with another text. */
function indexById(
  bytes: Buffer,
  { ids, from, to }: Statements,
): { readonly indices: ReadonlyMap<number, number>; readonly hasRepeatedIds: boolean } {
  const indices = new Map<number, number>();
  let hasRepeatedIds = false;
  for (const [i, id] of ids.entries()) {
    const before = indices.get(id);
    if (before === undefined) indices.set(id, i);
    else hasRepeatedIds ||= bytes.compare(bytes, from[i], to[i], from[before], to[before]) !== 0;
  }
  return { indices, hasRepeatedIds };
}

/** The instance to which each reference leads, and the references without one. */
function resolveReferences(
  { starts, referred, outside }: Statements,
  indices: ReadonlyMap<number, number>,
): { readonly references: Uint32Array<ArrayBuffer>; readonly dangling: readonly Dangling[] } {
  const dangling: Dangling[] = [];
  const references = new Uint32Array(referred.length);
  for (let i = 0, k = 0; k < referred.length; k++) {
    while (starts[i + 1] <= k) i++;
    references[k] = indices.get(referred[k]) ?? NOWHERE;
    if (references[k] === NOWHERE && !outside.has(referred[k])) dangling.push({ by: i, id: referred[k] });
  }
  return { references, dangling };
}

/**
 * The instances of a file. Undefined if it has several data sections, a repeated id or a missing one, or more instances than a usual
 * file.
 */
export function stepInstances(file: Uint8Array): StepInstances | undefined {
  const scan = scanStep(file);
  const isSound = scan?.isPlain && scan.dangling.length + scan.unreadable.length === 0;
  return isSound ? scan.instances : undefined;
}

interface ScannedInstance {
  /** Absent if the statement has none. */
  readonly id?: number;
  /** Byte offset after its semicolon, or of the next instance if that begins in the middle of it. */
  readonly end: number;
  readonly isSound: boolean;
}

/** Reads the statement that begins at a `#`, and adds the ids that it refers to. */
function scanInstance(bytes: Buffer, start: number, referred: number[]): ScannedInstance {
  const [id, behind] = numberAt(bytes, start + 1);
  let at = skipBlanks(bytes, behind);
  if (behind === start + 1 || bytes[at] !== EQUALS) return { end: endOfStatement(bytes, at), isSound: false };
  let depth = 0;
  let isSound = true;
  let hasValues = false;
  for (at++; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === HASH) {
      const [number, next] = numberAt(bytes, at + 1);
      // The end of this statement is missing.
      if (bytes[skipBlanks(bytes, next)] === EQUALS) return { id, end: at, isSound: false };
      referred.push(number);
      at = next - 1;
    } else if (byte === QUOTE) at = closingQuote(bytes, at);
    else if (byte === OPEN) {
      depth++;
      hasValues = true;
    } else if (byte === CLOSE) isSound &&= --depth >= 0;
    else if (byte === SLASH && bytes[at + 1] === STAR) at = endOfComment(bytes, at) - 1;
    else if (byte === SEMICOLON) return { id, end: at + 1, isSound: isSound && hasValues && depth === 0 };
  }
  return { id, end: bytes.length, isSound: false };
}

/** The whole number at an offset, and the offset after it. */
function numberAt(bytes: Buffer, start: number): [value: number, end: number] {
  let value = 0;
  let at = start;
  for (; bytes[at] >= ZERO && bytes[at] <= NINE; at++) value = 10 * value + bytes[at] - ZERO;
  return [value, at];
}

/** The first offset from `at` on after blanks and comments. */
function skipBlanks(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length) {
    if (bytes[at] <= SPACE) at++;
    else if (bytes[at] === SLASH && bytes[at + 1] === STAR) at = endOfComment(bytes, at);
    else break;
  }
  return at;
}

function endOfComment(bytes: Buffer, start: number): number {
  const end = bytes.indexOf("*/", start + 2);
  return end < 0 ? bytes.length : end + 2;
}

/** Offset of the quote that ends a text. A quote inside a text is written twice, which reads as if another text followed. */
function closingQuote(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(QUOTE, start + 1);
  return end < 0 ? bytes.length : end;
}

function endOfStatement(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) at = closingQuote(bytes, at);
    else if (bytes[at] === SLASH && bytes[at + 1] === STAR) at = endOfComment(bytes, at) - 1;
    else if (bytes[at] === SEMICOLON) return at + 1;
  }
  return bytes.length;
}
