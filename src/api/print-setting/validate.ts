import * as v from "valibot";
import { validateCombination } from "../../catalog/validate.ts";
import { readsProject } from "../endpoint.ts";
import { layerThickness } from "../schema.ts";

const fields = {
  machine_type: v.optional(v.string()),
  material_code: v.optional(v.string()),
  print_setting: v.optional(v.string()),
  layer_thickness_mm: v.optional(layerThickness),
};

/** Fields of a combination that a request must give at least. */
const MIN_FIELDS = 3;

export const validatePrintSetting = readsProject(
  {
    method: "POST",
    path: "/v1/print-setting/validate/",
    summary: "Whether a combination exists; with one field left out, its valid values.",
    body: v.pipe(
      v.strictObject(fields),
      v.check(
        (body) => Object.keys(body).length >= MIN_FIELDS,
        `needs at least ${MIN_FIELDS} of ${Object.keys(fields).join(", ")}`,
      ),
    ),
    reply: v.object({
      valid: v.boolean(),
      options: v.optional(
        v.object({
          machine_types: v.optional(v.array(v.string())),
          material_codes: v.optional(v.array(v.string())),
          print_settings: v.optional(v.array(v.string())),
          layer_thicknesses_mm: v.optional(v.array(v.union([v.number(), v.literal("ADAPTIVE")]))),
        }),
      ),
    }),
  },
  (_project, body) => validateCombination(body),
);
