import { constants } from "node:os";
import { ApiError, excerpt, operationFailed } from "./api-error.ts";

/** The file system's error codes in plain words, each followed by what to do about it. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist; check the path",
  ENOTDIR: "a part of its path is not a folder; check the path",
  EACCES: "permission is denied; change its permissions or choose another path",
  EPERM: "the system does not permit it; change its permissions or choose another path",
  EROFS: "the disk is read-only; choose another path",
  EISDIR: "it is a folder; give the path of a file",
  ENXIO: "it is a device, pipe or socket; give the path of a regular file",
  ENOSPC: "the disk is full; free some space or choose another disk",
  EDQUOT: "the disk quota is used up; free some space or choose another disk",
  EFBIG: "the file would be larger than the disk allows; choose another disk",
  ENAMETOOLONG: "its name is too long; choose a shorter one",
  ELOOP: "its symbolic links lead in a circle; check the path",
  EMFILE: "too many files are open; try again later",
  ENFILE: "too many files are open; try again later",
};

/** Runs file system calls. A system error becomes OPERATION_FAILED "Cannot `verb` PATH: cause; what to do." */
export function withFileErrors<T>(verb: "read" | "write", path: string, call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw toFileError(verb, path, thrown);
  }
}

/** {@link withFileErrors} for asynchronous calls. */
export async function withFileErrorsAsync<T>(verb: "read" | "write", path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    throw toFileError(verb, path, thrown);
  }
}

function toFileError(verb: "read" | "write", path: string, thrown: unknown): unknown {
  const code = thrown instanceof Error && !(thrown instanceof ApiError) ? systemErrorCode(thrown) : undefined;
  return code === undefined ? thrown : fileError(verb, path, MEANINGS[code] ?? (thrown as Error).message);
}

/** The name of a system error, such as ENOENT. Deno omits it for some errors and gives their number in the message. */
function systemErrorCode(error: Error): string | undefined {
  if ("code" in error) return String(error.code);
  const [, number] = /\(os error (\d+)\)$/.exec(error.message) ?? [];
  return Object.entries(constants.errno).find(([, value]) => value === Number(number))?.[0];
}

/** OPERATION_FAILED for a file. `why` is the cause and, after a semicolon, what to do. */
export const fileError = (verb: "read" | "write", path: string, why: string): ApiError =>
  operationFailed(`Cannot ${verb} ${JSON.stringify(excerpt(path))}: ${why}.`);
