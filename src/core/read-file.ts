import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { fileError, withFileErrors } from "./file-error.ts";

/** Without O_NONBLOCK, opening a named pipe waits for a writer. Windows has neither. */
const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A file that is open for reading. The caller that opened it closes `fd`. */
export interface OpenFile {
  readonly fd: number;
  /** Bytes, at the time of opening. */
  readonly size: number;
}

/**
 * Opens a regular file without blocking. Throws OPERATION_FAILED for a folder, device, pipe or socket, for a missing file and for
 * one without permission.
 */
export function openRegularFile(path: string): OpenFile {
  const fd = withFileErrors("read", path, () => openSync(path, READ_WITHOUT_WAITING));
  try {
    const stat = withFileErrors("read", path, () => fstatSync(fd));
    if (stat.isDirectory()) throw fileError("read", path, "it is a folder; give the path of a file");
    if (!stat.isFile()) throw fileError("read", path, "it is a device or a pipe; give the path of a regular file");
    return { fd, size: stat.size };
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
}

/**
 * The bytes of a regular file. Throws as {@link openRegularFile}, and OPERATION_FAILED when it has more than `maxBytes`. `beforeRead`
 * gets their number.
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
