import { readSync } from "node:fs";
import type { ApiError } from "../core/api-error.ts";
import { fileError, withFileErrors } from "../core/file-error.ts";

/** A file open for reading. */
export interface FileSource {
  readonly path: string;
  readonly fd: number;
  /** Size when the file was opened, bytes. */
  readonly size: number;
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

/** The `length` bytes from `position` on. Throws OPERATION_FAILED, and takes no memory, if the file does not have them. */
export function readRange(source: FileSource, position: number, length: number): Uint8Array<ArrayBuffer> {
  if (!(position >= 0 && length >= 0 && position + length <= source.size)) {
    throw readError(source, "it is damaged or was cut short: it names data beyond its end; take another copy of it");
  }
  const bytes = new Uint8Array(length);
  readExactly(source, bytes, position);
  return bytes;
}
