import { constants, type Dirent, existsSync, mkdirSync } from "node:fs";
import { chmod, copyFile, link, mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { notFound, operationFailed } from "../../core/api-error.ts";
import { systemErrorCode, withFileErrors, withFileErrorsAsync } from "../../core/file-error.ts";
import { newTemporaryName, removeStaleTemporaryFiles } from "../../core/temporary-file.ts";
import { type FileStore, hashAt, hashFile, placeOf, requireHash } from "./file-store.ts";

/**
 * Other machines see a new file of an NFS server when their cache of the folder's attributes expires, after 3 to 60 s
 * (https://man7.org/linux/man-pages/man5/nfs.5.html, acregmin and acdirmax), or sooner once they look again.
 */
const LOOK_AGAIN_MS = [500, 1000, 2000, 3000, 3500];

/** Stored files are never changed: many folders of jobs may link to one. */
const READ_ONLY = 0o444;

interface FolderStoreOptions {
  /** Pauses before a missing file is looked for again, ms. */
  readonly lookAgainMs?: readonly number[];
  /** Mode of the folder, where it is made. */
  readonly mode?: number;
}

/** A store in a folder of this machine, or of an NFS server that all machines mount. The folder is made where it is missing. */
export function openFolderStore(
  folder: string,
  { lookAgainMs = LOOK_AGAIN_MS, mode = 0o777 }: FolderStoreOptions = {},
): FileStore {
  const root = join(folder, "sha256");
  withFileErrors("write", folder, () => {
    mkdirSync(folder, { recursive: true, mode });
    mkdirSync(root, { recursive: true });
  });
  // A mount that went away leaves an empty folder, and what is written there is hidden once the mount is back.
  const requireThere = (): void => {
    if (!existsSync(root))
      throw operationFailed(`The store ${folder} is gone from this machine: mount it again, or bring the folder back.`);
  };
  return {
    async put(path) {
      const { hash, bytes } = await hashFile(path);
      const target = join(folder, placeOf(hash));
      if (await renewed(target, bytes)) return { hash, bytes };
      requireThere();
      return withFileErrorsAsync("write", target, async () => {
        await makeOneFolder(dirname(target));
        removeStaleTemporaryFiles(dirname(target));
        const temporary = join(dirname(target), newTemporaryName());
        try {
          const copied = await copyHashed(path, temporary);
          // The file may have changed since it was hashed.
          const end = join(folder, placeOf(copied.hash));
          await makeOneFolder(dirname(end));
          await rename(temporary, end);
          return copied;
        } catch (thrown) {
          await rm(temporary, { force: true });
          throw thrown;
        }
      });
    },
    async fetch(hash, path) {
      const place = join(folder, placeOf(hash));
      await untilThere(place, lookAgainMs, requireThere);
      try {
        await link(place, path);
      } catch {
        // Another file system, or one without links.
        await withFileErrorsAsync("write", path, () => copyFile(place, path, constants.COPYFILE_EXCL));
      }
      try {
        requireHash(hash, (await hashFile(path)).hash, place);
      } catch (thrown) {
        await rm(path, { force: true });
        throw thrown;
      }
    },
    async *list() {
      const files = await readdir(join(folder, "sha256"), { recursive: true, withFileTypes: true }).catch(
        (): Dirent[] => [],
      );
      for (const { parentPath, name } of files) {
        const path = join(parentPath, name);
        const hash = hashAt(path.replaceAll("\\", "/"));
        const found = hash && (await stat(path).catch(() => undefined));
        if (found) yield { hash, storedMs: found.mtimeMs };
      }
    },
    async remove(hash) {
      await rm(join(folder, placeOf(hash)), { force: true });
    },
  };
}

/** Makes a folder, but not those in which it is. */
async function makeOneFolder(path: string): Promise<void> {
  await mkdir(path).catch((thrown: Error) => {
    if (systemErrorCode(thrown) !== "EEXIST") throw thrown;
  });
}

/** Whether a whole file is there. Its time becomes the present one, so that the collector leaves it to the job that is about to name it. */
async function renewed(target: string, bytes: number): Promise<boolean> {
  try {
    if ((await stat(target)).size !== bytes) return false;
    const now = new Date();
    await utimes(target, now, now);
    return true;
  } catch {
    return false;
  }
}

/** Copies a file to a new, read-only one, which is on the disk when the promise resolves. */
async function copyHashed(from: string, to: string) {
  const file = await open(to, "wx");
  try {
    const copied = await hashFile(from, async (piece) => {
      for (let written = 0; written < piece.length;) {
        written += (await file.write(piece, written, piece.length - written)).bytesWritten;
      }
    });
    await file.sync();
    await chmod(to, READ_ONLY);
    return copied;
  } finally {
    await file.close();
  }
}

async function untilThere(place: string, lookAgainMs: readonly number[], requireThere: () => void): Promise<void> {
  for (const pauseMs of [...lookAgainMs, undefined]) {
    try {
      await stat(place);
      return;
    } catch (thrown) {
      const isMissing = systemErrorCode(thrown as Error) === "ENOENT";
      if (!isMissing) await withFileErrorsAsync("read", place, () => Promise.reject(thrown));
      if (pauseMs === undefined) {
        requireThere();
        throw notFound(`The store has no file ${place}: it was removed, or this machine has another store mounted.`);
      }
      // A new listing renews the attributes that the client of NFS keeps.
      await readdir(dirname(place)).catch(() => []);
      await sleep(pauseMs);
    }
  }
}
