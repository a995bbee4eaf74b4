import { scanJson } from "./scan-json.ts";

/** Deepest nesting of a print setting's document, which is traversed recursively. */
export const MAX_DOCUMENT_DEPTH = 64;

/** Maximum number of objects and arrays in one document. Each model of a project has three. */
const MAX_CONTAINERS = 2_000_000;

/**
 * Parses JSON in UTF-8 from a file. Throws SyntaxError or TypeError if it is malformed. Throws RangeError, before parsing, if it nests
 * deeper than `maxDepth` or has too many objects: for 60 MB of open brackets the parser would take seconds and gigabytes.
 */
export function parseJson(bytes: Uint8Array, maxDepth: number): unknown {
  const scan = scanJson(bytes, { depth: maxDepth, containers: MAX_CONTAINERS });
  while (!scan.next().done);
  return decodeJson(bytes);
}

/** Parses JSON in UTF-8 that was scanned for its limits before. Throws SyntaxError or TypeError where it is malformed. */
export const decodeJson = (bytes: Uint8Array): unknown =>
  JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));

/** Whether a parsed JSON value is an object: neither an array nor null. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `someKeyMm` as `some_key_mm`. */
export type SnakeCase<Key extends string> = Key extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : Key;

/** `some_key_mm` as `someKeyMm`. */
export type CamelCase<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Key;

/** The record with its keys in snake case, as in requests and responses. */
export const snakeKeys = <T extends object>(record: T) =>
  renameKeys(record, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) as {
    [Key in keyof T & string as SnakeCase<Key>]: T[Key];
  };

/** The record with its keys in camel case, as in the code. */
export const camelKeys = <T extends object>(record: T) =>
  renameKeys(record, (key) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())) as {
    [Key in keyof T & string as CamelCase<Key>]: T[Key];
  };

const renameKeys = (record: object, rename: (key: string) => string): unknown =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [rename(key), value]));
