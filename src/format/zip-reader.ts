import { closeSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import type { Entry } from "yauzl";
import { Fault } from "../core/fault.ts";
import { openRegularFile } from "../core/read-file.ts";
import { readExactly, type Source, unreadable } from "./source.ts";
import { readZipDirectory, type ZipDirectory } from "./zip-directory.ts";

export { MAX_ZIP_ENTRIES } from "./zip-directory.ts";

export interface ZipFileEntry {
  readonly name: string;
  /** Bytes, unpacked, as the archive declares them: reading more or fewer is a fault. */
  readonly size: number;
}

/**
 * An open zip archive. Reading an entry ends in a fault OPERATION_FAILED where it is absent, larger than `maxBytes`,
 * encrypted, packed otherwise than stored or deflated, or damaged: its size and its CRC-32 are checked.
 */
export interface ZipReader {
  /** Bytes of the archive when it was opened. */
  readonly size: number;
  /** Files by name, in the archive's order. */
  readonly entries: ReadonlyMap<string, ZipFileEntry>;
  read(name: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Unpacks while it is read; damage may show only after the last piece. */
  chunks(name: string, maxBytes: number): AsyncGenerator<Uint8Array>;
  /** Fills `target`, whose memory may be shared and whose length must be the entry's size. */
  readInto(name: string, target: Uint8Array): Promise<void>;
  close(): void;
}

/** Opens an archive. Faults as `openRegularFile`, and OPERATION_FAILED for one whose table of contents is not sound. */
export async function openZip(path: string): Promise<ZipReader> {
  const source = { path, ...openRegularFile(path) };
  try {
    return new OpenZip(source, await readZipDirectory(source));
  } catch (thrown) {
    closeSync(source.fd);
    throw unreadable(source, `it is no sound zip archive (${(thrown as Error).message.replace(/\.$/, "")}); ${ADVICE}`);
  }
}

const ADVICE = "take another copy of it, or export it again";

const STORED = 0;
const DEFLATED = 8;
const PACKED_CHUNK_BYTES = 64 * 1024;
const INFLATED_CHUNK_BYTES = 256 * 1024;
const STORED_CHUNK_BYTES = 1024 * 1024;

class OpenZip implements ZipReader {
  readonly size: number;
  readonly entries: ReadonlyMap<string, ZipFileEntry>;
  readonly #source: Source;
  readonly #directory: ZipDirectory;

  constructor(source: Source, directory: ZipDirectory) {
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
      for await (const chunk of isStored ? packed : inflated(packed)) {
        size += chunk.length;
        if (size > entry.uncompressedSize) break;
        sum = crc32(chunk, sum);
        yield chunk;
      }
    } catch (thrown) {
      throw thrown instanceof Fault ? thrown : this.#damaged(entry, (thrown as Error).message);
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
    if (!entry) throw this.#fault(name, "is missing");
    const { uncompressedSize: size, compressionMethod: method } = entry;
    if (size > maxBytes) throw this.#fault(name, `has ${size} bytes unpacked, more than the ${maxBytes} accepted here`);
    if (entry.isEncrypted()) throw this.#fault(name, "is encrypted: save the file without a password");
    if (method !== STORED && method !== DEFLATED) throw this.#fault(name, `is packed by an unknown method (${method})`);
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

  #damaged(entry: Entry, why: string): Fault {
    return this.#fault(entry.fileName, `is damaged: ${why}`);
  }

  #fault(name: string, why: string): Fault {
    return unreadable(this.#source, `${JSON.stringify(name)} inside it ${why}; ${ADVICE}`);
  }
}

function inflated(packed: Iterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const inflate = createInflateRaw({ chunkSize: INFLATED_CHUNK_BYTES });
  pipeline(Readable.from(packed), inflate, () => {});
  return inflate;
}
