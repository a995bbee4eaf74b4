import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { ApiError, notFound } from "../core/api-error.ts";
import { withFileErrorsAsync } from "../core/file-error.ts";
import { newId, parseId } from "../core/id.ts";
import { makePrivateFolder, removeFolder, removeStaleFolders } from "../core/private-folder.ts";
import { MAX_MODEL_FILE_BYTES } from "../format/model-size.ts";

/** A temporary file that the page sends or downloads. */
interface TemporaryFile {
  /** Name of the folder of the file, which several files can share. */
  readonly token: string;
  /** File name: the requested name without characters that a system forbids. */
  readonly name: string;
  readonly path: string;
}

const FOLDER_USE = "page";
/** After this time a file is removed, when the next one is made: uploads that were imported, and files that were not downloaded. */
const KEEP_MS = 60 * 60 * 1000;

const NO_FILE =
  "There is no such file: it was fetched already, is not finished, or was kept for an hour. Make it again.";

/** Uploads and downloads of the page, in a private folder that is removed when the server stops. */
export class TemporaryFiles {
  readonly #keepMs: number;
  readonly #maxBytes: number;
  #root: Promise<string> | undefined;
  /** Time at which each folder was made, by its token, oldest first. */
  readonly #madeMs = new Map<string, number>();

  constructor(keepMs = KEEP_MS, maxBytes = MAX_MODEL_FILE_BYTES) {
    this.#keepMs = keepMs;
    this.#maxBytes = maxBytes;
    void removeStaleFolders(FOLDER_USE);
  }

  /** Makes a folder for a file to be written; `beside` is the token of an earlier file, whose folder is used instead. */
  async newFile(name: string, beside?: string): Promise<TemporaryFile> {
    void this.#removeOld();
    const token = this.#madeMs.has(beside ?? "") ? beside! : newId();
    const folder = join(await this.#rootFolder(), token);
    await withFileErrorsAsync("write", folder, () => mkdir(folder, { recursive: true }));
    this.#madeMs.set(token, this.#madeMs.get(token) ?? Date.now());
    const safe = safeName(name);
    return { token, name: safe, path: join(folder, safe) };
  }

  /**
   * Writes an upload to a file; `beside` is the token of an earlier file, whose folder is used. Throws BODY_TOO_LARGE, INPUT_ERROR for
   * an empty file, and OPERATION_FAILED if the file cannot be written. After an error the rest of the upload is read and dropped,
   * since clients read the answer only after they have sent the whole body.
   */
  async receive(name: string, pieces: AsyncIterable<Uint8Array>, beside?: string): Promise<TemporaryFile> {
    let file: TemporaryFile;
    try {
      file = await this.newFile(name, beside);
    } catch (thrown) {
      for await (const _ of pieces);
      throw thrown;
    }
    try {
      await this.#write(file.path, pieces);
      return file;
    } catch (thrown) {
      await rm(file.path, { force: true });
      throw thrown;
    }
  }

  async #write(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    let failure: unknown;
    let handle: FileHandle | undefined;
    let bytes = 0;
    try {
      for await (const piece of pieces) {
        if (failure !== undefined) continue;
        try {
          bytes += piece.length;
          if (bytes > this.#maxBytes) {
            throw new ApiError("BODY_TOO_LARGE", `A file has at most ${this.#maxBytes} bytes.`);
          }
          await withFileErrorsAsync("write", path, async () => {
            handle ??= await open(path, "w");
            await writeAll(handle, piece);
          });
        } catch (thrown) {
          failure = thrown;
        }
      }
    } finally {
      await handle?.close();
    }
    if (failure !== undefined) throw failure;
    if (bytes === 0) throw new ApiError("INPUT_ERROR", "The file is empty: choose another one.");
  }

  /** Opens a file for a download. The file is removed after it was read completely. Throws NOT_FOUND. */
  async take(
    token: string,
    name: string,
  ): Promise<{ readonly bytes: number; readonly stream: ReadableStream<Uint8Array> }> {
    const path = await this.pathOf(token, name);
    const handle = await open(path, "r").catch(() => undefined);
    if (!handle) throw notFound(NO_FILE);
    const { size } = await handle.stat();
    return { bytes: size, stream: fileStream(handle, () => removeFolder(dirname(path))) };
  }

  /** The path of a file, whether it still exists or not. Throws NOT_FOUND for what is no token and name. */
  async pathOf(token: string, name: string): Promise<string> {
    // A token is a UUID and a safe name has no separators, so that no path leads out of the folder.
    if (this.#root === undefined || parseId(token) !== token || safeName(name) !== name) throw notFound(NO_FILE);
    return join(await this.#root, token, name);
  }

  async #rootFolder(): Promise<string> {
    this.#root ??= makePrivateFolder(FOLDER_USE);
    return this.#root.catch((thrown: unknown) => {
      this.#root = undefined;
      throw thrown;
    });
  }

  async #removeOld(): Promise<void> {
    for (const [token, ms] of this.#madeMs) {
      if (Date.now() - ms < this.#keepMs) return;
      this.#madeMs.delete(token);
      await removeFolder(join(await this.#rootFolder(), token));
    }
  }

  async close(): Promise<void> {
    const folder = await this.#root?.catch(() => undefined);
    if (folder !== undefined) await removeFolder(folder);
  }
}

const PIECE_BYTES = 1 << 18;

/** Streams a file and closes it at the end. `onEnd` is called if all bytes were read. */
function fileStream(handle: FileHandle, onEnd: () => Promise<void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(PIECE_BYTES), 0, PIECE_BYTES);
      if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
      await handle.close();
      controller.close();
      await onEnd();
    },
    cancel: () => handle.close(),
  });
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += (await handle.write(bytes, written, bytes.length - written)).bytesWritten;
  }
}

/** Limits of the name without extension, and of the extension (in characters): file systems allow 255 bytes in all. */
const MAX_STEM_BYTES = 200;
const MAX_EXTENSION_LENGTH = 16;

/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Makes a file name that is valid on all systems: without separators, control characters and other characters that Windows forbids. */
export function safeName(name: string): string {
  const plain = basename(name.replaceAll("\\", "/"))
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f<>:"/|?*]/g, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  const extension = extname(plain).slice(0, MAX_EXTENSION_LENGTH);
  let stem = plain.slice(0, plain.length - extname(plain).length);
  while (Buffer.byteLength(stem) > MAX_STEM_BYTES) stem = [...stem].slice(0, -1).join("");
  return `${stem === "" || DEVICE.test(stem) ? `_${stem}` : stem}${extension}`;
}
