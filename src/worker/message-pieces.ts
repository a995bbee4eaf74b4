import type { Steps } from "../core/steps.ts";

/** Lists with at least this many objects are sent in pieces: copying such a list to another thread in one message takes too long. */
const LONG = 128;
/** Entries per piece; those with a mesh and an outline take up to 4 ms. */
const PIECE_ENTRIES = 128;
/** Depth to which long lists are searched: the models of the scenes of a document. */
const MAX_LEVELS = 4;

type Path = readonly (string | number)[];

/** An entry of a long list: its plain values, and the indices of its objects in the table. */
interface SplitObject {
  readonly plain: Readonly<Record<string, unknown>>;
  readonly objects: Readonly<Record<string, number>>;
}

/** Some entries of a long list, sent as one message. */
export interface Piece {
  /** Index of the list. */
  readonly list: number;
  readonly entries: readonly SplitObject[];
  /** Objects appended to the table. An object that several entries share is sent once, and is shared on the other side, too. */
  readonly table: readonly object[];
}

/** Last message of a value: the value with its long lists empty, and the paths of these lists. */
export interface Remainder {
  readonly value: unknown;
  readonly paths: readonly Path[];
}

/** Sends the long lists of a value to another thread, one piece per step. A value without long lists is its own remainder. */
export function* sendPieces(whole: unknown, send: (piece: Piece) => void): Steps<Remainder> {
  const lists: { readonly path: Path; readonly entries: readonly object[] }[] = [];
  const value = withoutLongLists(whole, [], (path, entries) => lists.push({ path, entries }));
  const places = new Map<object, number>();
  for (const [list, { entries }] of lists.entries()) {
    for (let from = 0; from < entries.length; from += PIECE_ENTRIES) {
      const table: object[] = [];
      const placeOf = (one: object): number => {
        const known = places.get(one);
        if (known !== undefined) return known;
        table.push(one);
        places.set(one, places.size);
        return places.size - 1;
      };
      const own = entries.slice(from, from + PIECE_ENTRIES);
      send({ list, entries: own.map((one) => splitObject(one, placeOf)), table });
      yield;
    }
  }
  return { value, paths: lists.map(({ path }) => path) };
}

function splitObject(one: object, placeOf: (value: object) => number): SplitObject {
  const [plain, objects]: [Record<string, unknown>, Record<string, number>] = [{}, {}];
  for (const [key, value] of Object.entries(one)) {
    if (typeof value === "object" && value !== null) objects[key] = placeOf(value);
    else plain[key] = value;
  }
  return { plain, objects };
}

/** The value with its long lists emptied. Returns the value itself if it has none, so that shared objects stay shared. */
function withoutLongLists(value: unknown, path: Path, take: (path: Path, entries: readonly object[]) => void): unknown {
  const isList = Array.isArray(value);
  if (path.length > MAX_LEVELS || !(isList || isPlain(value))) return value;
  if (isList && value.length >= LONG) {
    if (!value.every(isPlain)) return value;
    take(path, value);
    return [];
  }
  const changed = Object.entries(value).flatMap(([key, one]) => {
    const rest = withoutLongLists(one, [...path, isList ? Number(key) : key], take);
    return rest === one ? [] : [[key, rest] as const];
  });
  if (changed.length === 0) return value;
  return Object.assign(isList ? [...value] : { ...value }, Object.fromEntries(changed));
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Assembles the pieces of one value after the other on the receiving thread. */
export interface Assembly {
  add(piece: Piece): void;
  /** Returns the whole value. The assembly is empty afterwards. */
  finish(remainder: Remainder): unknown;
}

export function newAssembly(): Assembly {
  let table: object[] = [];
  let lists: object[][] = [];

  const fromEntry = ({ plain, objects }: SplitObject): object => {
    const entry: Record<string, unknown> = { ...plain };
    for (const [key, place] of Object.entries(objects)) entry[key] = table[place];
    return entry;
  };

  return {
    add(piece) {
      table.push(...piece.table);
      (lists[piece.list] ??= []).push(...piece.entries.map(fromEntry));
    },
    finish({ value, paths }) {
      const whole = paths.reduce((rest, path, list) => withListAt(rest, path, lists[list] ?? []), value);
      [table, lists] = [[], []];
      return whole;
    },
  };
}

function withListAt(value: unknown, [key, ...path]: Path, list: readonly object[]): unknown {
  if (key === undefined) return list;
  const inner = withListAt((value as Record<string | number, unknown>)[key], path, list);
  return Object.assign(Array.isArray(value) ? [...value] : { ...(value as object) }, { [key]: inner });
}
