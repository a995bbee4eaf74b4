import { isAbsolute } from "node:path";
import type { Family } from "../catalog/setting.ts";
import { ApiError, excerpt, inputError } from "../core/api-error.ts";
import { extensionOf } from "../format/model-formats.ts";
import type { Printers } from "../printer/printers.ts";
import type { Scene } from "../scene/project.ts";

/** Throws UNSUPPORTED_SCENE where the printer is of another family (interface supplement, section 1, "422"). */
export function requireFamily({ setting: { printerType } }: Scene, family: Family): void {
  if (printerType.family === family) return;
  throw new ApiError(
    "UNSUPPORTED_SCENE",
    `This action needs a ${family} printer; the scene is for the ${printerType.family} printer ${printerType.label}. ` +
      "Change its machine with /v1/scene/update/, or use another scene.",
  );
}

/** Throws INPUT_ERROR unless the path is absolute and has one of the extensions (lower case, without dot) in any case. */
export function requireFile(file: string, extensions: readonly string[]): void {
  if (file === "") throw inputError("The path is empty: give the full path on the server's machine.");
  const extension = extensionOf(file);
  if (!extensions.includes(extension)) {
    const found = extension === "" ? "no extension" : `the extension .${extension}`;
    const taken = extensions.map((one) => `.${one}`).join(", ");
    const elsewhere = extension === "form" ? " A .form file is a project: open it with /v1/scene/open/." : "";
    throw inputError(`"${excerpt(file)}" has ${found}; this request takes ${taken}.${elsewhere}`);
  }
  requireAbsolute(file);
}

/** Throws INPUT_ERROR for a relative path: clients do not know the working folder of the server. */
export function requireAbsolute(file: string): void {
  if (!isAbsolute(file))
    throw inputError(`"${excerpt(file)}" is not an absolute path: give the full path on the server's machine.`);
}

/** What to say of a printer that is not connected: why, where it was named at the start, else `advice`, a part of a sentence. */
export function notConnectedMessage(printers: Printers, target: string, advice: string): string {
  const why = printers.whyMissing(target);
  if (why === undefined) return `No connected printer is called "${excerpt(target)}"${advice}.`;
  return `The printer "${excerpt(target)}" is named at the start, by --printers or --printer, but is not connected: ${why}.`;
}
