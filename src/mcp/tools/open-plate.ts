import { extname } from "node:path";
import * as v from "valibot";
import { field } from "../../api/field.ts";
import { layerThickness } from "../../api/schema.ts";
import { inputError } from "../../core/api-error.ts";
import { chooseSetting } from "../../command/choose-setting.ts";
import { summarisePlate } from "../plate-summary.ts";
import { defineTool } from "../tool.ts";
import { warningsInWords } from "../tool-words.ts";
import type { ToolCall } from "../workspace.ts";

/** Begins a plate, or opens those of a project. */
export const openPlate = defineTool(
  {
    name: "open_plate",
    title: "Open a plate",
    description:
      "Begins an empty plate for a printer, or opens the plates of a .form project. Answers with the handle `plate` for the other tools.",
    fields: {
      printer: field(
        v.optional(v.string()),
        "Machine type or product name, such as PRUSA-SL1S. Required without file.",
      ),
      material: field(v.optional(v.string()), "Code or name; the printer's usual one if absent."),
      layer_mm: field(
        v.optional(layerThickness),
        'Layer thickness in mm, or "ADAPTIVE"; 0.05 or the usual one if absent.',
      ),
      print_setting: field(v.optional(v.string()), "Print setting, where a material has several."),
      file: field(v.optional(v.string()), "A .form project to open, in place of the other fields."),
    },
    hints: {},
  },
  async ({ file, printer, material, layer_mm, print_setting }, call) => {
    if (file !== undefined) {
      if (printer ?? material ?? layer_mm ?? print_setting)
        throw inputError("A project has its own printer, material and layers: leave the other fields out.");
      return openProject(file, call);
    }
    if (printer === undefined)
      throw inputError(
        'Name the printer of the plate ("printer"), or a .form project ("file"): list_printers has the printers.',
      );
    const { request } = chooseSetting({
      printer,
      material,
      layer: layer_mm === undefined ? undefined : String(layer_mm),
      printSetting: print_setting,
    });
    call.expect(3);
    const { scene_id } = await call.request("scene/create", request);
    return summarisePlate(call, call.workspace.plates.of(scene_id));
  },
);

interface OpenedScene {
  readonly scene_id: string;
  readonly scene_name: string;
}

async function openProject(file: string, call: ToolCall) {
  if (extname(file).toLowerCase() !== ".form")
    throw inputError("open_plate opens .form projects. For a model file, open a plate for a printer, and add_parts.");
  const { scenes, warnings = [] } = await call.request("scene/open", { file: call.workspace.root.source(file) });
  const plates = (scenes as readonly OpenedScene[]).map(({ scene_id }) => call.workspace.plates.of(scene_id));
  call.expect(1 + 2 * plates.length);
  const summaries = [];
  for (const plate of plates) summaries.push(await summarisePlate(call, plate));
  const [first] = summaries;
  const told = warningsInWords(warnings, call.workspace);
  return {
    lines: [...summaries.flatMap(({ lines }) => lines), ...told.lines],
    data: {
      ...(summaries.length === 1 ? first?.data : { plates: summaries.map(({ data }) => data) }),
      ...told.data,
    },
  };
}
