import { extname } from "node:path";
import * as v from "valibot";
import { materialsOf } from "../catalog/catalog.ts";
import { idSchema } from "../catalog/open-printer.ts";
import { type PrinterType, writtenJobExtension } from "../catalog/setting.ts";
import { inputError } from "../core/api-error.ts";
import { must } from "../core/must.ts";
import { alignColumns } from "./align-columns.ts";
import { chooseSetting, findPrinters } from "./choose-setting.ts";
import type { CommandModule } from "./command-module.ts";
import { requireWritableOutput, resultFile } from "./outputs.ts";
import { numberOf, parseWords } from "./parse-words.ts";
import { PLAN_OPTIONS, PLAN_USAGE, type Plan, runPlans } from "./run-plan.ts";

const USAGE = `Usage: printwright calibrate PRINTER --resin NAME [-o JOB] [options]
       printwright calibrate PRINTER --resin NAME --readings FORM.csv [-o MACHINES.json] [options]

Calibrates a resin on a resin printer by one print. Without --readings, writes the job of a plate, and beside it a form (.csv) for what is read
from the print; with --readings, computes the figures of the resin from the form that was filled in, and saves them.

  printwright calibrate "Mars 5" --resin ACME-TOUGH --exposure 2.4 -o plate.goo
  printwright calibrate "Mars 5" --resin ACME-TOUGH --readings plate.csv -o my-machines.json
  printwright slice part.stl --printer "Mars 5" --material ACME-TOUGH --machines my-machines.json -o part.goo

  --resin NAME         the resin: the code of a resin of --machines, or a new code of yours in capital letters, digits and hyphens, such as
                       ACME-TOUGH
  --exposure S         its usual exposure in seconds (default: that of the material), about which the plate has others
  --layer MM           layer thickness (default: 0.05)
  --readings FORM.csv  the form of the plate, filled in
  --reading-error MM   standard error of the lengths and thicknesses that were read (default 0.02)
  --tolerance MM       by how much bars may come out too thin at the recommended exposure (default 0.1)
  -o, --output FILE    the job to write, with the extension of the printer's jobs, or FOLDER/ (default: calibration, in the present folder);
                       the form has the same name with .csv. With --readings, the file of --machines to write: other entries of an
                       existing one stay; without it nothing is saved

${PLAN_USAGE}

Exit status: 0 written, 1 failed, 2 the words are wrong (nothing was begun), 130 interrupted (nothing is half written).`;

const OPTIONS = {
  ...PLAN_OPTIONS,
  exposure: { type: "string" },
  layer: { type: "string" },
  readings: { type: "string" },
  "reading-error": { type: "string" },
  tolerance: { type: "string" },
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
    const plan = values.readings === undefined ? planPlate(printer, printerType, values) : planFit(printerType, values);
    return runPlans([plan], values, open, output);
  },
};

/** The step that writes a plate. */
function planPlate(printer: string, printerType: PrinterType, values: CalibrateValues): Plan {
  requireNone(values, ["reading-error", "tolerance"], "for what was read: add --readings");
  const [file, formFile] = outputFiles(values.output, printerType);
  const body = { ...combinationOf(printer, printerType, values), output_file: file, form_file: formFile };
  return {
    steps: [{ name: "plate", request: "calibration/plate", body }],
    conclude(results) {
      const plate = results.get("plate");
      const text = [
        `${file}: ${plate.layer_count} layers, ${Math.round(plate.print_time_s / 60)} min, ${plate.plate.exposure_s} s each`,
        `${formFile}: a form for ${plate.readings.length} readings`,
      ].join("\n");
      return { text, json: { files: [file, formFile], ...plate }, status: 0 };
    },
  };
}

/** The step that computes the figures of a resin, and saves them. */
function planFit({ machineType }: PrinterType, values: CalibrateValues): Plan {
  requireNone(values, ["exposure", "layer"], "in the form: leave it out");
  const { readings: form_file, resin: resin_code, output: output_file } = values;
  if (output_file !== undefined) requireWritableOutput(output_file);
  const readingErrorMm = numberOf("reading-error", values["reading-error"]);
  const toleranceMm = numberOf("tolerance", values.tolerance);
  const body = {
    form_file,
    machine_type: machineType,
    resin_code,
    ...(output_file !== undefined && { output_file }),
    ...(readingErrorMm !== undefined && { reading_error_mm: readingErrorMm }),
    ...(toleranceMm !== undefined && { tolerance_mm: toleranceMm }),
  };
  return {
    steps: [{ name: "fit", request: "calibration/fit", body }],
    conclude(results) {
      const fit = results.get("fit");
      const saved = output_file === undefined ? "Nothing was saved: name a file of --machines with -o." : output_file;
      return { text: `${alignColumns(fit.figures.map(figureRow))}\n${saved}`, json: fit, status: 0 };
    },
  };
}

/** A figure for people. */
const figureRow = ({ name, value, standard_error, is_determined, needs }: Record<string, any>): string[] => [
  name,
  String(value),
  `± ${Number(standard_error.toPrecision(2))}`,
  is_determined ? "" : `not determined: read ${needs}`,
];

/** Throws for options without effect. */
function requireNone(values: CalibrateValues, options: readonly (keyof CalibrateValues)[], why: string): void {
  const given = options.find((option) => values[option] !== undefined);
  if (given !== undefined) throw inputError(`--${given} is ${why}`);
}

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
