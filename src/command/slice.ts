import { basename, extname } from "node:path";
import type { PrinterType } from "../catalog/setting.ts";
import { newJobConverters } from "../convert/job-converters.ts";
import { parseJobConverters } from "../convert/parse-converters.ts";
import { inputError } from "../core/api-error.ts";
import type { CommandModule } from "./command-module.ts";
import { describeScene } from "./describe-scene.ts";
import { isFolder, outputSteps, resultExtension, resultFile } from "./outputs.ts";
import { parseWords } from "./parse-words.ts";
import { PIPE, extensionOfFormat, withPipes } from "./pipes.ts";
import { PREPARE_OPTIONS, PREPARE_USAGE, planPreparation } from "./prepare-steps.ts";
import { PLAN_OPTIONS, PLAN_USAGE, type Plan, printingOption, runPlans } from "./run-plan.ts";

const USAGE = `Usage: printwright slice PART… --printer NAME [--material NAME] [-o FILE]… [options]

Prepares parts for a printer and writes the job that it prints, without a server. Parts are model files (STL, 3MF, OBJ, STEP, …), all
on one plate, or one .form project. A whole print, from a part to the file for the printer's USB stick or web page:

  printwright slice bracket.stl --printer PRUSA-SL1S --orient --support -o bracket.sl1s
  printwright slice *.stl --each --printer "Mars 5" --orient --support -o jobs/
  cat bracket.stl | printwright slice - --format stl --printer SL1S -o - > bracket.sl1s

  -o, --output FILE    file to write (repeatable; default: the first part's name, in the present folder); its extension says what:
                       .sl1 .sl1s .goo .printjob  the job, in the printer's own format
                       .stl .obj .3mf .glb        the prepared parts with their supports
                       .form                      the project, to go on with
                       .png .webp                 a picture of the plate
                       FOLDER/ writes a file there with the part's name, and - writes to standard output.
                       An existing file is replaced, but never that of a part.
  --output-format EXT  what goes into FOLDER/ or to standard output, such as 3mf (default: the job); where no part comes from
                       standard input, --format says it, too
  --supports-without-grey
                       draw supports of jobs in black and white: grey rims weaken thin tips
  --anti-aliasing VOLUME
                       greys of jobs by the volume of each pixel within its layer, not by its area at the middle (default: AREA)
  --each               a plate and a result for each part, one after the other, instead of one plate with all parts; one that
                       fails does not stop the others (status 1 in the end)

${PREPARE_USAGE}
${PLAN_USAGE}

Exit status: 0 written, 1 failed, 2 the words are wrong (nothing was begun), 130 interrupted (nothing is half written).`;

/** Files of these formats do not state their units. */
const WITHOUT_UNITS = /\.(stl|obj|ply|off)$/i;

const OPTIONS = {
  ...PREPARE_OPTIONS,
  ...PLAN_OPTIONS,
  output: { type: "string", short: "o", multiple: true },
  "output-format": { type: "string" },
  "supports-without-grey": { type: "boolean", default: false },
  "anti-aliasing": { type: "string" },
  each: { type: "boolean", default: false },
} as const;

type SliceValues = ReturnType<typeof parseWords<typeof OPTIONS>>["values"];

/** `printwright slice`: makes the job of a printer from parts. */
export const sliceCommand: CommandModule = {
  usage: USAGE,
  options: OPTIONS,
  async run(argv, open, output) {
    const { values, positionals } = parseWords(argv, OPTIONS);
    const results = values.output ?? (positionals.includes(PIPE) ? [PIPE] : [undefined]);
    if (values.each) requireOneEach(positionals, results, values);
    const extension = extensionOfFormat(
      values["output-format"] ?? (positionals.includes(PIPE) ? undefined : values.format),
    );
    const { printerType } = planPreparation(values.each ? positionals.slice(0, 1) : positionals, values);
    const place = { extension, printerType };
    const words = { parts: positionals, results, format: values.format, printing: printingOption(values) };
    return withPipes({ ...words, resultExtension: () => resultExtension(place) }, output, (piped) => {
      const plates = values.each ? piped.parts.map((part) => [part]) : [piped.parts];
      const plans = plates.map((plate) => {
        const targets = piped.results.map((result, i): Target => {
          const file = resultFile(result, plate[0] ?? "", place);
          return { file, name: results[i] === PIPE ? "standard output" : file };
        });
        return { ...planPlate(plate, targets, values), inWords: piped.inWords };
      });
      return runPlans(plans, values, open, piped.output);
    });
  },
};

/** Throws where several parts would be written to one file, or their steps printed as one list. */
function requireOneEach(parts: readonly string[], results: readonly (string | undefined)[], values: SliceValues): void {
  if (parts.length <= 1) return;
  if (values["print-steps"]) throw inputError("--print-steps prints the steps of one plate: give one part with --each");
  const file = results.find((one) => one !== undefined && !isFolder(one));
  if (file !== undefined)
    throw inputError(`--each writes a file for each part: name a folder with -o, such as jobs/, not "${file}"`);
  const names = parts.map((part) => basename(part, extname(part)));
  const twice = names.findIndex((name, i) => names.indexOf(name) < i);
  if (twice >= 0)
    throw inputError(
      `"${parts[twice]}" would be written to the file of another part of that name: give them other names`,
    );
}

/** Throws, before the work that it would take to prepare the parts, where no program makes the jobs that the printer takes. */
function requireJobConverter(
  { jobConvertedFrom, jobExtension, label }: PrinterType,
  files: readonly string[],
  commands: readonly string[],
): void {
  if (jobConvertedFrom === undefined || !files.some((file) => extname(file).toLowerCase() === jobExtension)) return;
  newJobConverters(parseJobConverters(commands)).require(jobExtension, label);
}

/** Fields of the requests that write jobs; those that are not given have their defaults there. */
function jobFields(values: SliceValues): object {
  const antiAliasing = values["anti-aliasing"]?.toUpperCase();
  if (antiAliasing !== undefined && !["AREA", "VOLUME"].includes(antiAliasing)) {
    throw inputError(`--anti-aliasing is AREA or VOLUME, not "${values["anti-aliasing"]}"`);
  }
  return {
    ...(values["supports-without-grey"] && { supports_without_grey: true }),
    ...(antiAliasing !== undefined && { anti_aliasing: antiAliasing }),
  };
}

/** A file to write. */
interface Target {
  readonly file: string;
  /** For people and programs. */
  readonly name: string;
}

/** The steps that prepare parts and write them to files. */
function planPlate(parts: readonly string[], targets: readonly Target[], values: SliceValues): Plan {
  const { steps, scene, printerType } = planPreparation(parts, values);
  const files = targets.map(({ file }) => file);
  const names = targets.map(({ name }) => name);
  const outputs = outputSteps(files, parts, scene, printerType, jobFields(values));
  if (!values["print-steps"] && printerType) requireJobConverter(printerType, files, values["job-converter"]);
  const metadata = { name: "metadata", request: "scene/metadata", body: { scene_id: scene } };
  const areUnitsGuessed = values.units === undefined && parts.some((file) => WITHOUT_UNITS.test(file));
  return {
    steps: [...steps, ...outputs, metadata],
    conclude(results) {
      const { text, json } = describeScene(results.get("metadata"), areUnitsGuessed);
      return { text: `${names.join(", ")}: ${text}`, json: { files: names, ...json }, status: 0 };
    },
    ...(values.each && {
      title: parts.map((part) => basename(part)).join(", "),
      cleanUp: { request: "scene/delete", body: { scene_id: scene } },
    }),
  };
}
