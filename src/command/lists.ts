import { printerTypes, type Material, materialsOf } from "../catalog/catalog.ts";
import type { PrinterType } from "../catalog/setting.ts";
import { machinesFileSchema } from "../catalog/machines-file.ts";
import { excerpt, inputError } from "../core/api-error.ts";
import { protocolsFor } from "../printer/printer-protocols.ts";
import { findPrinters, searchPrinters } from "./choose-setting.ts";
import { alignColumns } from "./align-columns.ts";
import type { CommandModule } from "./command-module.ts";
import { MACHINES_OPTION } from "./machines-option.ts";
import { parseWords } from "./parse-words.ts";

const json = { type: "boolean", default: false } as const;

const PRINTERS_OPTIONS = {
  json,
  maker: { type: "string" },
  search: { type: "string" },
  schema: { type: "boolean", default: false },
  ...MACHINES_OPTION,
} as const;

/** `printwright printers`: lists the values of --printer. */
export const printersCommand: CommandModule = {
  usage: `Usage: printwright printers [--maker NAME] [--search TEXT] [--json] [--machines FILE]…
       printwright printers --schema

Lists the printers that jobs can be prepared for: what --printer takes, their names, build volumes and job files. Files
that are made of others need a program of yours, given by --job-converter (printwright help slice).

  --maker NAME    only those of this maker
  --search TEXT   only those with all of these words in their names
  --json          as JSON
  --machines FILE with those of this file, too (repeatable)
  --schema        print the JSON Schema of the files of --machines, by which editors complete and check them`,
  options: PRINTERS_OPTIONS,
  async run(argv, _open, output) {
    const { values } = parseWords(argv, PRINTERS_OPTIONS);
    if (values.schema) {
      output.line(JSON.stringify(await machinesSchema(), null, 2));
      return 0;
    }
    const printers = printersOf(values);
    output.line(values.json ? JSON.stringify(printers.map(printerJson)) : alignColumns(printers.map(printerRow)));
    return 0;
  },
};

const printerJson = (type: PrinterType) => ({
  machine_type: type.machineType,
  maker: type.maker,
  label: type.label,
  build_volume_dimensions_mm: type.volume.dimensionsMm,
  pixels: type.raster.pixels,
  job_extension: type.jobExtension,
  ...(type.jobConvertedFrom !== undefined && { job_converted_from: type.jobConvertedFrom }),
  network: protocolsFor(type),
});

const printerRow = ({ machineType, label, volume, jobExtension, jobConvertedFrom }: PrinterType): string[] => [
  machineType,
  label,
  `${volume.dimensionsMm.join(" × ")} mm`,
  jobConvertedFrom === undefined ? jobExtension : `${jobExtension} (made of ${jobConvertedFrom} by --job-converter)`,
];

/** The JSON Schema of a machines file. */
async function machinesSchema(): Promise<object> {
  const { jsonSchemaOf } = await import("../api/openapi-schemas.ts");
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Machines of Printwright",
    ...jsonSchemaOf(machinesFileSchema, "input"),
  };
}

/** The printers of a maker, and with all words of a text; all of them without either. Throws INPUT_ERROR where there are none. */
function printersOf({
  maker,
  search = "",
}: {
  maker?: string | undefined;
  search?: string | undefined;
}): PrinterType[] {
  const found = searchPrinters(search);
  if (maker === undefined) return requireSome(found, `has "${excerpt(search)}" in its name`);
  const isMaker = (name: string): boolean => name.toLowerCase() === maker.toLowerCase();
  const makers = [...new Set(printerTypes().map((type) => type.maker))];
  if (!makers.some(isMaker)) throw inputError(`no printer is of "${excerpt(maker)}". The makers: ${makers.join(", ")}`);
  return requireSome(
    found.filter((type) => isMaker(type.maker)),
    `of ${maker} has "${excerpt(search)}" in its name`,
  );
}

function requireSome(found: PrinterType[], what: string): PrinterType[] {
  if (found.length > 0) return found;
  throw inputError(`no printer ${what}: printwright printers lists them all`);
}

/** The layer thicknesses of a material, millimetres or `ADAPTIVE`. */
export const layersOf = ({ settings }: Material): string[] => [
  ...new Set(settings.map(({ combination }) => String(combination.layerThicknessMm))),
];

const MATERIALS_OPTIONS = { json, printer: { type: "string" }, ...MACHINES_OPTION } as const;

/** `printwright materials`: lists the values of --material and --layer. */
export const materialsCommand: CommandModule = {
  usage: `Usage: printwright materials --printer NAME [--json] [--machines FILE]…

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
