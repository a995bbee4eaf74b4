import { closeSync, readSync } from "node:fs";
import type { Fault } from "../core/fault.ts";
import { openRegularFile } from "../core/read-file.ts";
import { fileFault, withFile } from "../core/system-error.ts";

/** A model file open for reading. */
export interface Source {
  readonly path: string;
  readonly fd: number;
  /** Bytes, when it was opened. */
  readonly size: number;
}

/** Opens a model file for the time of `use`. Throws OPERATION_FAILED for anything but a readable regular file. */
export function withSource<T>(path: string, use: (source: Source) => T): T {
  const { fd, size } = openRegularFile(path);
  try {
    return use({ path, fd, size });
  } finally {
    closeSync(fd);
  }
}

/** The fault for a file that cannot be read; `why` names the cause and, after a semicolon, the way out. */
export const unreadable = (source: Source, why: string): Fault => fileFault("read", source.path, why);

/** Fills `target` with the bytes from `position` on. Throws OPERATION_FAILED when the file ends before. */
export function readExactly(source: Source, target: Uint8Array, position: number): void {
  for (let filled = 0; filled < target.length;) {
    const count = withFile("read", source.path, () =>
      readSync(source.fd, target, filled, target.length - filled, position + filled),
    );
    if (count === 0) {
      throw unreadable(source, "it became shorter while it was read; wait until it is written and try again");
    }
    filled += count;
  }
}
