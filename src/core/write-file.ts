import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { excerpt } from "./api-error.ts";
import { fileError, withFileErrors, withFileErrorsAsync } from "./file-error.ts";
import { newTemporaryName, removeStaleTemporaryFiles } from "./temporary-file.ts";

/**
 * Writes `chunks` to `path`, all or nothing: to a temporary file in the same folder, which is flushed to the disk and renamed to the
 * target. If writing, `chunks` or `beforeRename` fails, an existing file is unchanged and no temporary file is left. A symbolic link is
 * kept, and the file to which it points is replaced or made. `newMode` gives the permission bits of a new file. Throws OPERATION_FAILED for
 * a missing parent folder, missing permission, a full disk, and a target that is not a regular file.
 */
export function writeFileAtomically(
  path: string,
  chunks: Iterable<Uint8Array>,
  beforeRename = (): void => {},
  newMode?: number,
): void {
  const { target, temporary, mode } = findWriteTarget(path);
  const fd = withFileErrors("write", path, () => openSync(temporary, "wx", newMode));
  try {
    try {
      for (const chunk of chunks) withFileErrors("write", path, () => writeAll(fd, chunk));
      withFileErrors("write", path, () => {
        if (mode !== undefined) fchmodSync(fd, mode);
        fsyncSync(fd);
      });
    } finally {
      closeSync(fd);
    }
    beforeRename();
    withFileErrors("write", path, () => renameSync(temporary, target));
  } catch (thrown) {
    removeIfPossible(temporary);
    throw thrown;
  }
}

function writeAll(fd: number, chunk: Uint8Array): void {
  for (let written = 0; written < chunk.length;) written += writeSync(fd, chunk, written, chunk.length - written);
}

/** A file that is being written. */
export interface FileAppender {
  append(bytes: Uint8Array): Promise<void>;
  /** Overwrites the first bytes of the file with these. */
  overwriteHead(bytes: Uint8Array): Promise<void>;
  /** The MD5 of all bytes of the file so far. */
  md5(): Promise<Uint8Array>;
}

/** {@link writeFileAtomically} for bytes that are produced over time: the file consists of what `write` appends. */
export async function streamFileAtomically<T>(
  path: string,
  write: (file: FileAppender) => Promise<T>,
  beforeRename = (): void => {},
): Promise<T> {
  const { target, temporary, mode } = findWriteTarget(path);
  const handle = await withFileErrorsAsync("write", path, () => open(temporary, "wx+"));
  try {
    let result: T;
    try {
      result = await write(newFileAppender(handle, path));
      await withFileErrorsAsync("write", path, async () => {
        if (mode !== undefined) await handle.chmod(mode);
        await handle.sync();
      });
    } finally {
      await handle.close();
    }
    beforeRename();
    await withFileErrorsAsync("write", path, () => rename(temporary, target));
    return result;
  } catch (thrown) {
    removeIfPossible(temporary);
    throw thrown;
  }
}

/** Hashed at once, in about a millisecond. */
const HASHED_BYTES = 2 ** 19;

function newFileAppender(handle: FileHandle, path: string): FileAppender {
  let size = 0;
  const writeAt = async (bytes: Uint8Array, at: number): Promise<void> => {
    for (let written = 0; written < bytes.length;) {
      written += (await handle.write(bytes, written, bytes.length - written, at + written)).bytesWritten;
    }
  };
  return {
    async append(bytes) {
      await withFileErrorsAsync("write", path, () => writeAt(bytes, size));
      size += bytes.length;
    },
    overwriteHead: (bytes) => withFileErrorsAsync("write", path, () => writeAt(bytes, 0)),
    async md5() {
      const hash = createHash("md5");
      const piece = new Uint8Array(HASHED_BYTES);
      for (let at = 0; at < size;) {
        const { bytesRead } = await withFileErrorsAsync("write", path, () => handle.read(piece, 0, piece.length, at));
        if (bytesRead === 0) throw fileError("write", path, "another program shortened it meanwhile; try again");
        hash.update(piece.subarray(0, bytesRead));
        at += bytesRead;
      }
      return hash.digest();
    },
  };
}

/** The paths of an atomic write. */
interface WriteTarget {
  readonly target: string;
  /** An unused path in the same folder. */
  readonly temporary: string;
  /** The permission bits of an existing file at the target. */
  readonly mode?: number;
}

/**
 * Throws OPERATION_FAILED for a missing parent folder, missing permission, and a target that is not a regular file. Removes the temporary
 * files of killed processes from the folder.
 */
function findWriteTarget(path: string): WriteTarget {
  const found = withFileErrors("write", path, () => findTarget(path));
  const folder = dirname(found.target);
  ignoringErrors(() => removeStaleTemporaryFiles(folder));
  return { ...found, temporary: join(folder, newTemporaryName()) };
}

/** Errors are ignored since the first failure is reported: on a disk that became read-only, removing fails as well. */
const removeIfPossible = (path: string): void => ignoringErrors(() => rmSync(path, { force: true }));

/** Runs work whose failure does no harm. */
function ignoringErrors(work: () => void): void {
  try {
    work();
  } catch {}
}

/**
 * Throws OPERATION_FAILED if a file could not be written, for callers that otherwise would fail after minutes of work. It fails in the same
 * cases as the write itself, and for a folder without permission.
 */
export function requireWritable(path: string): void {
  withFileErrors("write", path, () => {
    accessSync(dirname(findTarget(path).target), constants.W_OK);
  });
}

function findTarget(path: string): Omit<WriteTarget, "temporary"> {
  // Throws, as the write itself would, where the folder is missing.
  statSync(dirname(path));
  const old = statSync(path, { throwIfNoEntry: false });
  if (!old) return { target: newTarget(path) };
  if (old.isDirectory()) throw fileError("write", path, "it is a folder; give the path of a file");
  if (!old.isFile()) throw fileError("write", path, "it is a device, pipe or socket; give the path of a regular file");
  accessSync(path, constants.W_OK);
  return { target: followLinks(path), mode: old.mode & 0o7777 };
}

/** The path of a new file: `path`, or the target of the link where it is a link to a missing file. */
function newTarget(path: string): string {
  const target = followLinks(path);
  if (target !== path && !statSync(dirname(target), { throwIfNoEntry: false })) {
    const why = `it is a link to ${JSON.stringify(excerpt(target))}, whose folder does not exist`;
    throw fileError("write", path, `${why}; create the folder or correct the link`);
  }
  return target;
}

/**
 * The target of the last of a chain of links; the system has refused circles before. Bun's realpath fails on a file while another program
 * replaces it.
 */
function followLinks(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isSymbolicLink()) return path;
  return followLinks(resolve(realpathSync(dirname(path)), readlinkSync(path)));
}
