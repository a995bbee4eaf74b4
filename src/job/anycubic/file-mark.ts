import { ByteReader } from "../../codec/byte-reader.ts";
import { type FileSource, readError, readRange } from "../../codec/file-source.ts";
import type { ErrorFactory } from "../../core/api-error.ts";

/** What the mark of a file has addresses of, in their order, each with the first version that has it. Some are of tables that come with a later version. */
const ADDRESSES = [
  ["HEADER", 1],
  ["SOFTWARE", 1],
  ["PREVIEW", 1],
  ["COLOURS", 1],
  ["LAYERDEF", 1],
  ["EXTRA", 1],
  ["MACHINE", 516],
  ["IMAGES", 1],
  ["MODEL", 517],
  ["SUBIMGS", 518],
  ["PREVIEW2", 518],
] as const;

/** Tables, by the names that most of them begin with, and the pictures of the layers. */
export type TableName = (typeof ADDRESSES)[number][0];

/** The names of the addresses in the mark of a version, in their order. */
export const addressNames = (version: number): TableName[] =>
  ADDRESSES.filter(([, since]) => version >= since).map(([name]) => name);

export const MARK = "ANYCUBIC";
/** The mark without its addresses. */
export const MARK_BYTES = 20;
/** Name and length of a table. */
const TABLE_HEAD_BYTES = 16;
/** The versions that are read. */
export const VERSIONS: readonly number[] = [1, 515, 516, 517, 518];

/** Text up to its first zero. */
export const zeroEnded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replace(/\0.*$/s, "");

/** The tables of a file, found by the addresses in its mark. */
export class FileTables {
  readonly version: number;
  readonly #source: FileSource;
  readonly #refuse: ErrorFactory;
  readonly #addresses: ReadonlyMap<TableName, number>;

  /** Throws OPERATION_FAILED for a version that is not known. */
  constructor(source: FileSource) {
    this.#source = source;
    this.#refuse = (why) => readError(source, why);
    this.version = new ByteReader(readRange(source, 0, MARK_BYTES), this.#refuse, MARK.length + 4).u32();
    if (!VERSIONS.includes(this.version)) {
      throw this.#refuse(
        `it is of version ${this.version}; versions 1 and 515 to 518 are read: save it as one of these`,
      );
    }
    const names = addressNames(this.version);
    const from = new ByteReader(readRange(source, MARK_BYTES, 4 * names.length), this.#refuse);
    this.#addresses = new Map(names.map((name) => [name, from.u32()]));
  }

  /** Address of a table; 0 if the file lacks it. */
  at(name: TableName): number {
    return this.#addresses.get(name) ?? 0;
  }

  /** Address of what follows the name and the length of a table. Throws OPERATION_FAILED if the table is not where the mark says. */
  bodyAt(name: TableName): number {
    const at = this.at(name);
    if (zeroEnded(readRange(this.#source, at, TABLE_HEAD_BYTES).subarray(0, 12)) === name) return at + TABLE_HEAD_BYTES;
    throw this.#refuse(`it has no table ${name} where it says: it is damaged; take another copy of it`);
  }

  /** The bytes from an address on. */
  bytes(at: number, length: number): ByteReader {
    return new ByteReader(readRange(this.#source, at, length), this.#refuse);
  }
}
