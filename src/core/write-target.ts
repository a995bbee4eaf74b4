import { accessSync, constants, lstatSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { newId } from "./id.ts";
import { fileFault, withFile } from "./system-error.ts";

/** Where a file that is written whole or not at all comes to lie. */
export interface WriteTarget {
  readonly target: string;
  /** A name of no other file, in the same folder, to be renamed once it is whole. */
  readonly temporary: string;
  /** The permission bits of the file that stands at the target. */
  readonly mode?: number;
}

/** Faults: OPERATION_FAILED for a missing parent folder, missing permission, a target that is no regular file. */
export function writeTargetOf(path: string): WriteTarget {
  const found = withFile("write", path, () => targetOf(path));
  return { ...found, temporary: join(dirname(found.target), `.${newId()}.part`) };
}

/** The first failure is the one to tell: on a disk that turned read-only, removing fails as well. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

function targetOf(path: string): Omit<WriteTarget, "temporary"> {
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  if (!folder) throw fileFault("write", path, "its folder does not exist; create the folder or choose another path");
  const old = statSync(path, { throwIfNoEntry: false });
  if (!old) return { target: path };
  if (old.isDirectory()) throw fileFault("write", path, "it is a folder; give the path of a file");
  if (!old.isFile()) throw fileFault("write", path, "it is a device, pipe or socket; give the path of a regular file");
  accessSync(path, constants.W_OK);
  // Only a link is resolved: Bun's realpath misses a file while another program replaces it.
  return { target: lstatSync(path).isSymbolicLink() ? realpathSync(path) : path, mode: old.mode & 0o7777 };
}
