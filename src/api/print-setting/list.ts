import * as v from "valibot";
import { listPrinterTypes } from "../../catalog/list.ts";
import { notFound } from "../../core/fault.ts";
import { shortened } from "../../core/shortened.ts";
import { servesServer } from "../endpoint.ts";

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
    summary: "Every printer type with its materials and print settings, or that of one connected printer.",
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
    const printer = printers.list().find(({ id }) => id === compatible_with);
    if (!printer) throw notFound(`No connected printer has the serial name "${shortened(compatible_with)}".`);
    const { label } = printer.printerType;
    return { printer_types: listPrinterTypes().filter((type) => type.label === label) };
  },
);
