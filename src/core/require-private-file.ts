import { statSync } from "node:fs";
import process from "node:process";
import { inputError } from "./api-error.ts";
import { withFileErrors } from "./file-error.ts";

/** Permission bits of users other than the owner. */
const OTHERS = 0o077;

/** Throws INPUT_ERROR if other users may read a file with secrets. Windows has no such bits. */
export function requirePrivateFile(path: string): void {
  const { mode } = withFileErrors("read", path, () => statSync(path));
  if (process.platform !== "win32" && (mode & OTHERS) !== 0)
    throw inputError(`Other users may read ${path}, which holds a secret: run chmod 600 on it.`);
}
