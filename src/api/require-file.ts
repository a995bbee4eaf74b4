import { isAbsolute } from "node:path";
import { inputError } from "../core/fault.ts";
import { shortened } from "../core/shortened.ts";
import { extensionOf } from "../format/readers.ts";

/** Refuses a path that is not absolute or whose extension, in any case, is not one of `extensions` (without dots). */
export function requireFile(file: string, extensions: readonly string[]): void {
  const extension = extensionOf(file);
  if (!extensions.includes(extension)) {
    const found = extension === "" ? "no extension" : `the extension .${extension}`;
    throw inputError(
      `"${shortened(file)}" has ${found}; this request takes ${extensions.map((one) => `.${one}`).join(", ")}.`,
    );
  }
  requireAbsolute(file);
}

/** Refuses a relative path: the server's working folder is nobody's business. */
export function requireAbsolute(file: string): void {
  if (!isAbsolute(file))
    throw inputError(`"${shortened(file)}" is not an absolute path: give the full path on the server's machine.`);
}
