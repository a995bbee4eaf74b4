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
import { field, object, strictObject } from "../../api/field.ts";
import {
  machineType,
  materialCode,
  nonEmptyString,
  optionalCombination,
  sceneId,
  thicknessReply,
} from "../../api/schema.ts";
import { requireAbsolute } from "../../api/preconditions.ts";
import { saveFpsTask } from "./task.ts";

const settingReply = object({
  label: field(v.string(), "Name of the print setting, for people."),
  scene_settings: field(
    object({
      machine_type: machineType,
      material_code: materialCode,
      print_setting: field(v.string(), "Code of the print setting."),
      layer_thickness_mm: field(thicknessReply, 'Layer thickness in mm, or "ADAPTIVE".'),
    }),
    "Machine, material, print setting and layer thickness.",
  ),
});

export const listPrintSettings = servesServer(
  {
    method: "POST",
    path: "/v1/print-setting/list/",
    summary: "Lists all printer types with their materials and print settings, or only that of one connected printer.",
    body: strictObject({
      compatible_with: field(v.optional(v.string()), "Serial name of a connected printer; only its type is listed."),
    }),
    bodyOptional: true,
    reply: object({
      printer_types: field(
        v.array(
          object({
            label: field(v.string(), "Name of the printer type, for people."),
            supported_machine_type_ids: field(v.array(v.string()), "Ids of the machine types."),
            supported_product_names: field(v.array(v.string()), "Names of the products."),
            build_volume_dimensions_mm: field(
              v.array(v.number()),
              "Width, depth and height of the build volume in mm.",
            ),
            materials: field(
              v.array(
                object({
                  label: field(v.string(), "Name of the material, for people."),
                  description: field(v.string(), "Use of the material, in words for people; may be empty."),
                  material_settings: field(v.array(settingReply), "Print settings of the material."),
                }),
              ),
              "Materials of the printer.",
            ),
          }),
        ),
        "Types of printers.",
      ),
    }),
  },
  ({ printers }, { body: { compatible_with } }) => {
    if (compatible_with === undefined) return { printer_types: listPrinterTypes() };
    const { label } = typeOfPrinter(printers, compatible_with);
    return { printer_types: listPrinterTypes().filter((type) => type.label === label) };
  },
);

/** The type of a connected printer. Throws NOT_FOUND if there is none with that name, or if its type is not known. */
function typeOfPrinter(printers: Printers, serialName: string): PrinterType {
  const found = printers.list().find(({ id }) => id === serialName);
  const type = found && (isPrinter(found) ? found.printerType : found.remotePrinter?.printerType);
  const unknownModel = found && isPrinter(found) ? found.unknownModel : undefined;
  if (type && unknownModel === undefined) return type;
  const name = `"${excerpt(serialName)}"`;
  if (unknownModel !== undefined)
    throw notFound(
      `The print settings for ${name} are not known (${unknownModel}): correct its api_key in the printers file, or give its machine_type there.`,
    );
  if (!found?.remotePrinter) throw notFound(`No connected printer has the serial name ${name}.`);
  throw notFound(`The print settings for ${name} are not known: the catalog has no ${found.label}.`);
}

/** Least number of fields of a combination in a request. */
const MIN_FIELDS = 3;

export const validatePrintSetting = readsProject(
  {
    method: "POST",
    path: "/v1/print-setting/validate/",
    errors: ["INPUT_ERROR"],
    summary: "Checks whether a combination exists. If one field is absent, lists the valid values of that field.",
    body: v.pipe(
      strictObject(optionalCombination),
      v.check(
        (body) => Object.keys(body).length >= MIN_FIELDS,
        `needs at least ${MIN_FIELDS} of ${Object.keys(optionalCombination).join(", ")}`,
      ),
      v.metadata({ minProperties: MIN_FIELDS }),
    ),
    reply: object({
      valid: field(v.boolean(), "Whether the combination is in the catalog."),
      options: field(
        v.optional(
          object({
            machine_types: field(v.optional(v.array(v.string())), "Valid values of machine_type."),
            material_codes: field(v.optional(v.array(v.string())), "Valid values of material_code."),
            print_settings: field(v.optional(v.array(v.string())), "Valid values of print_setting."),
            layer_thicknesses_mm: field(
              v.optional(v.array(thicknessReply)),
              'Valid values of layer_thickness_mm, in mm or "ADAPTIVE".',
            ),
          }),
        ),
        "Valid values of the absent field; absent if all fields are given.",
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
    body: strictObject({
      scene_id: sceneId,
      file: field(
        nonEmptyString,
        "Absolute path of the .fps file to write. Its folder must exist; an existing file is replaced.",
      ),
    }),
    check: ({ file }) => {
      // Only for this request, the interface defines OPERATION_FAILED for a wrong extension.
      if (extname(file).toLowerCase() !== ".fps")
        throw operationFailed(`"${excerpt(file)}" does not end in .fps: give the file that extension.`);
      requireAbsolute(file);
    },
  },
  ({ setting }, { file }, context) => context.compute(saveFpsTask, { file, document: toFpsDocument(setting) }),
);
