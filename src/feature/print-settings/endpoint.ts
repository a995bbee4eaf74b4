import { extname } from "node:path";
import * as v from "valibot";
import { listPrinterTypes } from "../../catalog/catalog.ts";
import { toFpsDocument } from "../../catalog/custom-print-setting.ts";
import { validateCombination } from "../../catalog/resolve.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { excerpt, notFound, operationFailed } from "../../core/api-error.ts";
import { isPrinter } from "../../printer/printer.ts";
import type { Printers } from "../../printer/printers.ts";
import { readsProject, readsScene, servesServer } from "../../api/endpoint.ts";
import { requireAbsolute } from "../../api/preconditions.ts";
import { layerThickness, nonEmptyString, sceneId } from "../../api/schema.ts";
import { saveFps } from "./task.ts";

const settingReply = v.object({
  label: v.string(),
  scene_settings: v.object({
    machine_type: v.string(),
    material_code: v.string(),
    print_setting: v.string(),
    layer_thickness_mm: v.union([v.number(), v.literal("ADAPTIVE")]),
  }),
});

export const listPrintSettings = servesServer(
  {
    method: "POST",
    path: "/v1/print-setting/list/",
    summary: "Lists all printer types with their materials and print settings, or only that of one connected printer.",
    body: v.strictObject({ compatible_with: v.optional(v.string()) }),
    bodyOptional: true,
    reply: v.object({
      printer_types: v.array(
        v.object({
          label: v.string(),
          supported_machine_type_ids: v.array(v.string()),
          supported_product_names: v.array(v.string()),
          build_volume_dimensions_mm: v.array(v.number()),
          materials: v.array(
            v.object({ label: v.string(), description: v.string(), material_settings: v.array(settingReply) }),
          ),
        }),
      ),
    }),
  },
  ({ printers }, { body: { compatible_with } }) => {
    if (compatible_with === undefined) return { printer_types: listPrinterTypes() };
    const { label } = typeOfPrinter(printers, compatible_with);
    return { printer_types: listPrinterTypes().filter((type) => type.label === label) };
  },
);

/** The type of a connected printer. Throws NOT_FOUND where there is none of that name, or its type is not known. */
function typeOfPrinter(printers: Printers, serialName: string): PrinterType {
  const found = printers.list().find(({ id }) => id === serialName);
  const type = found && (isPrinter(found) ? found.printerType : found.remotePrinter?.printerType);
  const unknownModel = found && isPrinter(found) ? found.unknownModel : undefined;
  if (type && unknownModel === undefined) return type;
  const name = `"${excerpt(serialName)}"`;
  if (unknownModel !== undefined)
    throw notFound(
      `What fits ${name} is not known (${unknownModel}): correct its api_key in the printers file, or give its machine_type there.`,
    );
  if (!found?.remotePrinter) throw notFound(`No connected printer has the serial name ${name}.`);
  throw notFound(`What fits ${name} is not known: it is a ${found.label}, which the catalog does not have.`);
}

const fields = {
  machine_type: v.optional(v.string()),
  material_code: v.optional(v.string()),
  print_setting: v.optional(v.string()),
  layer_thickness_mm: v.optional(layerThickness),
};

/** Least number of fields of a combination in a request. */
const MIN_FIELDS = 3;

export const validatePrintSetting = readsProject(
  {
    method: "POST",
    path: "/v1/print-setting/validate/",
    errors: ["INPUT_ERROR"],
    summary: "Whether a combination exists. With one field omitted, lists the valid values of that field.",
    body: v.pipe(
      v.strictObject(fields),
      v.check(
        (body) => Object.keys(body).length >= MIN_FIELDS,
        `needs at least ${MIN_FIELDS} of ${Object.keys(fields).join(", ")}`,
      ),
      v.metadata({ minProperties: MIN_FIELDS }),
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

export const savePrintSetting = readsScene(
  {
    method: "POST",
    path: "/v1/print-setting/save/",
    summary: "Exports the scene's combination, with its overrides, to an .fps file.",
    body: v.strictObject({ scene_id: sceneId, file: nonEmptyString }),
    check: ({ file }) => {
      // Only for this request the interface has OPERATION_FAILED for a wrong extension.
      if (extname(file).toLowerCase() !== ".fps")
        throw operationFailed(`"${excerpt(file)}" does not end in .fps: give the file that extension.`);
      requireAbsolute(file);
    },
  },
  ({ setting }, { file }, context) => context.compute(saveFps, { file, document: toFpsDocument(setting) }),
);
