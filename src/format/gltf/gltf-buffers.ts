import { Buffer } from "node:buffer";
import { closeSync, realpathSync } from "node:fs";
import type { ErrorFactory } from "../../core/api-error.ts";
import { openRegularFile } from "../../core/read-file.ts";
import { fileBeside } from "../file-beside.ts";
import { claimModelBytes, requireFileSize } from "../model-size.ts";
import { type FileSource, readExactly } from "../../codec/file-source.ts";
import { type GltfDocument, parseGltf } from "./gltf-document.ts";

/** glTF 2.0, section 4.4: header and chunks of binary files. */
const MAGIC = 0x4654_6c67;
const JSON_CHUNK = 0x4e4f_534a;
const BINARY_CHUNK = 0x004e_4942;
const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;

/** Most bytes of JSON, buffers as data URIs included: the runtimes parse texts up to 512 MiB. */
const MAX_JSON_BYTES = 256 * 2 ** 20;
/** Memory per byte of JSON: the bytes, their text, its values and decoded buffers. */
const MEMORY_PER_JSON_BYTE = 5;
const MAX_BUFFERS = 1000;

/** An open glTF file with its buffers. */
export interface GltfFile {
  readonly document: GltfDocument;
  /** Bytes of the buffer with this index, from `offset` on. Throws if it has fewer, or cannot be read. */
  bytes(buffer: number, offset: number, length: number): Uint8Array;
}

/**
 * Reads the JSON of a `.gltf` or `.glb` file and provides its buffers while `use` runs: from the file, from data URIs, and from files
 * in its folder or below.
 */
export function withGltfFile<T>(source: FileSource, refuse: ErrorFactory, use: (file: GltfFile) => T): T {
  const { json, binary } = chunksOf(source, refuse);
  const document = parseGltf(json, refuse);
  const open = new Map<number, GltfBuffer>();
  const bufferAt = (index: number): GltfBuffer => {
    const known = open.get(index);
    if (known) return known;
    if (open.size === MAX_BUFFERS)
      throw refuse(`it has over ${MAX_BUFFERS} buffers, the most accepted; export it as .glb`);
    const buffer = openBuffer(document, index, source, binary, refuse);
    open.set(index, buffer);
    return buffer;
  };
  try {
    return use({
      document,
      bytes(index, offset, length) {
        const buffer = bufferAt(index);
        const limit = Math.min(buffer.size, document.buffers[index].byteLength);
        if (offset + length > limit) {
          throw refuse(
            `its buffer ${index} has ${limit} bytes, and ${offset + length} are used; take another copy of it`,
          );
        }
        return buffer.read(offset, length);
      },
    });
  } finally {
    for (const { fd } of open.values()) if (fd !== undefined) closeSync(fd);
  }
}

interface Section {
  readonly at: number;
  readonly size: number;
}

function chunksOf(source: FileSource, refuse: ErrorFactory): { readonly json: Uint8Array; readonly binary?: Section } {
  const header = bytesAt(source, { at: 0, size: Math.min(source.size, HEADER_BYTES) });
  if (header.length < HEADER_BYTES || header.readUInt32LE(0) !== MAGIC) {
    return { json: jsonAt(source, { at: 0, size: source.size }, refuse) };
  }
  const version = header.readUInt32LE(4);
  if (version !== 2) throw refuse(`it is of version ${version} of binary glTF; export it as glTF 2.0`);
  const [size, total] = [source.size, header.readUInt32LE(8)];
  if (total > size) throw refuse(`it states ${total} bytes and has ${size}; it was cut short: take another copy of it`);
  const sections: { readonly type: number; readonly section: Section }[] = [];
  for (let at = HEADER_BYTES; at + CHUNK_HEADER_BYTES <= total && sections.length < 2;) {
    const chunk = bytesAt(source, { at, size: CHUNK_HEADER_BYTES });
    const section = { at: at + CHUNK_HEADER_BYTES, size: chunk.readUInt32LE(0) };
    if (section.at + section.size > total) throw refuse("a chunk of it reaches past its end; take another copy of it");
    sections.push({ type: chunk.readUInt32LE(4), section });
    at = section.at + section.size;
  }
  const [first, second] = sections;
  if (first?.type !== JSON_CHUNK) throw refuse("its first chunk is no JSON; export it again");
  const json = jsonAt(source, first.section, refuse);
  return { json, ...(second?.type === BINARY_CHUNK && { binary: second.section }) };
}

function jsonAt(source: FileSource, section: Section, refuse: ErrorFactory): Uint8Array {
  if (section.size > MAX_JSON_BYTES) {
    throw refuse(`its JSON has ${section.size} bytes, ${MAX_JSON_BYTES} are the most accepted; export it as .glb`);
  }
  claimModelBytes(source.path, MEMORY_PER_JSON_BYTE * section.size);
  return bytesAt(source, section);
}

function bytesAt(source: FileSource, { at, size }: Section): Buffer {
  const bytes = Buffer.alloc(size);
  readExactly(source, bytes, at);
  return bytes;
}

interface GltfBuffer {
  readonly size: number;
  /** File descriptor of a separate file, which must be closed. */
  readonly fd?: number;
  read(offset: number, length: number): Uint8Array;
}

const DATA_URI = /^data:[^,;]*(?:;[^,;]*)*;base64,/i;
/** `http:` and other schemes; a single letter is a drive. */
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

function openBuffer(
  { buffers }: GltfDocument,
  index: number,
  source: FileSource,
  binary: Section | undefined,
  refuse: ErrorFactory,
): GltfBuffer {
  const buffer = buffers.at(index);
  if (!buffer || (buffer.uri === undefined && !(binary && index === 0))) {
    throw refuse(`its buffer ${index} is missing; export it again without compression of meshes`);
  }
  const { uri } = buffer;
  if (uri === undefined) return sectionOf(source, binary!);
  const [head] = DATA_URI.exec(uri.slice(0, 200)) ?? [];
  if (head !== undefined) {
    const bytes = Buffer.from(uri.slice(head.length), "base64");
    return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
  }
  const shown = JSON.stringify(uri.slice(0, 100));
  const path = SCHEME.test(uri) ? undefined : fileBeside(realpathSync(source.path), decoded(uri));
  if (path === undefined) {
    throw refuse(`its data are in ${shown}, which is not in its folder or below; put it there, or export it as .glb`);
  }
  const file = { path, ...openRegularFile(path) };
  try {
    requireFileSize(file.size, refuse);
  } catch (thrown) {
    closeSync(file.fd);
    throw thrown;
  }
  return { ...sectionOf(file, { at: 0, size: file.size }), fd: file.fd };
}

const sectionOf = (source: FileSource, { at, size }: Section): GltfBuffer => ({
  size,
  read(offset, length) {
    claimModelBytes(source.path, length);
    return bytesAt(source, { at: at + offset, size: length });
  },
});

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
