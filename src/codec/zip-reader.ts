import type { Buffer } from "node:buffer";
import { closeSync, readSync } from "node:fs";
import { crc32, createInflateRaw } from "node:zlib";
import { type Entry, RandomAccessReader, type ZipFile, fromRandomAccessReaderPromise } from "yauzl";
import { ApiError } from "../core/api-error.ts";
import { type OpenFile, openRegularFile } from "../core/read-file.ts";
import { inflatedChunks } from "./inflated-reader.ts";
import { type FileSource, readError, readExactly } from "./file-source.ts";

export interface ZipFileEntry {
  readonly name: string;
  /** Unpacked bytes as the archive declares them; reading more or fewer is an error. */
  readonly size: number;
}

/**
 * An open zip archive. Reading an entry throws OPERATION_FAILED if it is missing, larger than `maxBytes`, encrypted,
 * compressed by another method than deflate, or damaged: its size and its CRC-32 are checked. Based on yauzl, not on
 * fflate, because archives of several GiB are read entry by entry and in chunks.
 */
export interface ZipReader {
  /** Bytes of the archive when it was opened. */
  readonly size: number;
  /** Files by name, in the archive's order. */
  readonly entries: ReadonlyMap<string, ZipFileEntry>;
  read(name: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Unpacks while reading; damage may be detected only after the last chunk. */
  chunks(name: string, maxBytes: number): AsyncGenerator<Uint8Array>;
  /** Fills `target`, which may be in shared memory and must have the size of the entry. */
  readInto(name: string, target: Uint8Array): Promise<void>;
  close(): void;
}

/** Opens an archive. Throws as `openRegularFile` does, and OPERATION_FAILED for a damaged table of contents. */
export async function openZip(path: string): Promise<ZipReader> {
  const source = { path, ...openRegularFile(path) };
  try {
    return new OpenZip(source, await readZipDirectory(source));
  } catch (thrown) {
    closeSync(source.fd);
    throw readError(source, `it is no valid zip archive (${(thrown as Error).message.replace(/\.$/, "")}); ${ADVICE}`);
  }
}

const ADVICE = "take another copy of it, or export it again";

const STORED = 0;
const DEFLATED = 8;
const PACKED_CHUNK_BYTES = 64 * 1024;
const INFLATED_CHUNK_BYTES = 64 * 1024;
const STORED_CHUNK_BYTES = 1024 * 1024;

class OpenZip implements ZipReader {
  readonly size: number;
  readonly entries: ReadonlyMap<string, ZipFileEntry>;
  readonly #source: FileSource;
  readonly #directory: ZipDirectory;

  constructor(source: FileSource, directory: ZipDirectory) {
    this.size = source.size;
    this.#source = source;
    this.#directory = directory;
    this.entries = new Map(
      Array.from(directory.entries, ([name, entry]) => [name, { name, size: entry.uncompressedSize }]),
    );
  }

  async read(name: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(this.#find(name, maxBytes).uncompressedSize);
    await this.readInto(name, bytes);
    return bytes;
  }

  async *chunks(name: string, maxBytes: number): AsyncGenerator<Uint8Array> {
    const entry = this.#find(name, maxBytes);
    const start = await this.#startOf(entry);
    const isStored = entry.compressionMethod === STORED;
    const packed = this.#packed(start, entry.compressedSize, isStored ? STORED_CHUNK_BYTES : PACKED_CHUNK_BYTES);
    let size = 0;
    let sum = 0;
    try {
      for await (const chunk of isStored
        ? packed
        : inflatedChunks(packed, createInflateRaw({ chunkSize: INFLATED_CHUNK_BYTES }))) {
        size += chunk.length;
        if (size > entry.uncompressedSize) break;
        sum = crc32(chunk, sum);
        yield chunk;
      }
    } catch (thrown) {
      throw thrown instanceof ApiError ? thrown : this.#damaged(entry, (thrown as Error).message);
    }
    this.#check(entry, size, sum);
  }

  async readInto(name: string, target: Uint8Array): Promise<void> {
    const entry = this.#find(name, target.length);
    if (entry.compressionMethod === STORED) {
      const start = await this.#startOf(entry);
      let sum = 0;
      for (let at = 0; at < target.length; at += STORED_CHUNK_BYTES) {
        const chunk = target.subarray(at, at + STORED_CHUNK_BYTES);
        readExactly(this.#source, chunk, start + at);
        sum = crc32(chunk, sum);
      }
      this.#check(entry, target.length, sum);
    } else {
      let at = 0;
      for await (const chunk of this.chunks(name, target.length)) {
        target.set(chunk, at);
        at += chunk.length;
      }
    }
  }

  close(): void {
    closeSync(this.#source.fd);
  }

  #find(name: string, maxBytes: number): Entry {
    const entry = this.#directory.entries.get(name);
    if (!entry) throw this.#entryError(name, "is missing");
    const { uncompressedSize: size, compressionMethod: method } = entry;
    if (size > maxBytes)
      throw this.#entryError(name, `has ${size} bytes unpacked, more than the ${maxBytes} accepted here`);
    if (entry.isEncrypted()) throw this.#entryError(name, "is encrypted: save the file without a password");
    if (method !== STORED && method !== DEFLATED)
      throw this.#entryError(name, `is packed by an unknown method (${method})`);
    return entry;
  }

  async #startOf(entry: Entry): Promise<number> {
    try {
      return await this.#directory.dataStart(entry);
    } catch (thrown) {
      throw this.#damaged(entry, (thrown as Error).message);
    }
  }

  *#packed(start: number, size: number, chunkBytes: number): Generator<Uint8Array> {
    for (let at = 0; at < size; at += chunkBytes) {
      const chunk = new Uint8Array(Math.min(chunkBytes, size - at));
      readExactly(this.#source, chunk, start + at);
      yield chunk;
    }
  }

  #check(entry: Entry, size: number, sum: number): void {
    const declared = entry.uncompressedSize;
    if (size > declared) throw this.#damaged(entry, `it unpacks to more than the ${declared} bytes declared`);
    if (size < declared) throw this.#damaged(entry, `it unpacks to ${size} of the ${declared} bytes declared`);
    if (sum !== entry.crc32) throw this.#damaged(entry, "its checksum (CRC-32) is wrong");
  }

  #damaged(entry: Entry, why: string): ApiError {
    return this.#entryError(entry.fileName, `is damaged: ${why}`);
  }

  #entryError(name: string, why: string): ApiError {
    return readError(this.#source, `${JSON.stringify(name)} inside it ${why}; ${ADVICE}`);
  }
}

/** The most files that an archive may list. */
export const MAX_ZIP_ENTRIES = 100_000;

interface ZipDirectory {
  /** Files by name, in the archive's order, without folders. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Offset in the file of the packed bytes of an entry; rejects if they would reach past the end of the file. */
  dataStart(entry: Entry): Promise<number>;
}

/**
 * Reads the table of contents of a zip archive. Rejects with the defect: no archive, cut short, too many files, or a
 * name that is absolute, contains `..` or a backslash, or occurs twice.
 */
async function readZipDirectory(file: OpenFile): Promise<ZipDirectory> {
  const options = { autoClose: false, strictFileNames: true, validateEntrySizes: true };
  const zip = await fromRandomAccessReaderPromise(new BufferedReader(file), file.size, options);
  if (zip.entryCount > MAX_ZIP_ENTRIES) {
    throw new Error(`it lists ${zip.entryCount} files; ${MAX_ZIP_ENTRIES} are accepted`);
  }
  return {
    entries: await listFiles(zip),
    dataStart: async (entry) => (await zip.readLocalFileHeaderPromise(entry, { minimal: true })).fileDataStart,
  };
}

async function listFiles(zip: ZipFile): Promise<Map<string, Entry>> {
  const names = new Set<string>();
  const files = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (names.has(entry.fileName)) throw new Error(`it holds ${JSON.stringify(entry.fileName)} twice`);
    names.add(entry.fileName);
    if (!entry.fileName.endsWith("/")) files.set(entry.fileName, entry);
  }
  return files;
}

const BLOCK_BYTES = 64 * 1024;

/** Reads a file in blocks: the table of contents takes many small reads. */
class BufferedReader extends RandomAccessReader {
  readonly #file: OpenFile;
  readonly #block = new Uint8Array(BLOCK_BYTES);
  #start = 0;
  #end = 0;

  constructor(file: OpenFile) {
    super();
    this.#file = file;
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    const isInside = position + length <= this.#file.size;
    const isRead = isInside && this.#fill(target.subarray(offset, offset + length), position);
    done(isRead ? null : new Error("unexpected end of the file"));
  }

  #fill(target: Uint8Array, position: number): boolean {
    for (let filled = 0; filled < target.length;) {
      const at = position + filled;
      if (at < this.#start || at >= this.#end) {
        this.#start = at;
        this.#end = at + readSync(this.#file.fd, this.#block, 0, BLOCK_BYTES, at);
        if (this.#end === at) return false;
      }
      const from = at - this.#start;
      const piece = this.#block.subarray(from, Math.min(this.#end - this.#start, from + target.length - filled));
      target.set(piece, filled);
      filled += piece.length;
    }
    return true;
  }
}
