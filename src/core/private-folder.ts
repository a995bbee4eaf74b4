import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { withFileErrorsAsync } from "./file-error.ts";
import { HOST, hasEnded } from "./temporary-file.ts";

// Temporary folders are named `printwright-USE-HOST-PID-xxxxxx`, so that the folders of a killed process can be found.

/** Makes a temporary folder in `parent` that only the user of this process may enter. `use` is a word that names its purpose. */
export async function makePrivateFolder(use: string, parent = tmpdir()): Promise<string> {
  const place = join(parent, `printwright-${use}-${HOST}-${process.pid}-`);
  // `mkdtemp` sets the mode 700.
  return withFileErrorsAsync("write", place, () => mkdtemp(place));
}

/**
 * Runs work with the path of a temporary folder, which is removed afterwards. Those that killed processes of this machine have left for the same use are removed
 * before.
 */
export async function inPrivateFolder<T>(use: string, work: (folder: string) => Promise<T>): Promise<T> {
  await removeStaleFolders(use);
  const folder = await makePrivateFolder(use);
  try {
    return await work(folder);
  } finally {
    await removeFolder(folder);
  }
}

/** A process that was just killed may still write, so the removal is tried this often, 50 ms apart. */
const REMOVE_TRIES = 10;

/** Never throws. Files that cannot be removed now, such as an open file on Windows, are removed by the next server. */
export async function removeFolder(folder: string): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES; tries++) {
    try {
      return await rm(folder, { recursive: true, force: true });
    } catch {
      await sleep(50);
    }
  }
}

/** Removes the folders for this use that killed servers of this machine have left in `parent`. */
export async function removeStaleFolders(use: string, parent = tmpdir()): Promise<void> {
  const pattern = new RegExp(`^printwright-${use}-([0-9a-f]{4})-(\\d+)-`);
  for (const name of await readdir(parent).catch(() => [])) {
    const [, host, pid] = pattern.exec(name) ?? [];
    if (host !== HOST) continue;
    const folder = join(parent, name);
    const found = await stat(folder).catch(() => undefined);
    if (found && hasEnded(Number(pid), found.mtimeMs)) await removeFolder(folder);
  }
}
