import { extname } from "node:path";
import * as v from "valibot";
import { fpsOf } from "../../catalog/custom-print-setting.ts";
import { operationFailed } from "../../core/fault.ts";
import { readsScene } from "../endpoint.ts";
import { requireAbsolute } from "../require-file.ts";
import { nonEmptyString, sceneId } from "../schema.ts";

export const savePrintSetting = readsScene(
  {
    method: "POST",
    path: "/v1/print-setting/save/",
    summary: "Exports the scene's combination, with its overrides, to an .fps file.",
    body: v.strictObject({ scene_id: sceneId, file: nonEmptyString }),
    check: ({ file }) => {
      // The one request where the interface wants OPERATION_FAILED for a wrong extension.
      if (extname(file).toLowerCase() !== ".fps")
        throw operationFailed(`"${file}" does not end in .fps: give the file that extension.`);
      requireAbsolute(file);
    },
  },
  ({ setting }, { file }, kit) => kit.compute("saveFps", { file, document: fpsOf(setting) }),
);
