import * as v from "valibot";
import { field } from "../../api/field.ts";
import { type Material, materialsOf, printerTypes } from "../../catalog/catalog.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { excerpt, inputError } from "../../core/api-error.ts";
import { findPrinters, searchPrinters } from "../../command/choose-setting.ts";
import { layersOf } from "../../command/lists.ts";
import { MAX_LISTED, listed, quoted } from "../answer.ts";
import { defineTool } from "../tool.ts";
import type { ToolCall } from "../workspace.ts";

/** Lists printer types, the materials of one, and the printers that are connected. */
export const listPrinters = defineTool(
  {
    name: "list_printers",
    title: "List printers and materials",
    description:
      "Printer types that plates can be prepared for: their makers, or those with the words of `search` in their names; with `printer`, that printer's materials and layer thicknesses. Also the connected printers.",
    fields: {
      search: field(v.optional(v.string()), 'Words of maker or name, such as "Mars 5".'),
      printer: field(v.optional(v.string()), "Machine type or name, such as FORM-4-0: lists its materials."),
    },
    hints: { readOnlyHint: true },
  },
  async ({ search, printer }, call) => {
    const connected = await connectedPrinters(call);
    if (printer !== undefined) return withConnected(materialList(printer), connected);
    if (search === undefined) return withConnected(makerList(), connected);
    const found = searchPrinters(search);
    if (found.length === 0)
      throw inputError(
        `No printer has "${excerpt(search)}" in its name: search with one word of it, such as its maker.`,
      );
    return withConnected(
      {
        lines: [
          `${found.length} printer types${found.length > MAX_LISTED ? `, the first ${MAX_LISTED}: search narrows them` : ""}`,
          ...listed(found, lineOfType),
        ],
        data: { count: found.length, printers: found.slice(0, MAX_LISTED).map(typeOnWire) },
      },
      connected,
    );
  },
);

const typeOnWire = ({ machineType, label, family, volume, jobExtension }: PrinterType) => ({
  machine_type: machineType,
  label,
  family,
  build_volume_mm: [...volume.dimensionsMm],
  job_extension: jobExtension,
});

const lineOfType = ({ machineType, label, family, volume, jobExtension }: PrinterType): string =>
  `${machineType} (${label}), ${family}, ${volume.dimensionsMm.join(" × ")} mm, jobs ${jobExtension}`;

/** The makers of the printers, those with most types first. */
function makerList() {
  const byMaker = [...Map.groupBy(printerTypes(), ({ maker }) => maker)];
  const makers = byMaker
    .map(([maker, types]) => ({ maker, count: types.length }))
    .toSorted((a, b) => b.count - a.count);
  const names = makers.map(({ maker, count }) => `${maker} ${count}`).join(", ");
  return {
    lines: [`${printerTypes().length} printer types: ${names}. search lists those of a maker or a name.`],
    data: { count: printerTypes().length, makers },
  };
}

function materialList(printer: string) {
  const types = findPrinters(printer);
  const [first] = types;
  const materials = [...new Map(types.flatMap(materialsOf).map((material) => [material.code, material])).values()];
  const onWire = (material: Material) => ({
    code: material.code,
    label: material.label,
    layer_thicknesses_mm: layersOf(material),
  });
  return {
    lines: [
      ...(first ? [lineOfType(first)] : []),
      `${materials.length} materials:`,
      ...listed(
        materials.map(onWire),
        ({ code, label, layer_thicknesses_mm: mm }) => `${code} (${label}): ${mm.join(", ")} mm`,
        MAX_MATERIALS,
      ),
    ],
    data: {
      ...(first && { printer: typeOnWire(first) }),
      material_count: materials.length,
      materials: materials.slice(0, MAX_MATERIALS).map(onWire),
    },
  };
}

/** Printers have up to some dozens of materials, in short lines. */
const MAX_MATERIALS = 60;

interface Device {
  readonly id: string;
  readonly product_name: string;
  readonly status: string;
  readonly ready_to_print_now?: boolean;
}

async function connectedPrinters(call: ToolCall): Promise<readonly Device[]> {
  const { devices } = await call.request("device/list", {});
  return devices;
}

type Listing = ReturnType<typeof materialList> | { readonly lines: string[]; readonly data: object };

function withConnected({ lines, data }: Listing, devices: readonly Device[]) {
  if (devices.length === 0) return { lines, data: { ...data, connected: [] } };
  return {
    lines: [
      ...lines,
      "Connected:",
      ...listed(devices, ({ id, product_name, status }) => `${quoted(id)} ${quoted(product_name)}: ${quoted(status)}`),
    ],
    data: {
      ...data,
      connected: devices.slice(0, MAX_LISTED).map(({ id, product_name, status, ready_to_print_now }) => ({
        id,
        product_name,
        status,
        ready_to_print_now: ready_to_print_now ?? false,
      })),
    },
  };
}
