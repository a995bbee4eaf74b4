import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { fileError, withFileErrors } from "./file-error.ts";

/** Without O_NONBLOCK, opening a named pipe waits for a writer. Windows has neither named pipes nor the flag. */
const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A file that is open for reading. The caller closes `fd`. */
export interface OpenFile {
  readonly fd: number;
  /** Bytes, when it was opened. */
  readonly size: number;
}

/** The beginning of pointer files of Git LFS, which have at most 1023 bytes (its specification, "The pointer"). */
const LFS_POINTER = /^version https:\/\/(?:git-lfs\.github|hawser\.github)\.com\/spec\//;
const LFS_HEAD_BYTES = 64;
const MAX_LFS_POINTER_BYTES = 1023;

/**
 * Opens a regular file without blocking. Throws OPERATION_FAILED for a folder, device, pipe or socket, for a missing file, for one without
 * permission, and for the pointer file that Git LFS puts in the place of a file that was not fetched.
 */
export function openRegularFile(path: string): OpenFile {
  const fd = withFileErrors("read", path, () => openSync(path, READ_WITHOUT_WAITING));
  try {
    const stat = withFileErrors("read", path, () => fstatSync(fd));
    if (stat.isDirectory()) throw fileError("read", path, "it is a folder; give the path of a file");
    if (!stat.isFile()) throw fileError("read", path, "it is a device or a pipe; give the path of a regular file");
    if (isLfsPointer(path, fd, stat.size)) {
      throw fileError(
        "read",
        path,
        `it is a Git LFS pointer of ${stat.size} bytes to a file that was not fetched; run "git lfs pull" in its folder, or download the file itself`,
      );
    }
    return { fd, size: stat.size };
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
}

function isLfsPointer(path: string, fd: number, size: number): boolean {
  if (size > MAX_LFS_POINTER_BYTES) return false;
  const head = new Uint8Array(LFS_HEAD_BYTES);
  const length = withFileErrors("read", path, () => readSync(fd, head, 0, head.length, 0));
  return LFS_POINTER.test(new TextDecoder("latin1").decode(head.subarray(0, length)));
}

/**
 * Reads a regular file. Throws as {@link openRegularFile}, and OPERATION_FAILED for more than `maxBytes`. `beforeRead` is called with the
 * size.
 */
export function readWholeFile(
  path: string,
  maxBytes: number,
  beforeRead = (_bytes: number): void => {},
): Uint8Array<ArrayBuffer> {
  const { fd, size } = openRegularFile(path);
  try {
    if (size > maxBytes) {
      throw fileError("read", path, `it has ${size} bytes, ${maxBytes} are the most accepted; give a smaller file`);
    }
    beforeRead(size);
    return withFileErrors("read", path, () => readAll(path, fd, size));
  } finally {
    closeSync(fd);
  }
}

function readAll(path: string, fd: number, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(fd, bytes, filled, size - filled, filled);
    if (count === 0) throw fileError("read", path, "it was cut short while it was read; try again once it is written");
    filled += count;
  }
  return bytes;
}
