import * as v from "valibot";
import { settingFromFps } from "../../catalog/custom-print-setting.ts";
import { resolveCombination } from "../../catalog/resolve.ts";
import type { Setting } from "../../catalog/setting.ts";
import { withinFault } from "../../core/fault.ts";
import type { Kit } from "../endpoint.ts";
import { requireFile } from "../require-file.ts";
import { layerThickness, oneOf } from "../schema.ts";

const manual = {
  machine_type: v.string(),
  material_code: v.string(),
  print_setting: v.optional(v.string()),
  layer_thickness_mm: layerThickness,
};

const fps = { fps_file: v.string() };

export type CombinationRequest = v.InferOutput<v.StrictObjectSchema<typeof manual, undefined>> | { fps_file: string };

/** A body that names a combination by its parts or by an `.fps` file, beside the fields of `others`. */
export function combinationBody<Others extends v.ObjectEntries>(others: Others) {
  type Shape = v.GenericSchema<unknown, v.InferOutput<v.ObjectSchema<Others, undefined>> & CombinationRequest>;
  const byParts = v.strictObject({ ...others, ...manual }) as unknown as Shape;
  const byFile = v.strictObject({ ...others, ...fps }) as unknown as Shape;
  return oneOf({ fps_file: byFile }, byParts);
}

export function checkCombination(request: CombinationRequest): void {
  if ("fps_file" in request) requireFile(request.fps_file, ["fps"]);
}

/** The setting that a request names. INPUT_ERROR when no shipped setting matches or the file has no usable one. */
export async function settingOf(request: CombinationRequest, kit: Kit): Promise<Setting> {
  if (!("fps_file" in request)) return resolveCombination(request);
  const document = await kit.compute("openFps", request.fps_file);
  return withinFault("INPUT_ERROR", `"${request.fps_file}" has no usable print setting`, () =>
    settingFromFps(document),
  );
}
