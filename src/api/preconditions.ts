import { isAbsolute } from "node:path";
import type { Family } from "../catalog/setting.ts";
import { layerFactors } from "../catalog/shrink-factors.ts";
import { ApiError, excerpt, inputError, operationFailed } from "../core/api-error.ts";
import { shortNumber } from "../core/quantities.ts";
import { runStepwise } from "../core/steps.ts";
import { extensionOf } from "../format/model-formats.ts";
import type { Printers } from "../printer/printers.ts";
import { layerBoundariesOf } from "../scene/layers.ts";
import { isInBounds } from "../scene/placement.ts";
import { type Scene, quotedName } from "../scene/project.ts";

/** Throws UNSUPPORTED_SCENE if the printer is of another family (interface supplement, section 1, "422"). */
export function requireFamily({ setting: { printerType } }: Scene, family: Family): void {
  if (printerType.family === family) return;
  throw new ApiError(
    "UNSUPPORTED_SCENE",
    `This action needs a ${family} printer; the scene is for the ${printerType.family} printer ${printerType.label}. ` +
      "Change its machine with /v1/scene/update/, or use another scene.",
  );
}

export interface FileOptions {
  /** Extensions that have a separate error: messages do not list them. */
  readonly unlisted?: readonly string[];
  /** Advice for a project file, which this request does not read. */
  readonly ofProject?: string;
}

/** Throws INPUT_ERROR unless the path is absolute and has one of the extensions (lower case, without dot) in any case. */
export function requireFile(
  file: string,
  extensions: readonly string[],
  { unlisted = [], ofProject = "open it with /v1/scene/open/" }: FileOptions = {},
): void {
  if (file === "") throw inputError("The path is empty: give an absolute path on the server's machine.");
  const extension = extensionOf(file);
  if (!extensions.includes(extension)) {
    const found = extension === "" ? "no extension" : `the extension .${extension}`;
    const listed = extensions.filter((one) => !unlisted.includes(one));
    const taken = listed.map((one) => `.${one}`).join(", ");
    const elsewhere = extension === "form" ? ` A .form file is a project: ${ofProject}.` : "";
    throw inputError(`"${excerpt(file)}" has ${found}; this request takes ${taken}.${elsewhere}`);
  }
  requireAbsolute(file);
}

/** Throws INPUT_ERROR for a relative path: clients do not know the working folder of the server. */
export function requireAbsolute(file: string): void {
  if (!isAbsolute(file))
    throw inputError(`"${excerpt(file)}" is not an absolute path: give the absolute path on the server's machine.`);
}

/**
 * Message about a printer that is not connected: the reason if it was named at the start or answers and cannot be used, else `advice`, the rest
 * of the sentence.
 */
export function notConnectedMessage(printers: Printers, target: string, advice: string): string {
  const why = printers.whyMissing(target);
  if (why === undefined) {
    const found = printers.unusable().find(({ id, ipAddress }) => id === target || ipAddress === target);
    if (found) return `The printer "${excerpt(target)}" answers and cannot be used: ${found.reason}.`;
    return `No connected printer is called "${excerpt(target)}"${advice}.`;
  }
  return `The printer "${excerpt(target)}" is named at the start, by --printers or --printer, but is not connected: ${why}.`;
}

/**
 * Throws OPERATION_FAILED for a scene from which no job can be made: empty, or out of bounds.
 */
export async function requirePrintable(scene: Scene): Promise<void> {
  if ((await runStepwise(layerBoundariesOf(scene))).length < 2)
    throw operationFailed("There is nothing to print above the platform: import a model, or move the models up.");
  const outside = scene.models.find((model) => !isInBounds(model, scene.setting));
  if (outside)
    throw operationFailed(
      `The model ${quotedName(outside)} is out of the build volume${enlargedBy(scene)}: move it inside, scale it down, or delete it.`,
    );
}

/** Says that models are enlarged, since they may be in the volume without that. */
function enlargedBy({ setting }: Scene): string {
  const factors = layerFactors(setting);
  if (factors.every((factor) => factor === 1)) return "";
  return ` when it is enlarged by ${factors.map((factor) => shortNumber(factor, 4)).join(", ")} against shrinkage`;
}
