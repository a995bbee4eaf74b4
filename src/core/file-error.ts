import { type Stats, statSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";
import { ApiError, excerpt, operationFailed } from "./api-error.ts";

/** The error codes of the file system in plain words, each followed by what to do about it. */
const MEANINGS: Readonly<Record<string, string>> = {
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

const NUL = "its path holds a NUL character, which no file name can have; remove it";

/** Runs calls of the file system. A system error becomes OPERATION_FAILED "Cannot `verb` PATH: cause; what to do." */
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
  if (code === undefined) return thrown;
  if (path.includes("\0")) return fileError(verb, path, NUL);
  if (code === "ENOENT" || code === "ENOTDIR") return fileError(verb, path, whereItEnds(path));
  return fileError(verb, path, MEANINGS[code] ?? (thrown as Error).message);
}

/** Which part of a path is missing, and what to do. */
function whereItEnds(path: string): string {
  const folder = dirname(path);
  const existing = existingPart(folder);
  if (existing?.isFolder === false)
    return `${quoted(existing.path)} in its path is a file, not a folder; check the path`;
  if (existing?.path === folder) return "it does not exist, but its folder does; check the name";
  const end = existing ? `; of its path ${quoted(existing.path)} exists` : "";
  return `its folder does not exist${end}; create the folder or check the path`;
}

/** The longest existing part of a path. */
function existingPart(path: string): { readonly path: string; readonly isFolder: boolean } | undefined {
  const found = statIfPossible(path);
  if (found) return { path, isFolder: found.isDirectory() };
  const parent = dirname(path);
  return parent === path ? undefined : existingPart(parent);
}

function statIfPossible(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

const quoted = (path: string): string => JSON.stringify(excerpt(path));

/** The name of a system error, such as ENOENT. Deno omits it for some errors and gives their number in the message. */
export function systemErrorCode(error: Error): string | undefined {
  if ("code" in error) return String(error.code);
  const [, number] = /\(os error (\d+)\)$/.exec(error.message) ?? [];
  return Object.entries(constants.errno).find(([, value]) => value === Number(number))?.[0];
}

/** OPERATION_FAILED for a file. `why` is the cause and, after a semicolon, what to do. */
export const fileError = (verb: "read" | "write", path: string, why: string): ApiError =>
  operationFailed(`Cannot ${verb} ${quoted(path)}: ${why}.`);
