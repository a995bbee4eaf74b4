import { PRINTER_TYPES, type Material, materialsOf } from "../catalog/catalog.ts";
import { inputError } from "../core/api-error.ts";
import { findPrinters } from "./choose-setting.ts";
import { alignColumns } from "./align-columns.ts";
import type { CommandModule } from "./command-module.ts";
import { parseWords } from "./parse-words.ts";

const json = { type: "boolean", default: false } as const;

/** `printwright printers`: lists the values of --printer. */
export const printersCommand: CommandModule = {
  usage: `Usage: printwright printers [--json]

Lists the printers that jobs can be prepared for: what --printer takes, their names, build volumes and job files.`,
  options: { json },
  async run(argv, _open, output) {
    const { values } = parseWords(argv, { json });
    const printers = PRINTER_TYPES.map(({ machineType, label, volume, jobExtension }) => ({
      machine_type: machineType,
      label,
      build_volume_dimensions_mm: volume.dimensionsMm,
      job_extension: jobExtension,
    }));
    const rows = printers.map((one) => [
      one.machine_type,
      one.label,
      `${one.build_volume_dimensions_mm.join(" × ")} mm`,
      one.job_extension,
    ]);
    output.line(values.json ? JSON.stringify(printers) : alignColumns(rows));
    return 0;
  },
};

const layersOf = ({ settings }: Material): string[] => [
  ...new Set(settings.map(({ combination }) => String(combination.layerThicknessMm))),
];

const MATERIALS_OPTIONS = { json, printer: { type: "string" } } as const;

/** `printwright materials`: lists the values of --material and --layer. */
export const materialsCommand: CommandModule = {
  usage: `Usage: printwright materials --printer NAME [--json]

Lists the materials of a printer: what --material takes, their names, and their layer thicknesses in millimetres.`,
  options: MATERIALS_OPTIONS,
  async run(argv, _open, output) {
    const { values } = parseWords(argv, MATERIALS_OPTIONS);
    if (values.printer === undefined)
      throw inputError("name the printer with --printer; printwright printers lists them all");
    const materials = findPrinters(values.printer).flatMap(materialsOf);
    const distinct = [...new Map(materials.map((material) => [material.code, material])).values()];
    const listed = distinct.map((one) => ({ code: one.code, label: one.label, layer_thicknesses_mm: layersOf(one) }));
    const rows = listed.map((one) => [one.code, one.label, one.layer_thicknesses_mm.join(", ").toLowerCase()]);
    output.line(values.json ? JSON.stringify(listed) : alignColumns(rows));
    return 0;
  },
};
