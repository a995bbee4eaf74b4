import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { ApiError, notFound } from "../core/api-error.ts";
import { withFileErrorsAsync } from "../core/file-error.ts";
import { newId, parseId } from "../core/id.ts";
import { makePrivateFolder, removeFolder, removeStaleFolders } from "../core/private-folder.ts";
import { MAX_MODEL_FILE_BYTES } from "../format/model-size.ts";

/** A place for one file that a page sends or fetches, or for several that belong together. */
interface Place {
  readonly token: string;
  /** Of the file: the name that was given, made safe. */
  readonly name: string;
  readonly path: string;
}

/** Files that pages send and fetch, in a folder that is removed at the end of the server. */
export interface TemporaryFiles {
  /**
   * Writes a file that comes in pieces, and returns where it is; `beside` is the token of an earlier one that goes into the same folder. Throws
   * BODY_TOO_LARGE, and OPERATION_FAILED where it cannot be written: then all of the rest is taken and dropped, so that the sender gets the answer.
   */
  receive(name: string, pieces: AsyncIterable<Uint8Array>, beside?: string): Promise<Place>;
  /** A place for a file that is about to be written. */
  newPlace(name: string): Promise<Place>;
  /** The file at a place, which is removed once it was taken whole. Throws NOT_FOUND where there is none. */
  take(token: string, name: string): Promise<{ readonly bytes: number; readonly stream: ReadableStream<Uint8Array> }>;
  close(): Promise<void>;
}

const FOLDER_USE = "page";
/** Files that nobody fetched, and those that were imported, are removed after this time, at the next one. */
const KEEP_MS = 60 * 60 * 1000;

export function newTemporaryFiles(keepMs = KEEP_MS, maxBytes = MAX_MODEL_FILE_BYTES): TemporaryFiles {
  let root: Promise<string> | undefined;
  const madeMs = new Map<string, number>();
  void removeStaleFolders(FOLDER_USE);

  async function rootFolder(): Promise<string> {
    root ??= makePrivateFolder(FOLDER_USE);
    return root.catch((thrown: unknown) => {
      root = undefined;
      throw thrown;
    });
  }

  async function removeOldOnes(): Promise<void> {
    for (const [token, ms] of madeMs) {
      if (Date.now() - ms < keepMs) return;
      madeMs.delete(token);
      await removeFolder(join(await rootFolder(), token));
    }
  }

  async function newPlace(name: string, beside?: string): Promise<Place> {
    void removeOldOnes();
    const token = madeMs.has(beside ?? "") ? beside! : newId();
    const folder = join(await rootFolder(), token);
    await withFileErrorsAsync("write", folder, () => mkdir(folder, { recursive: true }));
    madeMs.set(token, madeMs.get(token) ?? Date.now());
    const safe = safeName(name);
    return { token, name: safe, path: join(folder, safe) };
  }

  async function pathOf(token: string, name: string): Promise<string> {
    // A token is a UUID and a safe name has no separators, so that no path leads elsewhere.
    if (root === undefined || parseId(token) !== token || safeName(name) !== name) throw notFound(NO_FILE);
    return join(await root, token, name);
  }

  return {
    newPlace,
    async receive(name, pieces, beside) {
      let failure: unknown;
      const place = await newPlace(name, beside).catch((thrown: unknown) => void (failure = thrown));
      let handle: FileHandle | undefined;
      let bytes = 0;
      try {
        for await (const piece of pieces) {
          if (failure !== undefined) continue;
          try {
            bytes += piece.length;
            if (bytes > maxBytes) throw new ApiError("BODY_TOO_LARGE", `A file has at most ${maxBytes} bytes.`);
            await withFileErrorsAsync("write", place!.path, async () => {
              handle ??= await open(place!.path, "w");
              await writeAll(handle, piece);
            });
          } catch (thrown) {
            failure = thrown;
          }
        }
        if (bytes === 0) failure ??= new ApiError("INPUT_ERROR", "The file is empty: choose another one.");
      } catch (thrown) {
        failure = thrown;
      } finally {
        await handle?.close();
      }
      if (failure === undefined) return place!;
      if (place) await rm(place.path, { force: true });
      throw failure;
    },
    async take(token, name) {
      const path = await pathOf(token, name);
      const handle = await open(path, "r").catch(() => undefined);
      if (!handle) throw notFound(NO_FILE);
      const { size } = await handle.stat();
      return { bytes: size, stream: fileStream(handle, () => removeFolder(dirname(path))) };
    },
    async close() {
      const folder = await root?.catch(() => undefined);
      if (folder !== undefined) await removeFolder(folder);
    },
  };
}

const NO_FILE =
  "There is no such file: it was fetched already, is not finished, or was kept for an hour. Make it again.";

const PIECE_BYTES = 1 << 18;

/** The bytes of a file, which is closed at the end; `onEnd` is called where all were taken. */
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

/** Bytes of the name without its extension, and characters of the extension: file systems take 255 bytes in all. */
const MAX_STEM_BYTES = 200;
const MAX_EXTENSION_LENGTH = 16;

/** Names that are devices under Windows, whatever their extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** A file name of any system that is as close to `name` as can be: without separators, control characters and what else Windows forbids. */
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
