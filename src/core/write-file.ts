import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { newId } from "./id.ts";
import { fileFault, withFile } from "./system-error.ts";

/**
 * Writes `chunks` to `path` whole or not at all: to a temporary file in the same folder, flushed to the disk, then
 * renamed over the target. A failure, also one that `chunks` throws, leaves an older file as it was and no temporary
 * file. A symbolic link keeps pointing to the file that is replaced. What `beforeRename` throws ends the write, too. Faults: OPERATION_FAILED for a missing parent
 * folder, missing permission, a full disk, a target that is no regular file.
 */
export function writeFileAtomically(path: string, chunks: Iterable<Uint8Array>, beforeRename = (): void => {}): void {
  const { target, mode } = withFile("write", path, () => targetOf(path));
  const temporary = join(dirname(target), `.${newId()}.part`);
  const fd = withFile("write", path, () => openSync(temporary, "wx"));
  try {
    try {
      for (const chunk of chunks) withFile("write", path, () => writeAll(fd, chunk));
      withFile("write", path, () => {
        if (mode !== undefined) fchmodSync(fd, mode);
        fsyncSync(fd);
      });
    } finally {
      closeSync(fd);
    }
    beforeRename();
    withFile("write", path, () => renameSync(temporary, target));
  } catch (thrown) {
    removeQuietly(temporary);
    throw thrown;
  }
}

/** The first failure is the one to tell: on a disk that turned read-only, removing fails as well. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

/** Where to write, and the permission bits of the file that stands there. */
function targetOf(path: string): { target: string; mode?: number } {
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  if (!folder) throw fileFault("write", path, "its folder does not exist; create the folder or choose another path");
  const old = statSync(path, { throwIfNoEntry: false });
  if (!old) return { target: path };
  if (old.isDirectory()) throw fileFault("write", path, "it is a folder; give the path of a file");
  if (!old.isFile()) throw fileFault("write", path, "it is a device, pipe or socket; give the path of a regular file");
  accessSync(path, constants.W_OK);
  // Only a link is resolved: Bun's realpath misses a file while another program replaces it.
  return { target: lstatSync(path).isSymbolicLink() ? realpathSync(path) : path, mode: old.mode & 0o7777 };
}

function writeAll(fd: number, chunk: Uint8Array): void {
  for (let written = 0; written < chunk.length; ) written += writeSync(fd, chunk, written, chunk.length - written);
}
