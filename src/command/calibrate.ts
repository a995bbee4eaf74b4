import { extname } from "node:path";
import * as v from "valibot";
import { materialsOf } from "../catalog/catalog.ts";
import { idSchema } from "../catalog/open-printer.ts";
import { type PrinterType, writtenJobExtension } from "../catalog/setting.ts";
import { inputError } from "../core/api-error.ts";
import { must } from "../core/must.ts";
import { chooseSetting, findPrinters } from "./choose-setting.ts";
import type { CommandModule } from "./command-module.ts";
import { requireWritableOutput, resultFile } from "./outputs.ts";
import { numberOf, parseWords } from "./parse-words.ts";
import { PLAN_OPTIONS, PLAN_USAGE, runPlans } from "./run-plan.ts";

const USAGE = `Usage: printwright calibrate PRINTER --resin NAME [-o FILE] [options]

Writes the job of a plate by which a resin is calibrated on a resin printer, and beside it a form (.csv) for what is read from the print.

  printwright calibrate "Mars 5" --resin ACME-TOUGH --exposure 2.4 -o plate.goo

  --resin NAME         the resin: the code of a material of the printer or of a resin of --machines, or a new code of yours in capital letters,
                       digits and hyphens, such as ACME-TOUGH
  --exposure S         its usual exposure in seconds (default: that of the material), about which the plate has others
  --layer MM           layer thickness (default: 0.05)
  -o, --output FILE    the job to write, with the extension of the printer's jobs, or FOLDER/ (default: calibration, in the present folder);
                       the form has the same name with .csv

${PLAN_USAGE}

Exit status: 0 written, 1 failed, 2 the words are wrong (nothing was begun), 130 interrupted (nothing is half written).`;

const OPTIONS = {
  ...PLAN_OPTIONS,
  exposure: { type: "string" },
  layer: { type: "string" },
  output: { type: "string", short: "o" },
} as const;

type CalibrateValues = ReturnType<typeof parseWords<typeof OPTIONS>>["values"];

/** `printwright calibrate`: the plate by which a resin is calibrated. */
export const calibrateCommand: CommandModule = {
  usage: USAGE,
  options: OPTIONS,
  namesResin: true,
  async run(argv, open, output) {
    const { values, positionals } = parseWords(argv, OPTIONS);
    const [printer, ...others] = positionals;
    if (printer === undefined || others.length > 0)
      throw inputError("name one printer; printwright printers lists them all");
    if (values.resin === undefined) throw inputError("name the resin with --resin: one of the printer or a new code");
    const printerType = must(findPrinters(printer)[0], "A printer");
    const [file, formFile] = outputFiles(values.output, printerType);
    const body = { ...combinationOf(printer, printerType, values), output_file: file, form_file: formFile };
    const conclude = (results: ReadonlyMap<string, any>) => {
      const { print_time_s, layer_count, readings, plate } = results.get("plate");
      const text = `${file}: ${layer_count} layers, ${Math.round(print_time_s / 60)} min, exposure ${plate.exposure_s} s\n${formFile}: the form for ${readings.length} readings`;
      return { text, json: { files: [file, formFile], ...results.get("plate") }, status: 0 };
    };
    return runPlans(
      [{ steps: [{ name: "plate", request: "calibration/plate", body }], conclude }],
      values,
      open,
      output,
    );
  },
};

/** The job and the form. */
function outputFiles(given: string | undefined, printerType: PrinterType): readonly [job: string, form: string] {
  const extension = writtenJobExtension(printerType);
  const file = resultFile(given, "calibration", { extension, printerType });
  if (extname(file) !== extension)
    throw inputError(`jobs for ${printerType.label} are ${extension} files: "${file}" is none`);
  const form = `${file.slice(0, -extension.length)}.csv`;
  for (const one of [file, form]) requireWritableOutput(one);
  return [file, form];
}

/** The combination that is printed: a new resin has the exposures of the generic one. */
function combinationOf(printer: string, printerType: PrinterType, values: CalibrateValues) {
  const { resin = "", exposure, layer } = values;
  const isKnown = materialsOf(printerType).some(({ code }) => code === resin);
  const material = isKnown || !v.is(idSchema, resin) ? resin : undefined;
  const { request } = chooseSetting({ printer, material, layer });
  const layerMm = Number(request.layer_thickness_mm);
  if (!Number.isFinite(layerMm)) throw inputError("--layer must be a thickness in mm: plates have equal layers");
  const exposureS = numberOf("exposure", exposure, "s");
  return {
    machine_type: printerType.machineType,
    material_code: request.material_code,
    layer_thickness_mm: layerMm,
    ...(exposureS !== undefined && { exposure_s: exposureS }),
  };
}
