import { type FileHandle, open, rename } from "node:fs/promises";
import { withFileAsync } from "./system-error.ts";
import { removeQuietly, writeTargetOf } from "./write-target.ts";

/** A file while it is being written. */
export interface GrowingFile {
  append(bytes: Uint8Array): Promise<void>;
  /** Writes over the first bytes of the file, as many as there are. */
  overwriteHead(bytes: Uint8Array): Promise<void>;
}

/**
 * Like `writeFileAtomically` for bytes that take their time to come: whatever `write` appends becomes the file once
 * it is done and on the disk. When it throws, or `beforeRename` does, an older file stays as it was and nothing is left of
 * the new one.
 */
export async function writeFileInSteps<T>(
  path: string,
  write: (file: GrowingFile) => Promise<T>,
  beforeRename = (): void => {},
): Promise<T> {
  const { target, temporary, mode } = writeTargetOf(path);
  const handle = await withFileAsync("write", path, () => open(temporary, "wx"));
  try {
    let result: T;
    try {
      result = await write(growing(handle, path));
      await withFileAsync("write", path, async () => {
        if (mode !== undefined) await handle.chmod(mode);
        await handle.sync();
      });
    } finally {
      await handle.close();
    }
    beforeRename();
    await withFileAsync("write", path, () => rename(temporary, target));
    return result;
  } catch (thrown) {
    removeQuietly(temporary);
    throw thrown;
  }
}

function growing(handle: FileHandle, path: string): GrowingFile {
  let size = 0;
  const writeAt = async (bytes: Uint8Array, at: number): Promise<void> => {
    for (let written = 0; written < bytes.length; ) {
      written += (await handle.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
    }
  };
  return {
    async append(bytes) {
      await withFileAsync("write", path, () => writeAt(bytes, size));
      size += bytes.length;
    },
    overwriteHead: (bytes) => withFileAsync("write", path, () => writeAt(bytes, 0)),
  };
}
