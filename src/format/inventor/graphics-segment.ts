import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import type { ErrorFactory } from "../../core/api-error.ts";
import { ByteReader } from "../byte-reader.ts";
import type { CompoundStream } from "../compound-file.ts";

// Segments of an Inventor part: a stream M… that describes the records, and a stream B… that holds them. Decoded from files of Inventor 2017;
// their layout is that of InventorLoader's notes.

const SEGMENT = "PmGraphicsSegment";
const DESCRIPTION = /(^|\/)RSeStorage\/M(\w+)$/;
/** Records of this type have the fine mesh of a face. Others have coarse meshes of the same faces. */
const FINE_FACE_TYPE = "f3d39ad77547afda0ca83a8b8b4c69c0";

/** Bytes of an entry in the four lists of a description: lengths of records, two that are not needed, types of records. */
const ENTRY_BYTES = [4, 10, 28, 28] as const;
const TYPE_ID_BYTES = 16;
/** Of the length of a record: it is stored in this segment. */
const STORED = 0x8000_0000;

/** The records of the fine meshes of faces; undefined where there is no segment with graphics. */
export function faceRecords(
  streams: readonly CompoundStream[],
  claim: (size: number) => void,
  refuse: ErrorFactory,
): Buffer[] | undefined {
  for (const { path, read } of streams) {
    const [, before = "", token] = DESCRIPTION.exec(path) ?? [];
    if (token === undefined) continue;
    const description = new ByteReader(read(), refuse);
    if (segmentName(description) !== SEGMENT) continue;
    const content = streams.find((one) => one.path === `${before}RSeStorage/B${token}`);
    if (!content) return undefined;
    const { lengths, types } = readDescription(description, claim, refuse);
    const bytes = inflated(new ByteReader(content.read(), refuse, CONTENT_HEAD_BYTES), claim, refuse);
    return recordsOfType(bytes, lengths, types.indexOf(FINE_FACE_TYPE), refuse);
  }
  return undefined;
}

const CONTENT_HEAD_BYTES = 18;

/** Reads the head of a description up to the name of its segment. */
function segmentName(reader: ByteReader): string {
  reader.skip(reader.u32());
  reader.skip(18);
  return reader.take(2 * reader.u32()).toString("utf16le");
}

interface Description {
  readonly lengths: readonly number[];
  /** Ids of the types, in hexadecimal digits. */
  readonly types: readonly string[];
}

/** What follows the name: two dates as text, and the lists in zlib data. */
function readDescription(reader: ByteReader, claim: (size: number) => void, refuse: ErrorFactory): Description {
  reader.skip(28);
  reader.skip(reader.u32());
  reader.skip(reader.u32());
  reader.skip(1);
  const lists = new ByteReader(inflated(reader, claim, refuse), refuse, 14);
  const [lengths, , , types] = ENTRY_BYTES.map((entryBytes) => {
    const count = lists.u32();
    const entries = lists.take(count * entryBytes);
    lists.skip(4);
    return { count, entries };
  });
  return {
    lengths: Array.from({ length: lengths.count }, (_, i) => lengths.entries.readUInt32LE(4 * i)),
    types: Array.from({ length: types.count }, (_, i) => {
      const at = i * ENTRY_BYTES[3];
      return types.entries.toString("hex", at, at + TYPE_ID_BYTES);
    }),
  };
}

const MAX_SEGMENT_BYTES = 2 ** 30;
/** Of segments with graphics, measured: 3 to 9. */
const USUAL_RATIO = 10;

/** The zlib data that are left. */
function inflated(reader: ByteReader, claim: (size: number) => void, refuse: ErrorFactory): Buffer {
  claim(USUAL_RATIO * reader.left);
  try {
    return inflateSync(reader.take(reader.left), { maxOutputLength: MAX_SEGMENT_BYTES });
  } catch {
    throw refuse("its graphics are damaged; open it in Inventor, save it again, or export it as STEP");
  }
}

/** Records follow one another: a selector whose low byte is the type, the record, its length or 0, and whether more belongs to it. */
function recordsOfType(bytes: Buffer, lengths: readonly number[], type: number, refuse: ErrorFactory): Buffer[] {
  const records: Buffer[] = [];
  const reader = new ByteReader(bytes, refuse);
  for (const entry of lengths) {
    if (entry < STORED) continue;
    const length = entry - STORED;
    const selector = reader.u32();
    const record = reader.take(length);
    const repeated = reader.u32();
    if (repeated !== 0 && repeated !== length) throw otherVersion(refuse);
    reader.skip(1);
    if ((selector & 0xff) === type) records.push(record);
  }
  // A table follows that is not needed.
  return records;
}

const otherVersion = (refuse: ErrorFactory): Error =>
  refuse("its graphics are stored as no version does that is known here; in Inventor, export it as STEP");
