import { Buffer } from "node:buffer";
import { constants, crc32, deflateRawSync } from "node:zlib";
import { must } from "../core/must.ts";

/** One file of a zip archive. */
export interface ZipEntry {
  /** Path inside the archive, with forward slashes; no two entries share one. At most 65,535 bytes of UTF-8. */
  readonly name: string;
  /** The content, in order. */
  readonly pieces: readonly Uint8Array[];
  /** Deflated instead of stored: for text, not for compressed data. */
  readonly compress?: boolean;
}

/** The packed content of an entry. Plain data, so that another thread can pack it. */
export interface PackedContent {
  readonly method: 0 | 8;
  readonly pieces: readonly Uint8Array[];
  /** CRC-32 and size in bytes of the unpacked content. */
  readonly crc: number;
  readonly size: number;
}

/** Largest chunk of a piece: the consumer can report progress and cancel between chunks. */
const SLICE_BYTES = 16 * 2 ** 20;

// Signatures, versions and layouts: PKWARE APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12, 4.3.14 to 4.3.16 and 4.5.3.
const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const ZIP64_END = 0x06064b50;
const ZIP64_LOCATOR = 0x07064b50;
const END = 0x06054b50;
const UTF8_NAMES = 1 << 11;
const STORED = 0;
const DEFLATED = 8;
/** 1 January 1980, midnight: equal entries give equal bytes at any time. */
const DOS_TIME = 0;
const DOS_DATE = 0x0021;
const VERSION = 20;
const VERSION_ZIP64 = 45;
const ZIP64_EXTRA_ID = 1;
/** A field with all bits set refers to the zip64 record. */
const FULL_16 = 0xffff;
const FULL_32 = 0xffff_ffff;

/** The bytes of a zip archive with these entries, in order. */
export function* zipChunks(entries: Iterable<ZipEntry>): Generator<Uint8Array> {
  const zip = new ZipWriter();
  for (const entry of entries) yield* zip.add(entry);
  yield* zip.end();
}

/**
 * Encodes a zip archive entry by entry: the caller writes all chunks of each `add`, then those of `end`. Stored pieces
 * are passed on without a copy. Sizes and checksums precede the data, so that readers need not seek; zip64 records are
 * written only from 4 GiB or 65,535 entries on. Not fflate's writer, which copies entries and has no zip64.
 */
export class ZipWriter {
  readonly #records: EntryRecord[] = [];
  #offset = 0;

  /** Local header and data. */
  add({ name, pieces, compress = false }: ZipEntry): Generator<Uint8Array> {
    return this.addPacked(name, compress ? deflated(pieces) : stored(pieces));
  }

  /** As {@link add}, for content that is already packed. */
  *addPacked(name: string, { method, pieces, crc, size }: PackedContent): Generator<Uint8Array> {
    const record: EntryRecord = {
      name: new TextEncoder().encode(name),
      method,
      crc,
      size,
      packedSize: byteLength(pieces),
      offset: this.#offset,
    };
    const header = localHeader(record);
    this.#records.push(record);
    this.#offset += header.length + record.packedSize;
    yield header;
    for (const piece of pieces) yield* slices(piece);
  }

  /**
   * The bytes that replace the first ones of the archive so that its first entries get other contents, for formats that begin with totals.
   * Names and packed sizes are those of the entries that were added.
   */
  replaceFirst(entries: readonly (readonly [name: string, content: PackedContent])[]): Uint8Array {
    const again = new ZipWriter();
    const bytes = Buffer.concat(entries.flatMap(([name, content]) => [...again.addPacked(name, content)]));
    for (const [k, { offset, packedSize }] of again.#records.entries()) {
      const { offset: offsetBefore, packedSize: sizeBefore } = must(this.#records[k], "An entry that was added");
      if (offset !== offsetBefore || packedSize !== sizeBefore)
        throw new TypeError("An entry of an archive got another size.");
    }
    this.#records.splice(0, entries.length, ...again.#records);
    return bytes;
  }

  /** The central directory. */
  *end(): Generator<Uint8Array> {
    const directory = Buffer.concat(this.#records.map(centralHeader));
    yield directory;
    yield endRecords(this.#records.length, directory.length, this.#offset);
  }
}

/** The content without compression. */
export const stored = (pieces: readonly Uint8Array[]): PackedContent => ({
  method: STORED,
  pieces,
  crc: crcOf(pieces),
  size: byteLength(pieces),
});

/** The content deflated with a `level` of zlib: 1 the fastest, 9 the smallest. */
export const deflated = (pieces: readonly Uint8Array[], level = 6): PackedContent => ({
  method: DEFLATED,
  pieces: [deflateRawSync(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces), { level })],
  crc: crcOf(pieces),
  size: byteLength(pieces),
});

/**
 * The content deflated with a `level` of zlib, chunk by chunk, so that a text of gigabytes is never in memory as a whole. A chunk may
 * reuse the memory of the previous one.
 */
export function deflatedInChunks(chunks: Iterable<Uint8Array>, level: number): PackedContent {
  const pieces: Uint8Array[] = [];
  let crc = 0;
  let size = 0;
  for (const chunk of chunks) {
    pieces.push(deflateRawSync(chunk, { level, finishFlush: constants.Z_SYNC_FLUSH }));
    crc = crc32(chunk, crc);
    size += chunk.length;
  }
  // An empty last block ends the stream.
  pieces.push(deflateRawSync(new Uint8Array()));
  return { method: DEFLATED, pieces, crc, size };
}

const crcOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, piece) => crc32(piece, sum), 0);

const byteLength = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, piece) => sum + piece.length, 0);

function* slices(piece: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < piece.length; at += SLICE_BYTES) yield piece.subarray(at, at + SLICE_BYTES);
}

interface EntryRecord {
  readonly name: Uint8Array;
  readonly method: number;
  readonly crc: number;
  readonly size: number;
  readonly packedSize: number;
  readonly offset: number;
}

const isLarge = ({ size, packedSize }: EntryRecord): boolean => Math.max(size, packedSize) >= FULL_32;

function localHeader(record: EntryRecord): Uint8Array {
  const extra = zip64Extra(isLarge(record) ? [record.size, record.packedSize] : []);
  return Buffer.concat([fields([LOCAL_HEADER, 4], ...sharedFields(record, extra)), record.name, extra]);
}

function centralHeader(record: EntryRecord): Uint8Array {
  const { name, size, packedSize, offset } = record;
  const isFar = offset >= FULL_32;
  const extra = zip64Extra([...(isLarge(record) ? [size, packedSize] : []), ...(isFar ? [offset] : [])]);
  const start = fields(
    [CENTRAL_HEADER, 4],
    [versionFor(extra), 2],
    ...sharedFields(record, extra),
    [0, 2], // comment length
    [0, 2], // disk number
    [0, 2], // internal attributes
    [0, 4], // external attributes
    [isFar ? FULL_32 : offset, 4],
  );
  return Buffer.concat([start, name, extra]);
}

/** The fields that local and central headers have in common. */
const sharedFields = (record: EntryRecord, extra: Uint8Array): Field[] => [
  [versionFor(extra), 2],
  [UTF8_NAMES, 2],
  [record.method, 2],
  [DOS_TIME, 2],
  [DOS_DATE, 2],
  [record.crc, 4],
  [isLarge(record) ? FULL_32 : record.packedSize, 4],
  [isLarge(record) ? FULL_32 : record.size, 4],
  [record.name.length, 2],
  [extra.length, 2],
];

const versionFor = (extra: Uint8Array): number => (extra.length > 0 ? VERSION_ZIP64 : VERSION);

/** The extra field with the values that do not fit into their 32-bit fields; empty if all do. */
function zip64Extra(values: readonly number[]): Uint8Array {
  if (values.length === 0) return new Uint8Array();
  return fields([ZIP64_EXTRA_ID, 2], [8 * values.length, 2], ...values.map((value): Field => [value, 8]));
}

function endRecords(count: number, size: number, offset: number): Uint8Array {
  const needsZip64 = count >= FULL_16 || size >= FULL_32 || offset >= FULL_32;
  const end = fields(
    [END, 4],
    [0, 2], // this disk
    [0, 2], // disk of the central directory
    [Math.min(count, FULL_16), 2],
    [Math.min(count, FULL_16), 2],
    [Math.min(size, FULL_32), 4],
    [Math.min(offset, FULL_32), 4],
    [0, 2], // comment length
  );
  if (!needsZip64) return end;
  const zip64 = fields(
    [ZIP64_END, 4],
    [44, 8], // bytes that follow
    [VERSION_ZIP64, 2],
    [VERSION_ZIP64, 2],
    [0, 4], // this disk
    [0, 4], // disk of the central directory
    [count, 8],
    [count, 8],
    [size, 8],
    [offset, 8],
    [ZIP64_LOCATOR, 4],
    [0, 4], // disk of the zip64 end record
    [offset + size, 8],
    [1, 4], // disks
  );
  return Buffer.concat([zip64, end]);
}

type Field = readonly [value: number, bytes: 2 | 4 | 8];

/** A record of little-endian numbers, each below 2⁴⁸. */
function fields(...list: Field[]): Uint8Array {
  const record = Buffer.alloc(list.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of list) {
    record.writeUIntLE(value, at, Math.min(bytes, 6));
    at += bytes;
  }
  return record;
}
