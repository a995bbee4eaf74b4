import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import * as xz from "xz-decompress";
import type { ErrorFactory } from "../../core/api-error.ts";
import { ByteReader } from "../../codec/byte-reader.ts";

// The container of JT files: segments, which a table of contents lists by their ids (Siemens, "JT File Format Reference"; ISO 14306:2012, 6;
// cadmpeg, docs/formats/siemens_nx.md, CC BY 4.0).

/** A JT file whose segments have not been read yet. */
export interface JtFile {
  /** 8, 9 or 10. */
  readonly version: number;
  /** Id of the segment with the scene graph. */
  readonly sceneGraph: string;
  /** The bytes of segments by their ids, with their heads. */
  readonly segments: ReadonlyMap<string, Buffer>;
}

const HEAD_BYTES = 80;
const VERSION = /^Version (\d+)\.\d+/;
const MIN_VERSION = 8;
const MAX_VERSION = 10;
const LITTLE_ENDIAN = 0;
const ENTRY_TAIL_BYTES = 4;

/** Reads the table of contents. Throws the error of `refuse` for a file of another kind or version, and for a damaged one. */
export function readJtFile(file: Buffer, refuse: ErrorFactory): JtFile {
  const [, major] = VERSION.exec(file.toString("latin1", 0, HEAD_BYTES)) ?? [];
  if (major === undefined) throw refuse(`it is no JT file; ${ADVICE}`);
  const version = Number(major);
  if (version < MIN_VERSION || version > MAX_VERSION) {
    throw refuse(`it is of JT version ${version}, and ${MIN_VERSION} to ${MAX_VERSION} are read; ${ADVICE}`);
  }
  const head = new ByteReader(file, refuse, HEAD_BYTES);
  if (head.u8() !== LITTLE_ENDIAN) throw refuse(`its numbers are big-endian, which is not read; ${ADVICE}`);
  head.skip(4);
  const contentsAt = placeOf(head, version);
  const sceneGraph = head.guid();
  const contents = new ByteReader(file, refuse);
  contents.skip(contentsAt);
  const segments = new Map<string, Buffer>();
  for (let left = contents.u32(); left > 0; left--) {
    const id = contents.guid();
    const at = placeOf(contents, version);
    const length = contents.u32();
    contents.skip(ENTRY_TAIL_BYTES);
    if (at + length > file.length) throw refuse(`it ends before one of its segments does; it was cut short; ${ADVICE}`);
    segments.set(id, file.subarray(at, at + length));
  }
  return { version, sceneGraph, segments };
}

/** Offsets have eight bytes from version 10 on. */
function placeOf(reader: ByteReader, version: number): number {
  const low = reader.u32();
  return version < 10 ? low : low + reader.u32() * 2 ** 32;
}

/** An id, a kind and a length. */
const SEGMENT_HEAD_BYTES = 24;
/** The kinds of segments with shapes; they are never compressed. */
const FIRST_SHAPE = 6;
const LAST_SHAPE = 16;
const ZLIB = 2;
const XZ = 3;

const MAX_SEGMENT_BYTES = 2 ** 30;
/** Compression ratio of scene graphs: measured 5 to 10. */
const USUAL_RATIO = 16;

/** The content of a segment, inflated if it is compressed. `claim` gets the upper bound of its bytes. */
export async function segmentContent(
  segment: Buffer,
  claim: (bytes: number) => void,
  refuse: ErrorFactory,
): Promise<Buffer> {
  const reader = new ByteReader(segment, refuse);
  reader.skip(16);
  const kind = reader.u32();
  reader.skip(SEGMENT_HEAD_BYTES - 20);
  if (kind >= FIRST_SHAPE && kind <= LAST_SHAPE) return reader.take(reader.left);
  const flag = reader.u32();
  const length = reader.u32();
  const algorithm = reader.u8();
  const packed = reader.take(Math.min(reader.left, length - 1));
  if (flag !== algorithm || (flag !== ZLIB && flag !== XZ)) return packed;
  claim(USUAL_RATIO * packed.length);
  try {
    return flag === ZLIB ? inflateSync(packed, { maxOutputLength: MAX_SEGMENT_BYTES }) : await unpackedXz(packed);
  } catch {
    throw refuse(`one of its compressed segments is damaged; ${ADVICE}`);
  }
}

/** The package is CommonJS: in Deno, contrary to its types, all exports are in the default export. */
const { XzReadableStream } = ("default" in xz ? xz.default : xz) as typeof xz;

async function unpackedXz(packed: Buffer): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of new XzReadableStream(new Blob([Uint8Array.from(packed)]).stream())) {
    size += chunk.length;
    if (size > MAX_SEGMENT_BYTES) throw new RangeError("a segment is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export const ADVICE = "in the program that wrote it, export it again as JT 9 with tessellated shapes, or as STEP";
