import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { fileFault, withFile } from "./system-error.ts";

/** Without O_NONBLOCK, opening a named pipe waits for a writer, for ever. Windows has neither. */
const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A file open for reading. Whoever opened it closes `fd`. */
export interface OpenFile {
  readonly fd: number;
  /** Bytes, when it was opened. */
  readonly size: number;
}

/**
 * Opens a regular file, never waiting: a folder, device, pipe or socket, a missing file and one that may not be read
 * end in a fault OPERATION_FAILED.
 */
export function openRegularFile(path: string): OpenFile {
  const fd = withFile("read", path, () => openSync(path, READ_WITHOUT_WAITING));
  try {
    const stat = withFile("read", path, () => fstatSync(fd));
    if (stat.isDirectory()) throw fileFault("read", path, "it is a folder; give the path of a file");
    if (!stat.isFile()) throw fileFault("read", path, "it is a device or a pipe; give the path of a regular file");
    return { fd, size: stat.size };
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
}

/**
 * The bytes of a regular file of at most `maxBytes`. Faults as `openRegularFile`, and OPERATION_FAILED when it is
 * larger.
 */
export function readWholeFile(path: string, maxBytes: number): Uint8Array<ArrayBuffer> {
  const { fd, size } = openRegularFile(path);
  try {
    if (size > maxBytes) {
      throw fileFault("read", path, `it has ${size} bytes, ${maxBytes} are the most accepted; give a smaller file`);
    }
    return withFile("read", path, () => readAll(path, fd, size));
  } finally {
    closeSync(fd);
  }
}

function readAll(path: string, fd: number, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(fd, bytes, filled, size - filled, filled);
    if (count === 0) throw fileFault("read", path, "it was cut short while it was read; try again once it is written");
    filled += count;
  }
  return bytes;
}
