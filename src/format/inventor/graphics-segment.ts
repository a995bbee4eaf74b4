import { Buffer } from "node:buffer";
import { createInflate, inflateSync } from "node:zlib";
import { ApiError, type ErrorFactory } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { ByteReader } from "../../codec/byte-reader.ts";
import type { CompoundStream } from "../../codec/compound-file.ts";
import { InflatedReader } from "../../codec/inflated-reader.ts";

// Segments of an Inventor part: a stream M… that describes the records, and a stream B… that holds them. Decoded from files of Inventor
// 2017; the layout is described in the notes of InventorLoader.

const SEGMENT = "PmGraphicsSegment";
const DESCRIPTION = /(^|\/)RSeStorage\/M(\w+)$/;
/** Records of this type have the fine mesh of a face. Others have coarse meshes of the same faces. */
const FINE_FACE_TYPE = "f3d39ad77547afda0ca83a8b8b4c69c0";

/** Bytes of an entry in the four lists of a description: lengths of records, two lists that are not needed, types of records. */
const ENTRY_BYTES = [4, 10, 28, 28] as const;
const TYPE_ID_BYTES = 16;
/** Bit in the length of a record: the record is stored in this segment. */
const STORED = 0x8000_0000;

/**
 * Calls `visit` with each record that holds the fine mesh of a face; the record is valid until `visit` returns. False if there is no segment
 * with graphics.
 */
export async function visitFaces(
  streams: readonly CompoundStream[],
  claim: (size: number) => void,
  refuse: ErrorFactory,
  progress: Progress,
  visit: (record: Buffer) => void,
): Promise<boolean> {
  for (const { path, read } of streams) {
    const [, before = "", token] = DESCRIPTION.exec(path) ?? [];
    if (token === undefined) continue;
    const description = new ByteReader(read(), refuse);
    if (segmentName(description) !== SEGMENT) continue;
    const content = streams.find((one) => one.path === `${before}RSeStorage/B${token}`);
    if (!content) return false;
    const { lengths, fineType } = readDescription(description, claim, refuse);
    const packed = new ByteReader(content.read(), refuse, CONTENT_HEAD_BYTES);
    claim(USUAL_RATIO * packed.left);
    await visitRecords(packed.take(packed.left), lengths, fineType, refuse, progress, visit);
    return true;
  }
  return false;
}

const CONTENT_HEAD_BYTES = 18;

/** Reads the head of a description up to the name of its segment. */
function segmentName(reader: ByteReader): string {
  reader.skip(reader.u32());
  reader.skip(18);
  return reader.take(2 * reader.u32()).toString("utf16le");
}

interface Description {
  readonly lengths: Uint32Array;
  /** Number of the type of fine meshes; -1 if there are none. */
  readonly fineType: number;
}

/** Reads the rest of a description, after the name: two dates as text, and the lists in zlib data. */
function readDescription(reader: ByteReader, claim: (size: number) => void, refuse: ErrorFactory): Description {
  reader.skip(28);
  reader.skip(reader.u32());
  reader.skip(reader.u32());
  reader.skip(1);
  claim(USUAL_RATIO * reader.left);
  const lists = new ByteReader(inflated(reader.take(reader.left), refuse), refuse, 14);
  const [lengths, , , types] = ENTRY_BYTES.map((entryBytes) => {
    const count = lists.u32();
    const entries = lists.take(count * entryBytes);
    lists.skip(4);
    return { count, entries };
  });
  const isFine = (type: number): boolean =>
    types.entries.toString("hex", type * ENTRY_BYTES[3], type * ENTRY_BYTES[3] + TYPE_ID_BYTES) === FINE_FACE_TYPE;
  return {
    lengths: new ByteReader(lengths.entries, refuse).u32s(lengths.count),
    fineType: Array.from({ length: types.count }, (_, type) => type).findIndex(isFine),
  };
}

const MAX_SEGMENT_BYTES = 2 ** 30;
/** Compression ratio of segments with graphics, measured: 3 to 9. */
const USUAL_RATIO = 10;

const damaged = (refuse: ErrorFactory): Error =>
  refuse("its graphics are damaged; open it in Inventor, save it again, or export it as STEP");

function inflated(packed: Buffer, refuse: ErrorFactory): Buffer {
  try {
    return inflateSync(packed, { maxOutputLength: MAX_SEGMENT_BYTES });
  } catch {
    throw damaged(refuse);
  }
}

/** After a record: its length or 0, and whether more data belong to it. */
const TAIL_BYTES = 5;
const CHUNK_BYTES = 256 * 1024;

/** A sequence of records: a selector whose low byte is the type, the record, and its tail. A table follows the last record. */
async function visitRecords(
  packed: Buffer,
  lengths: Uint32Array,
  type: number,
  refuse: ErrorFactory,
  progress: Progress,
  visit: (record: Buffer) => void,
): Promise<void> {
  const reader = new InflatedReader(packed, createInflate({ chunkSize: CHUNK_BYTES }), MAX_SEGMENT_BYTES, () =>
    damaged(refuse),
  );
  try {
    for (let i = 0; i < lengths.length; i++) {
      if (lengths[i] < STORED) continue;
      const length = lengths[i] - STORED;
      const size = 4 + length + TAIL_BYTES;
      if (reader.held < size) {
        progress.report(i / lengths.length);
        if (!(await reader.hold(size))) throw refuse("it ends too early, or is damaged; save it again");
      }
      const bytes = reader.take(size);
      const repeated = bytes.readUInt32LE(4 + length);
      if (repeated !== 0 && repeated !== length) throw otherVersion(refuse);
      if (bytes[0] === type) visit(bytes.subarray(4, 4 + length));
    }
  } catch (thrown) {
    // Unexpected records may come from damaged data: reading to the end throws the error that names this cause.
    if (thrown instanceof ApiError) await reader.drain();
    throw thrown;
  }
  await reader.drain();
}

const otherVersion = (refuse: ErrorFactory): Error =>
  refuse("its graphics are stored as no version does that is known here; in Inventor, export it as STEP");
