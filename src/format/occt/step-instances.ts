import { Buffer } from "node:buffer";

/** The instances of a STEP file, by their order in it. */
export interface StepInstances {
  readonly bytes: Buffer;
  /** The numbers by which they are referred to, `12` of `#12`. */
  readonly ids: Uint32Array;
  /** From the `#` of each instance to behind its semicolon. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** What instance `i` refers to: `references` from `starts[i]` to `starts[i + 1]`, in the order of its text. */
  readonly starts: Uint32Array;
  readonly references: Uint32Array;
}

const [HASH, QUOTE, SEMICOLON, SLASH, STAR, ZERO, NINE] = Buffer.from("#';/*09", "latin1");
const MAX_ID = 2 ** 32 - 1;
/** Files of the largest size have about as many, of 60 bytes each with two references; sets of the runtime hold twice as many. */
const MAX_INSTANCES = 2 ** 23;
const MAX_REFERENCES = 2 ** 25;

/**
 * What the instances of an exchange structure (ISO 10303-21) refer to. Undefined where it has several sections of data, an id twice, or one
 * that is not there, and for more instances than a file of usual ones can hold.
 */
export function stepInstances({ buffer, byteOffset, byteLength }: Uint8Array): StepInstances | undefined {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const data = DATA.exec(bytes.toString("latin1", 0, MAX_HEADER_BYTES));
  if (!data) return undefined;
  const [ids, from, to, starts, referred]: number[][] = [[], [], [], [], []];
  let begin = -1;
  let at = data.index + data[0].length;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = bytes.indexOf(QUOTE, at + 1);
      if (at < 0) return undefined;
    } else if (byte === SLASH && bytes[at + 1] === STAR) {
      at = bytes.indexOf("*/", at + 2) + 1;
      if (at <= 0) return undefined;
    } else if (byte === HASH) {
      const first = at;
      let id = 0;
      while (bytes[at + 1] >= ZERO && bytes[at + 1] <= NINE) id = 10 * id + bytes[++at] - ZERO;
      if (id > MAX_ID || ids.length === MAX_INSTANCES || referred.length === MAX_REFERENCES) return undefined;
      if (begin < 0) {
        begin = first;
        ids.push(id);
        starts.push(referred.length);
      } else referred.push(id);
    } else if (byte === SEMICOLON) {
      // The word that ends the section has no id.
      if (begin < 0) break;
      from.push(begin);
      to.push(at + 1);
      begin = -1;
    }
  }
  const end = to.at(-1) ?? 0;
  if (begin >= 0 || !END.test(bytes.toString("latin1", end, end + MAX_END_BYTES))) return undefined;
  const indices = new Map(ids.map((id, i) => [id, i]));
  if (indices.size < ids.length) return undefined;
  const references = Uint32Array.from(referred, (id) => indices.get(id) ?? MAX_ID);
  if (references.includes(MAX_ID)) return undefined;
  return {
    bytes,
    ids: Uint32Array.from(ids),
    from: Uint32Array.from(from),
    to: Uint32Array.from(to),
    starts: Uint32Array.from([...starts, referred.length]),
    references,
  };
}

/** Headers have some hundred bytes, and a line for each author or schema. */
const MAX_HEADER_BYTES = 2 ** 16;
/** Some programs sign the file between its sections. */
const DATA = /\bENDSEC\s*;(?:\s|\/\*[^]*?\*\/)*DATA\s*;/;
const MAX_END_BYTES = 2 ** 10;
const END = /^\s*ENDSEC\s*;\s*END-ISO-10303-21\s*;\s*$/;

/** Longest keyword of the standard's schemas, with an id in front. */
const MAX_KEYWORD_BYTES = 160;

/** The keyword of an instance; empty for a complex one. */
export function keywordAt({ bytes, from, to }: StepInstances, i: number): string {
  const start = bytes.toString("latin1", from[i], Math.min(to[i], from[i] + MAX_KEYWORD_BYTES));
  return /^#\d+\s*=\s*(\w+)/.exec(start)?.[1] ?? "";
}

/** What an instance refers to, in the order of its text. */
export const referencesOf = ({ starts, references }: StepInstances, i: number): Uint32Array =>
  references.subarray(starts[i], starts[i + 1]);

/** The instances that some refer to, directly or not, with them; those that `isEnd` holds for are not looked into. */
export function reachable(
  instances: StepInstances,
  some: Iterable<number>,
  isEnd: (i: number) => boolean = () => false,
): Set<number> {
  const reached = new Set<number>();
  const open = [...some];
  for (let i = open.pop(); i !== undefined; i = open.pop()) {
    if (reached.has(i)) continue;
    reached.add(i);
    if (!isEnd(i)) open.push(...referencesOf(instances, i));
  }
  return reached;
}
