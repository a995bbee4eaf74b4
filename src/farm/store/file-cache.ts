import { constants } from "node:fs";
import { copyFile, link, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withFileErrorsAsync } from "../../core/file-error.ts";
import { getOrInsert } from "../../core/memoize.ts";
import { newTemporaryName, removeStaleTemporaryFiles } from "../../core/temporary-file.ts";
import { type FileHash, type FileStore, hashAt, placeOf } from "./file-store.ts";

/** Fetched files of a store on the disk of this machine. */
export interface FileCache {
  /** Makes the stored file available at the new path `path`, as a link to the cached file or a copy. Nobody may write to it. */
  place(hash: FileHash, path: string): Promise<void>;
}

/**
 * Opens the cache in a folder, which several workers of this machine may share. It keeps at most `maxBytes`: the files that were not used for
 * the longest time are removed first. `onHit` is called for each file that was there.
 */
export async function openFileCache(
  store: FileStore,
  folder: string,
  maxBytes: number,
  onHit: () => void = () => {},
): Promise<FileCache> {
  await withFileErrorsAsync("write", folder, () => mkdir(folder, { recursive: true, mode: 0o700 }));
  removeStaleTemporaryFiles(folder);
  const fetching = new Map<FileHash, Promise<void>>();
  let keptBytes = sumOf(await cachedFiles(folder));

  async function fetchInto(hash: FileHash, cached: string): Promise<void> {
    const temporary = join(folder, newTemporaryName());
    try {
      await store.fetch(hash, temporary);
      await mkdir(dirname(cached), { recursive: true });
      await rename(temporary, cached);
    } finally {
      await rm(temporary, { force: true });
    }
    keptBytes += (await stat(cached)).size;
    if (keptBytes > maxBytes) keptBytes = await removeOldest(folder, EMPTIED_TO * maxBytes, cached);
  }

  return {
    async place(hash, path) {
      const cached = join(folder, placeOf(hash));
      // Another worker may remove the file between the fetch and the link.
      for (let tries = 0; tries < 3; tries++) {
        if (await linked(cached, path)) {
          if (tries === 0) onHit();
          return;
        }
        await getOrInsert(fetching, hash, () => fetchInto(hash, cached).finally(() => fetching.delete(hash)));
      }
      await store.fetch(hash, path);
    },
  };
}

/** Whether a file is in the cache, and is now at `path` as well. */
async function linked(cached: string, path: string): Promise<boolean> {
  try {
    const now = new Date();
    await utimes(cached, now, now);
  } catch {
    return false;
  }
  try {
    await link(cached, path);
    return true;
  } catch {
    return copied(cached, path);
  }
}

async function copied(cached: string, path: string): Promise<boolean> {
  const isThere = await stat(cached).catch(() => undefined);
  if (!isThere) return false;
  // The folder of a job may be on another file system.
  await withFileErrorsAsync("write", path, () => copyFile(cached, path, constants.COPYFILE_EXCL));
  return true;
}

/** The cache is emptied to this share of its limit, so that not each fetch has to look through it. */
const EMPTIED_TO = 0.9;

interface CachedFile {
  readonly path: string;
  readonly bytes: number;
  readonly usedMs: number;
}

async function cachedFiles(folder: string): Promise<CachedFile[]> {
  const entries = await readdir(join(folder, "sha256"), { recursive: true, withFileTypes: true }).catch(() => []);
  const files: CachedFile[] = [];
  for (const { parentPath, name } of entries) {
    const path = join(parentPath, name);
    if (!hashAt(path.replaceAll("\\", "/"))) continue;
    const found = await stat(path).catch(() => undefined);
    if (found) files.push({ path, bytes: found.size, usedMs: found.mtimeMs });
  }
  return files;
}

const sumOf = (files: readonly CachedFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Removes the files that were not used for the longest time, but `newest`. Returns the bytes that are left. */
async function removeOldest(folder: string, maxBytes: number, newest: string): Promise<number> {
  const files = (await cachedFiles(folder)).sort((a, b) => a.usedMs - b.usedMs);
  let bytes = sumOf(files);
  for (const { path, bytes: itsBytes } of files) {
    if (bytes <= maxBytes) break;
    if (path === newest) continue;
    await rm(path, { force: true });
    bytes -= itsBytes;
  }
  return bytes;
}
