import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { withFile } from "./system-error.ts";
import { removeQuietly, writeTargetOf } from "./write-target.ts";

/**
 * Writes `chunks` to `path` whole or not at all: to a temporary file in the same folder, flushed to the disk, then
 * renamed over the target. A failure, also one that `chunks` throws, leaves an older file as it was and no temporary
 * file. A symbolic link keeps pointing to the file that is replaced. What `beforeRename` throws ends the write, too.
 * Faults: OPERATION_FAILED for a missing parent folder, missing permission, a full disk, a target that is no regular file.
 */
export function writeFileAtomically(path: string, chunks: Iterable<Uint8Array>, beforeRename = (): void => {}): void {
  const { target, temporary, mode } = writeTargetOf(path);
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

function writeAll(fd: number, chunk: Uint8Array): void {
  for (let written = 0; written < chunk.length; ) written += writeSync(fd, chunk, written, chunk.length - written);
}
