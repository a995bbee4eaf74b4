import { basename, extname } from "node:path";
import { writtenJobExtension } from "../catalog/setting.ts";
import { inputError } from "../core/api-error.ts";
import { must } from "../core/must.ts";
import { findPrinters } from "./choose-setting.ts";
import type { CommandModule } from "./command-module.ts";
import { reportDifferences, reportFindings, reportInfo } from "./job-reports.ts";
import { requireWritableOutput, resultFile } from "./outputs.ts";
import { numberOf, parseWords } from "./parse-words.ts";
import { PIPE_OPTIONS, withPipes } from "./pipes.ts";
import { type Conclusion, PLAN_OPTIONS, PLAN_USAGE, printingOption, runPlans } from "./run-plan.ts";
import type { GivenStep } from "./steps-file.ts";

const USAGE = `Usage: printwright job info|check|layers|convert|compare FILE… [options]

Reads files that resin printers print from, made by this or another program, without a server.

  printwright job info plate.ctb
  printwright job check plate.ctb
  printwright job layers plate.ctb --layer 12 -o layer.png
  printwright job convert plate.ctb --printer "Mars 5" -o plate.goo
  printwright job convert plate.ctb --exposure 2.4 --bottom-exposure 28 -o slower.ctb
  printwright job compare plate.ctb earlier.ctb

info FILE      its printer, layers, exposures and totals
  --measure            read the layers, too, for the resin that they take
check FILE     what would spoil the print: islands (regions that touch nothing of the layer below), cups (spaces that enclose resin while
               they are printed), overhangs too far from their support, light at the edge of the panel, and dark layers between others
  --bridging MM        distance over which solid holds without support (default 5)
  --angle DEGREES      from horizontal, from which slopes support themselves (default 45)
layers FILE    writes layers as PNG pictures; 0 is the lowest layer
  --layer N            only this one
  --from N, --to N     only from this one, only up to this one
  --raw                as they are in the file, mirrored or turned as the printer takes them; otherwise seen from above
  -o, --output FILE    the picture, or FOLDER/, or - for standard output (one layer only); several get their numbers into their names
convert FILE   writes the job for another printer, in another format, or with other exposures, without slicing again; pixels stay as they are
               where both printers have the same, and a job that the other one would cut is refused
  -o, --output FILE    the job to write, with the extension of its printer, or FOLDER/, or -; for printers with encrypted files the
                       one of which a program of yours makes them, such as .sl1
  --printer NAME       its printer (default: that of the job); printwright printers lists them all
  --exposure S, --bottom-exposure S, --bottom-layers N, --transition-layers N
                       other exposures, of normal and of the first layers, in seconds
  --wait-before-lift S, --wait-after-lift S, --wait-after-retract S
                       other rests of all layers, in seconds
  --lift MM, --lift-speed MM_MIN, --retract-speed MM_MIN
                       another lift of all layers, in one stage
compare FILE OTHER
               what differs between two jobs, and in which layers

  --format EXT         the extension of the job that - reads from standard input

${PLAN_USAGE}

Exit status: 0 done, nothing found or equal; 1 a finding, a difference or a failure; 2 the words are wrong (nothing was begun); 130 interrupted
(nothing is half written).`;

const text = { type: "string" } as const;

const OPTIONS = {
  ...PLAN_OPTIONS,
  ...PIPE_OPTIONS,
  output: { type: "string", short: "o" },
  measure: { type: "boolean", default: false },
  bridging: text,
  angle: text,
  layer: text,
  from: text,
  to: text,
  raw: { type: "boolean", default: false },
  printer: text,
  exposure: text,
  "bottom-exposure": text,
  "bottom-layers": text,
  "transition-layers": text,
  "wait-before-lift": text,
  "wait-after-lift": text,
  "wait-after-retract": text,
  lift: text,
  "lift-speed": text,
  "retract-speed": text,
} as const;

type JobValues = ReturnType<typeof parseWords<typeof OPTIONS>>["values"];

/** The files of a command, with those in place of pipes. */
interface JobFiles {
  readonly files: readonly string[];
  readonly output: string | undefined;
}

/** What is done with job files. */
interface JobAction {
  /** Number of files. */
  readonly files: 1 | 2;
  /** Options that only this and some other actions take. */
  readonly options: readonly (keyof typeof OPTIONS)[];
  readonly step: (values: JobValues, files: JobFiles) => Omit<GivenStep, "name">;
  readonly conclude: (reply: Readonly<Record<string, any>>, body: Readonly<Record<string, any>>) => Conclusion;
  /** The extension of a result on standard output. */
  readonly resultExtension?: (values: JobValues) => string;
}

/** The fields of job/convert by their options. */
const CHANGES = {
  exposure: "exposure_s",
  "bottom-exposure": "bottom_exposure_s",
  "bottom-layers": "bottom_layer_count",
  "transition-layers": "transition_layer_count",
  "wait-before-lift": "wait_before_lift_s",
  "wait-after-lift": "wait_after_lift_s",
  "wait-after-retract": "wait_after_retract_s",
  lift: "lift_mm",
  "lift-speed": "lift_speed_mm_min",
  "retract-speed": "retract_speed_mm_min",
} as const;

const CHANGE_OPTIONS = Object.keys(CHANGES) as (keyof typeof CHANGES)[];

const ACTIONS: Readonly<Record<string, JobAction>> = {
  info: {
    files: 1,
    options: ["measure"],
    step: ({ measure }, { files: [file] }) => ({
      request: "job/inspect",
      body: { file, read_layers: measure, checks: [] },
    }),
    conclude: reportInfo,
  },
  check: {
    files: 1,
    options: ["bridging", "angle"],
    step: (values, { files: [file] }) => ({
      request: "job/inspect",
      body: {
        file,
        ...numberField("bridging_distance_mm", "bridging", values),
        ...numberField("self_supporting_angle_deg", "angle", values),
      },
    }),
    conclude: reportFindings,
  },
  layers: {
    files: 1,
    options: ["layer", "from", "to", "raw", "output"],
    step: layersStep,
    conclude: ({ output_files: files }) => ({
      text: files.length === 1 ? files[0] : `${files.length} pictures, from ${files[0]} to ${files.at(-1)}`,
      json: { files },
      status: 0,
    }),
    resultExtension: () => ".png",
  },
  convert: {
    files: 1,
    options: ["printer", "output", ...CHANGE_OPTIONS],
    step: convertStep,
    conclude: (reply, { output_file: output }) => ({
      text: `${output}: ${reply.layer_count} layers for ${reply.machine_type}, ${reply.is_exact ? "pixel by pixel" : "with other pixels"}`,
      json: { file: output, ...reply },
      status: 0,
    }),
    resultExtension: ({ printer }) => {
      if (printer === undefined) throw inputError("name the printer of the job with --printer");
      return writtenJobExtension(must(findPrinters(printer)[0], "A printer"));
    },
  },
  compare: {
    files: 2,
    options: [],
    step: (_, { files: [file, other] }) => ({ request: "job/compare", body: { file, other_file: other } }),
    conclude: reportDifferences,
  },
};

/** Options that all actions take. */
const COMMON: ReadonlySet<string> = new Set([...Object.keys(PLAN_OPTIONS), ...Object.keys(PIPE_OPTIONS)]);

/** `printwright job`: reads, checks, draws, converts and compares job files. */
export const jobCommand: CommandModule = {
  usage: USAGE,
  options: OPTIONS,
  async run(argv, open, output) {
    const { values, positionals } = parseWords(argv, OPTIONS);
    const [name = "", ...files] = positionals;
    const action = Object.hasOwn(ACTIONS, name) ? must(ACTIONS[name], "An action") : undefined;
    if (!action)
      throw inputError(`say what to do with the job: ${Object.keys(ACTIONS).join(", ")}; "${name}" is none of them`);
    if (files.length !== action.files)
      throw inputError(
        `printwright job ${name} takes ${action.files === 1 ? "one file" : "two files"}, not ${files.length}`,
      );
    requireOptions(name, action, values);
    const piped = {
      parts: files,
      results: [values.output],
      format: values.format,
      printing: printingOption(values),
      resultExtension: () => action.resultExtension?.(values) ?? "",
    };
    return withPipes(piped, output, (found) => {
      const given: JobFiles = { files: found.parts, output: found.results[0] };
      const step: GivenStep = { name, ...action.step(values, given) };
      const conclude = (results: ReadonlyMap<string, any>) => action.conclude(results.get(name), step.body ?? {});
      return runPlans([{ steps: [step], conclude, inWords: found.inWords }], values, open, found.output);
    });
  },
};

/** Throws for an option of another action: it would have no effect. */
function requireOptions(name: string, action: JobAction, values: JobValues): void {
  const taken = new Set<string>([...COMMON, ...action.options]);
  const other = Object.entries(values).find(
    ([option, value]) => !taken.has(option) && value !== undefined && value !== false,
  );
  if (other)
    throw inputError(`--${other[0]} is no option of printwright job ${name}: printwright job --help has them all`);
}

function numberField(field: string, option: keyof JobValues & string, values: JobValues): object {
  const given = values[option];
  return typeof given === "string" ? { [field]: numberOf(option, given) } : {};
}

function layersStep(values: JobValues, { files: [file = ""], output }: JobFiles): Omit<GivenStep, "name"> {
  if (output === undefined) throw inputError("name the picture or the folder to write with -o");
  const { layer, from, to, raw } = values;
  if (layer !== undefined && (from ?? to) !== undefined)
    throw inputError("--layer is one layer: leave --from and --to out");
  const target = resultFile(output, file, { extension: ".png" });
  if (extname(target) !== ".png") throw inputError(`"${target}" is no .png file`);
  requireWritableOutput(target);
  const [first, last] = [layer ?? from, layer ?? to];
  return {
    request: "job/layers",
    body: {
      file,
      output_file: target,
      raw,
      ...(first !== undefined && { first_layer: numberOf("from", first) }),
      ...(last !== undefined && { last_layer: numberOf("to", last) }),
    },
  };
}

function convertStep(values: JobValues, { files: [file = ""], output }: JobFiles): Omit<GivenStep, "name"> {
  if (output === undefined) throw inputError("name the job to write with -o");
  const printerType = values.printer === undefined ? undefined : must(findPrinters(values.printer)[0], "A printer");
  const extension = printerType === undefined ? extname(file) : writtenJobExtension(printerType);
  const target = resultFile(output, basename(file), { extension, printerType });
  requireWritableOutput(target);
  const changes = CHANGE_OPTIONS.map((option) => numberField(CHANGES[option], option, values));
  return {
    request: "job/convert",
    body: Object.assign(
      { file, output_file: target, ...(printerType && { machine_type: printerType.machineType }) },
      ...changes,
    ),
  };
}
