import type { Buffer } from "node:buffer";
import { readSync } from "node:fs";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";
import type { OpenFile } from "../core/read-file.ts";

/** An archive that lists more is refused. */
export const MAX_ZIP_ENTRIES = 100_000;

export interface ZipDirectory {
  /** Files by name, in the archive's order; folders are left out. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Where in the file the packed bytes of an entry begin; rejects where they would reach past its end. */
  dataStart(entry: Entry): Promise<number>;
}

/**
 * Reads the table of contents of a zip archive. Rejects with what is wrong with it: no archive at all, cut short, too
 * many files, a name that is absolute, leads upwards, holds a backslash or stands there twice.
 */
export async function readZipDirectory(file: OpenFile): Promise<ZipDirectory> {
  const options = { autoClose: false, strictFileNames: true, validateEntrySizes: true };
  const zip = await fromRandomAccessReaderPromise(new ReadAhead(file), file.size, options);
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

/** Serves the many small reads of a table of contents from one block of the file. */
class ReadAhead extends RandomAccessReader {
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
    for (let filled = 0; filled < target.length; ) {
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
