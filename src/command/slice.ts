import type { CommandModule } from "./command-module.ts";
import { describeScene } from "./describe-scene.ts";
import { defaultOutput, outputSteps } from "./outputs.ts";
import { parseWords } from "./parse-words.ts";
import { PREPARE_OPTIONS, PREPARE_USAGE, planPreparation } from "./prepare-steps.ts";
import { PLAN_OPTIONS, PLAN_USAGE, runPlan } from "./run-plan.ts";

const USAGE = `Usage: printwright slice PART… --printer NAME [--material NAME] [-o FILE]… [options]

Prepares parts for a printer and writes the job that it prints, without a server. Parts are model files (STL, 3MF, OBJ, STEP, …), all
on one plate, or one .form project. A whole print, from a part to the file for the printer's USB stick or web page:

  printwright slice bracket.stl --printer PRUSA-SL1S --orient --support -o bracket.sl1s

  -o, --output FILE    file to write (repeatable; default: the first part's name, in the present folder); its extension says what:
                       .sl1 .sl1s .goo .printjob  the job, in the printer's own format
                       .stl .obj .3mf .glb        the prepared parts with their supports
                       .form                      the project, to go on with
                       .png .webp                 a picture of the plate
                       An existing file is replaced, but never that of a part.

${PREPARE_USAGE}
${PLAN_USAGE}

Exit status: 0 written, 1 failed, 2 the words are wrong (nothing was begun), 130 interrupted (nothing is half written).`;

/** Files of these formats do not tell their units. */
const WITHOUT_UNITS = /\.(stl|obj|ply|off)$/i;

/** `printwright slice`: from parts to the job of a printer. */
export const sliceCommand: CommandModule = {
  usage: USAGE,
  async run(argv, open, output) {
    const { values, positionals } = parseWords(argv, {
      ...PREPARE_OPTIONS,
      ...PLAN_OPTIONS,
      output: { type: "string", short: "o", multiple: true },
    });
    const { steps, scene, printerType } = planPreparation(positionals, values);
    const areUnitsGuessed = values.units === undefined && positionals.some((file) => WITHOUT_UNITS.test(file));
    const files = values.output ?? [defaultOutput(positionals[0], printerType)];
    const outputs = outputSteps(files, positionals, scene, printerType);
    const metadata = { name: "metadata", request: "scene/metadata", body: { scene_id: scene } };
    return runPlan([...steps, ...outputs, metadata], values, open, output, (results) => {
      const { text, json } = describeScene(results.get("metadata"), areUnitsGuessed);
      return { text: `${files.join(", ")}: ${text}`, json: { files, ...json }, status: 0 };
    });
  },
};
