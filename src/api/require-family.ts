import type { Family } from "../catalog/setting.ts";
import { Fault } from "../core/fault.ts";
import type { Scene } from "../scene/project.ts";

/** UNSUPPORTED_SCENE where the action needs a printer of the other family (interface supplement, section 1, "422"). */
export function requireFamily({ setting: { printerType } }: Scene, family: Family): void {
  if (printerType.family === family) return;
  throw new Fault(
    "UNSUPPORTED_SCENE",
    `This action needs a ${family} printer; the scene is for the ${printerType.family} printer ${printerType.label}. ` +
      "Change its machine with /v1/scene/update/, or use another scene.",
  );
}
