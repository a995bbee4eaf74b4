import type { ErrorFactory } from "../../core/api-error.ts";

/** The scalars of PLY by both of their names, with their bytes (G. Turk, "The PLY Polygon File Format", 1994; Rply). */
const SCALARS: Readonly<Record<string, ScalarType>> = {
  char: "int8",
  int8: "int8",
  uchar: "uint8",
  uint8: "uint8",
  short: "int16",
  int16: "int16",
  ushort: "uint16",
  uint16: "uint16",
  int: "int32",
  int32: "int32",
  uint: "uint32",
  uint32: "uint32",
  float: "float32",
  float32: "float32",
  double: "float64",
  float64: "float64",
};

export type ScalarType = "int8" | "uint8" | "int16" | "uint16" | "int32" | "uint32" | "float32" | "float64";
export type Encoding = "ascii" | "binary_little_endian" | "binary_big_endian";

export interface PlyProperty {
  readonly name: string;
  /** Type of the value, or of the items of a list. */
  readonly type: ScalarType;
  /** Type of the number of items; undefined if the property is no list. */
  readonly countType: ScalarType | undefined;
}

export interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: readonly PlyProperty[];
}

export interface PlyHeader {
  readonly encoding: Encoding;
  readonly elements: readonly PlyElement[];
  /** Bytes and lines of the header. */
  readonly bytes: number;
  readonly lines: number;
}

/** Parses the header of a PLY file from its first bytes. Throws the error of `refuse`. */
export function readPlyHeader(start: Uint8Array, refuse: ErrorFactory): PlyHeader {
  const text = new TextDecoder("latin1").decode(start);
  if (!/^ply\s/.test(text)) throw refuse("it is no PLY file; export the model again");
  const [end] = /(?:^|[\r\n])end_header(?:\r\n|\r|\n)/.exec(text) ?? [];
  if (end === undefined)
    throw refuse("its header has no end; it was cut short, or is no PLY file; export the model again");
  const bytes = text.indexOf(end) + end.length;
  const lines = text.slice(0, bytes).split(/\r\n|\r|\n/);
  let encoding: Encoding | undefined;
  const elements: { name: string; count: number; properties: PlyProperty[] }[] = [];
  for (const [i, line] of lines.entries()) {
    const wrong = (): Error =>
      refuse(
        `line ${i + 1} of its header, ${JSON.stringify(line.slice(0, 40))}, has no meaning; export the model again`,
      );
    const [word, ...words] = line.trim().split(/\s+/);
    if (word === "format") {
      if (!/^(?:ascii|binary_little_endian|binary_big_endian)$/.test(words[0] ?? "")) throw wrong();
      encoding = words[0] as Encoding;
    } else if (word === "element") {
      const count = Number(words[1]);
      if (!Number.isSafeInteger(count) || count < 0) throw wrong();
      elements.push({ name: words[0], count, properties: [] });
    } else if (word === "property") {
      const property = propertyOf(words);
      if (!property || elements.length === 0) throw wrong();
      elements.at(-1)!.properties.push(property);
    }
  }
  if (!encoding) throw refuse("its header does not state how numbers are stored; export the model again");
  return { encoding, elements, bytes, lines: lines.length - 1 };
}

function propertyOf(words: readonly string[]): PlyProperty | undefined {
  const isList = words[0] === "list";
  const [countType, type, name] = isList
    ? [SCALARS[words[1]], SCALARS[words[2]], words[3]]
    : [undefined, SCALARS[words[0]], words[1]];
  if (!type || name === undefined || (isList && !countType)) return undefined;
  return { name, type, countType };
}
