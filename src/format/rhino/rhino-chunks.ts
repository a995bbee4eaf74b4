import { Buffer } from "node:buffer";

/** "3D Geometry File Format " and the version in eight columns (openNURBS, `ON_BinaryArchive::Read3dmStartSection`). */
const MAGIC = "3D Geometry File Format ";
const HEADER_BYTES = 32;

/** First version with lengths of eight bytes; those before have four. */
const FIRST_LONG_VERSION = 50;
/** Files of the first version have no tables. */
const FIRST_VERSION = 1;

/** Chunk types (openNURBS, `opennurbs_3dm.h`): the comment, the tables, and the end. */
const COMMENT = 0x0000_0001;
const TABLE = 0x1000_0000;
const TABLE_MASK = 0xffff_0000;
const OBJECT_TABLE = 0x1000_0013;
const OBJECT_RECORD = 0x2000_8070;
const END_OF_FILE = 0x0000_7fff;
/** Chunks of these types have a value in place of a length. */
const SHORT = 0x8000_0000;

/** Whether bytes begin as Rhino's files do. */
export const isRhinoFile = (bytes: Uint8Array): boolean =>
  new TextDecoder("latin1").decode(bytes.subarray(0, MAGIC.length)) === MAGIC;

/**
 * Whether the tables of a file follow one another to its end. In a file without such tables the library searches for them, which takes
 * 15 s for ten kilobytes and would take hours for a megabyte.
 */
export function hasWholeTables(bytes: Uint8Array): boolean {
  if (versionOf(bytes) === FIRST_VERSION) return true;
  for (const { type } of chunks(bytes, HEADER_BYTES, bytes.length)) {
    if (type === END_OF_FILE) return true;
    if (type !== COMMENT && (type & TABLE_MASK) >>> 0 !== TABLE) return false;
  }
  return false;
}

/** Number of objects in a file with {@link hasWholeTables}: the library skips those that it cannot read. */
export function objectRecords(bytes: Uint8Array): number {
  let records = 0;
  if (versionOf(bytes) === FIRST_VERSION) return records;
  for (const { type, from, to } of chunks(bytes, HEADER_BYTES, bytes.length)) {
    if (type === END_OF_FILE) break;
    if (type !== OBJECT_TABLE) continue;
    for (const record of chunks(bytes, from, to)) if (record.type === OBJECT_RECORD) records++;
  }
  return records;
}

const versionOf = (bytes: Uint8Array): number =>
  Number(new TextDecoder("latin1").decode(bytes.subarray(MAGIC.length, HEADER_BYTES)));

interface Chunk {
  readonly type: number;
  /** Offset of its content. */
  readonly from: number;
  readonly to: number;
}

/** The chunks that follow one another in a range of a file, up to one with a negative length. */
function* chunks(bytes: Uint8Array, from: number, to: number): Generator<Chunk> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lengthBytes = versionOf(bytes) >= FIRST_LONG_VERSION ? 8 : 4;
  for (let at = from; at + 4 + lengthBytes <= to;) {
    const type = view.getUint32(at, true);
    const value = lengthBytes === 8 ? Number(view.getBigInt64(at + 4, true)) : view.getInt32(at + 4, true);
    const length = type >= SHORT ? 0 : value;
    if (length < 0) return;
    at += 4 + lengthBytes + length;
    yield { type, from: at - length, to: at };
  }
}

/** Ids of the classes `ON_Brep` and `ON_Extrusion` (openNURBS, `ON_OBJECT_IMPLEMENT`), as files have them. */
const SOLID_CLASSES = ["c5dbb56060e6d311bfe40010830122f0", "7531f536b872474dbf1fb4e6fc24f4b9"].map((hex) =>
  Buffer.from(hex, "hex"),
);

/** Whether a file may hold Breps or extrusions: it contains the ids of their classes. */
export function namesSolids(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return SOLID_CLASSES.some((id) => buffer.includes(id));
}
