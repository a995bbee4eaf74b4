import { closeSync, readSync } from "node:fs";
import type { ApiError } from "../core/api-error.ts";
import { fileError, withFileErrors } from "../core/file-error.ts";
import { openRegularFile } from "../core/read-file.ts";
import { requireFileSize } from "./model-size.ts";

/** A file open for reading. */
export interface FileSource {
  readonly path: string;
  readonly fd: number;
  /** Bytes when it was opened. */
  readonly size: number;
}

/**
 * Opens a model file while `use` runs. Throws OPERATION_FAILED for anything but a readable regular file within the bound of each
 * file.
 */
export function withFileSource<T>(path: string, use: (source: FileSource) => T): T {
  const { fd, size } = openRegularFile(path);
  const source = { path, fd, size };
  try {
    requireFileSize(size, (why) => readError(source, why));
    return use(source);
  } finally {
    closeSync(fd);
  }
}

/** The error for a file that cannot be read; `why` states the cause and, after a semicolon, the way out. */
export const readError = (source: FileSource, why: string): ApiError => fileError("read", source.path, why);

/** Fills `target` with the bytes from `position` on. Throws OPERATION_FAILED when the file ends before that. */
export function readExactly(source: FileSource, target: Uint8Array, position: number): void {
  for (let filled = 0; filled < target.length;) {
    const count = withFileErrors("read", source.path, () =>
      readSync(source.fd, target, filled, target.length - filled, position + filled),
    );
    if (count === 0) {
      throw readError(source, "it became shorter while it was read; wait until it is written and try again");
    }
    filled += count;
  }
}
