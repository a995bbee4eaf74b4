import { statSync } from "node:fs";
import process from "node:process";
import { type ErrorFactory, inputError } from "./api-error.ts";
import { withFileErrors } from "./file-error.ts";

/** Permission bits of users other than the owner. */
const OTHERS = 0o077;

/** Throws INPUT_ERROR, or what `refuse` makes, if other users may read a file with secrets. Windows has permissions of another kind. */
export function requirePrivateFile(
  path: string,
  refuse: ErrorFactory = (why) => inputError(`${JSON.stringify(path)}: ${why}`),
): void {
  const { mode } = withFileErrors("read", path, () => statSync(path));
  if (process.platform !== "win32" && (mode & OTHERS) !== 0)
    throw refuse(`others on this machine can read it, and it may hold secrets: run chmod 600 ${JSON.stringify(path)}`);
}
