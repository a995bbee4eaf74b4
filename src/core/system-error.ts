import { constants } from "node:os";
import { Fault, operationFailed } from "./fault.ts";
import { shortened } from "./shortened.ts";

/** What the file system's error codes mean to the person who gave the path, and what to do about it. */
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

/**
 * Runs file system calls; an error of the system becomes a fault OPERATION_FAILED "Cannot `verb` PATH: why; what to
 * do."
 */
export function withFile<T>(verb: "read" | "write", path: string, call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw faultOf(verb, path, thrown);
  }
}

/** {@link withFile} for calls that are awaited. */
export async function withFileAsync<T>(verb: "read" | "write", path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    throw faultOf(verb, path, thrown);
  }
}

function faultOf(verb: "read" | "write", path: string, thrown: unknown): unknown {
  const code = thrown instanceof Error && !(thrown instanceof Fault) ? codeOf(thrown) : undefined;
  return code === undefined ? thrown : fileFault(verb, path, MEANINGS[code] ?? (thrown as Error).message);
}

/** The system's name of an error. Deno leaves out those that it does not know, and tells their number in the message. */
function codeOf(error: Error): string | undefined {
  if ("code" in error) return String(error.code);
  const [, number] = /\(os error (\d+)\)$/.exec(error.message) ?? [];
  return Object.entries(constants.errno).find(([, value]) => value === Number(number))?.[0];
}

export const fileFault = (verb: "read" | "write", path: string, why: string): Fault =>
  operationFailed(`Cannot ${verb} ${JSON.stringify(shortened(path))}: ${why}.`);
