import process from "node:process";
import { buffer } from "node:stream/consumers";
import { excerpt, inputError } from "../core/api-error.ts";
import type { CommandModule } from "./command-module.ts";
import { parseWords } from "./parse-words.ts";
import { catchInterrupts } from "./perform.ts";
import { newJsonReporter, newTerminalReporter, performSteps } from "./perform-steps.ts";
import { checkSteps, readSteps, readStepsFile } from "./steps-file.ts";
import { WORK_OPTIONS, WORK_USAGE, convertedExtensions, readWorkArguments } from "./work-arguments.ts";

const USAGE = `Usage: printwright run STEPS.json [--json] [options]

Carries out a list of requests, one after the other, without a server: those of the HTTP interface (--openapi prints them all),
with the same bodies, checks and errors. STEPS.json, or - for standard input, is a list of steps:

  [
    {"name": "plate", "request": "scene/create",
     "body": {"machine_type": "PRUSA-SL1S", "material_code": "GENERIC-RESIN", "layer_thickness_mm": 0.05}},
    {"name": "part", "request": "scene/model/import",
     "body": {"scene_id": {"$": "plate.scene_id"}, "file": "bracket.stl"}},
    {"request": "scene/model/auto-support",
     "body": {"scene_id": {"$": "plate.scene_id"}, "model_ids": [{"$": "part.new_models.0.model_id"}]}},
    {"request": "scene/export",
     "body": {"scene_id": {"$": "plate.scene_id"}, "file": "bracket.sl1s"}}
  ]

A request is named as scene/create or by its whole path, /v1/scene/create/. {"$": "NAME.FIELD.0"} stands for a part of the result of
an earlier step: its name, then fields and indexes. Relative paths (file, fps_file) are those from the present folder. Some requests
take a "query" beside the body. The whole file is checked, as far as that goes, before the first step begins. The scene that a server
has from its start is there, too: scene/list gives its id.

  -q, --quiet         print warnings and errors alone
  --each              read from standard input, in place of STEPS.json, a line of JSON for each list of steps:
                      {"id": "7", "file": "plate.json", "folder": "orders/7"}, whose paths are those from its folder;
                      as many at once as there are --threads, each with scenes of its own; prints lines as --json, each
                      with the id, and last {"id": "7", "status": 0} with memory_bytes and, of the process since its start,
                      cpu_seconds and peak_memory_bytes; {"cancel": "7"} ends a list with 143
  --json              print a line of JSON for each step on standard output: step, name, request, seconds, and result or
                      error, with needs_memory where it would need more memory; in long steps lines with their progress,
                      0 to 1, in place of these
${WORK_USAGE}
SOURCE_DATE_EPOCH in the environment, in seconds since 1970, is the time that job files state as that of their making, in
place of the present: the same steps then give the same bytes.

Exit status: 0 all steps succeeded, 1 a step failed (none ran after it), 2 the words or the steps file are wrong (no step ran),
130 interrupted by Ctrl-C and 143 by SIGTERM (nothing is half written).`;

const FAILED = 1;
const WRONG_STEPS = 2;

const OPTIONS = {
  each: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  quiet: { type: "boolean", short: "q", default: false },
  ...WORK_OPTIONS,
} as const;

/** `printwright run`: carries out a list of requests without a server. */
export const runCommand: CommandModule = {
  usage: USAGE,
  options: OPTIONS,
  async run(argv, open, output) {
    const { values, positionals } = parseWords(argv, OPTIONS);
    const [file, ...others] = positionals;
    const args = readWorkArguments(values);
    if (values.each) {
      if (file !== undefined) throw inputError("--each reads its lists from standard input: name no file");
      const { runEach } = await import("./run-each.ts");
      return runEach(args, open, output);
    }
    if (file === undefined || others.length > 0)
      throw inputError("give one steps file, or - for standard input; --help has more");
    const given = file === "-" ? readSteps(await buffer(process.stdin)) : readStepsFile(file);
    const created = creationTime();
    const { steps, errors } = checkSteps(given, process.cwd(), convertedExtensions(args));
    const reporter = values.json
      ? newJsonReporter(output)
      : newTerminalReporter(given.length, () => undefined, { isQuiet: values.quiet });
    for (const { step, error } of errors) reporter.failed(step, error);
    if (errors.length > 0) return WRONG_STEPS;
    const interrupt = catchInterrupts();
    const printwright = open(args);
    try {
      const runner = created ? printwright.newProject(created) : printwright.runner;
      const { error } = await performSteps(steps, { runner }, interrupt, reporter);
      return interrupt.status() ?? (error ? FAILED : 0);
    } finally {
      await printwright.close();
    }
  },
};

/** The time of SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch/); undefined without it. */
function creationTime(): Date | undefined {
  const text = process.env["SOURCE_DATE_EPOCH"];
  if (text === undefined || text === "") return undefined;
  const time = new Date(/^\d+$/.test(text) ? 1000 * Number(text) : Number.NaN);
  if (Number.isNaN(time.getTime()))
    throw inputError(`SOURCE_DATE_EPOCH must be a number of seconds since 1970, not "${excerpt(text)}"`);
  return time;
}
